// Two other forms of JSON: indented for people, and canonical for hashing.

extension JSONWriter {
  /// Returns the value's JSON indented by two spaces. Empty lists and objects are in one line, and no newline follows the value.
  public static func prettyBytes(_ value: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    appendPretty(value, depth: 0, to: &bytes)
    return bytes
  }

  private static func appendPretty(_ value: Value, depth: Int, to bytes: inout [UInt8]) {
    switch value {
    case .list(let elements) where !elements.isEmpty:
      bytes.append(UInt8(ascii: "["))
      for (at, element) in elements.enumerated() {
        appendLine(depth + 1, isFirst: at == 0, to: &bytes)
        appendPretty(element, depth: depth + 1, to: &bytes)
      }
      appendLine(depth, isFirst: true, to: &bytes)
      bytes.append(UInt8(ascii: "]"))
    case .object(let object) where !object.isEmpty:
      bytes.append(UInt8(ascii: "{"))
      for (at, member) in object.members.enumerated() {
        appendLine(depth + 1, isFirst: at == 0, to: &bytes)
        appendString(member.name, to: &bytes)
        appendText(": ", to: &bytes)
        appendPretty(member.value, depth: depth + 1, to: &bytes)
      }
      appendLine(depth, isFirst: true, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    default: append(value, to: &bytes)
    }
  }

  private static func appendLine(_ depth: Int, isFirst: Bool, to bytes: inout [UInt8]) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { appendText("  ", to: &bytes) }
  }

  /// Returns the value's compact JSON, with the members of each object sorted by the UTF-8 bytes of their names. Equal values have equal
  /// bytes.
  public static func canonicalBytes(_ value: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    appendCanonical(value, to: &bytes)
    return bytes
  }

  /// Appends the value's JSON in the form of ``canonicalBytes(_:)``.
  public static func appendCanonical(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      for (at, element) in elements.enumerated() {
        if at > 0 { bytes.append(UInt8(ascii: ",")) }
        appendCanonical(element, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      let sorted = object.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      for (at, member) in sorted.enumerated() {
        if at > 0 { bytes.append(UInt8(ascii: ",")) }
        appendString(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendCanonical(member.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    case .double(let double) where double == 0: appendText("0.0", to: &bytes)
    default: append(value, to: &bytes)
    }
  }
}
