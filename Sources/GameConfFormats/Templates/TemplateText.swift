// Converts templates from YAML to JSON. Templates in gameconfd's own format and in flagd's may be written in YAML.

import GameConfCore

/// The conversion of a template's text to the JSON that the daemon stores.
public enum TemplateText {
  /// Returns the template as JSON. JSON is returned unchanged, except that a byte order mark is removed. Any other text is parsed as YAML.
  /// - Throws: ``FormatFault`` for the first fault in the YAML. A text that begins like JSON is returned even if it is malformed, because
  ///   the caller reports its faults.
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
  /// The bytes without a UTF-8 byte order mark, which some editors on Windows add.
  var withoutByteOrderMark: [UInt8] { starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self }
}

extension YAMLNode {
  /// The node's value by the rules of YAML 1.2: quoted scalars are text, `null` is null, and decimal numbers are numbers. `on` is text.
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
