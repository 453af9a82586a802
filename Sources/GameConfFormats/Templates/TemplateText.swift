// Templates as people write them: in JSON, or our own form and flagd's in YAML.

import GameConfCore

/// Turns a template's text into the JSON that is kept.
public enum TemplateText {
  /// The document in JSON: as it stands where it is JSON, else our own form or flagd's out of YAML. A byte order mark is dropped.
  /// - Throws: the first fault of the YAML; what begins as JSON and is none stays as it is, for whoever reads it to say what is wrong.
  public static func json(of bytes: [UInt8]) throws(FormatFault) -> [UInt8] {
    let bytes = bytes.withoutByteOrderMark
    guard let first = bytes.first(where: { $0 > 0x20 }), !"{[<\"".utf8.contains(first) else { return bytes }
    var faults: [TextFault] = []
    let text = YAMLText(bytes, file: 0, faults: &faults)
    var parser = YAMLParser(text)
    let root = faults.isEmpty ? parser.document() : nil
    faults += parser.faults
    if let fault = faults.min(by: { $0.place < $1.place }) {
      let position = text.position(of: fault.place.offset)
      throw FormatFault(line: position.line, column: position.column, message: fault.message)
    }
    guard let root, root["gameconf_template"] != nil || root["flags"] != nil else {
      throw FormatFault(
        line: 1, column: 1,
        message: "This is neither JSON nor a template in YAML, which begins with “gameconf_template: 1” or has flagd's “flags”.")
    }
    return JSONWriter.bytes(root.plainValue)
  }
}

extension [UInt8] {
  /// The text of a file without the mark that editors on Windows put before it.
  var withoutByteOrderMark: [UInt8] { starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self }
}

extension YAMLNode {
  /// The value by YAML 1.2 where no type is asked for: quoted text is text, `null` is null, a decimal number a number, `on` text.
  var plainValue: Value {
    switch content {
    case .scalar(let text, let isQuoted):
      if isQuoted { return .string(text) }
      if isNull { return .null }
      if case .number(let number) = YAMLScalar.number(text) { return number }
      return YAMLScalar.booleans[text].map(Value.bool) ?? .string(text)
    case .list(let elements): return .list(elements.map(\.plainValue))
    case .mapping(let entries): return .object(ObjectValue(entries.map { ($0.name, $0.value.plainValue) }))
    case .refused: return .null
    }
  }
}
