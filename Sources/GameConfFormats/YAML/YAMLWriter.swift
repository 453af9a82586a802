// Writes values as YAML that every YAML parser interprets in the same way.

import GameConfCore

/// A writer of YAML. It writes mappings in block style down to a depth and in flow style below it. Text is quoted unless it is unambiguous
/// without quotes.
struct YAMLWriter {
  /// The number of nesting levels that are written in block style.
  let blockDepth: Int

  init(blockDepth: Int) { self.blockDepth = blockDepth }

  func text(_ value: Value) -> String {
    guard case .object(let object) = value else { return flow(value) + "\n" }
    var text = ""
    block(object, depth: 1, into: &text)
    return text
  }

  private func block(_ object: ObjectValue, depth: Int, into text: inout String) {
    let indent = String(repeating: "  ", count: depth - 1)
    for member in object.members {
      text += indent + Self.word(member.name) + ":"
      if case .object(let inner) = member.value, depth < blockDepth, !inner.isEmpty {
        text += "\n"
        block(inner, depth: depth + 1, into: &text)
      } else {
        text += " " + flow(member.value) + "\n"
      }
    }
  }

  private func flow(_ value: Value) -> String {
    switch value {
    case .null, .bool, .integer, .double: JSONWriter.text(value)
    case .string(let text): Self.word(text)
    case .list(let elements): "[" + elements.map(flow).joined(separator: ", ") + "]"
    case .object(let object): "{" + object.members.map { Self.word($0.name) + ": " + flow($0.value) }.joined(separator: ", ") + "}"
    }
  }

  /// The words that some version of YAML resolves to a boolean, to null or to a number.
  private static let taken: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"]

  /// Returns a name or text: without quotes if no YAML parser can misinterpret it, otherwise in double quotes.
  static func word(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_") }
    let isPlain =
      bytes.first.map(isLetter) ?? false && bytes.count <= 80 && bytes.last != 0x20 && !taken.contains(text.lowercased())
      && bytes.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x20 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    return isPlain ? text : quoted(text)
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
        let code = String(scalar.value, radix: 16, uppercase: true)
        quoted += "\\u" + String(repeating: "0", count: 4 - code.count) + code
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
