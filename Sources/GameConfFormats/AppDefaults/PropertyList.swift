// Parses Apple's property lists strictly, and writes them in XML as Xcode does.

public import GameConfCore

/// A converter between property lists and values. `integer` and `real` keep their kinds. Dates and binary data become the texts that
/// Firebase's `setDefaults` makes of them.
///
/// The parser accepts only the usual document type. It never fetches or expands external entities, which prevents XXE attacks. It replaces
/// the five predefined entities and character references.
public enum PropertyList {
  /// The maximum size of a property list, in bytes: 4 MiB.
  public static let bytesMax = 4 << 20
  /// The maximum nesting depth of arrays and dictionaries.
  public static let depthMax = 64

  /// True if the bytes begin like a property list in XML or in the binary format.
  public static func isLikely(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: BinaryPropertyList.magic)
      || bytes.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 <= 0x20 }.first == UInt8(ascii: "<")
  }

  /// Parses a property list in XML or in the binary format.
  /// - Throws: ``FormatFault`` for the first fault. A fault in XML has a position.
  public static func value(from bytes: [UInt8]) throws(FormatFault) -> Value { try reading(from: bytes).value }

  /// Parses a property list. Also returns the names of the top-level members that are, or contain, dates or binary data.
  static func reading(from bytes: [UInt8]) throws(FormatFault) -> (value: Value, namesOfOthers: [String]) {
    try checkLength(bytes)
    if bytes.starts(with: BinaryPropertyList.magic) {
      var list = try BinaryPropertyList(bytes)
      return (try list.value(), list.namesOfOthers)
    }
    var parser = PropertyListParser()
    let value = try XMLCursor.read(bytes) { (xml: inout XMLCursor) throws(XMLSyntaxError) in try parser.document(&xml) }
    return (value, parser.namesOfOthers)
  }

  static func checkLength(_ bytes: [UInt8]) throws(FormatFault) {
    if bytes.count > bytesMax {
      throw FormatFault(message: "The file has \(bytes.count) bytes; default values may have \(bytesMax) (4 MiB).")
    }
  }

  /// Returns the value as an XML property list.
  /// - Throws: ``FormatFault`` if the value contains null, which property lists cannot represent, or a character that XML does not allow.
  public static func text(of value: Value) throws(FormatFault) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    try write(value, indent: "", into: &text, pointer: "")
    return text + "</plist>\n"
  }

  private static func write(_ value: Value, indent: String, into text: inout String, pointer: String) throws(FormatFault) {
    switch value {
    case .null: throw FormatFault(message: "The value at \(pointer.isEmpty ? "/" : pointer) is null; property lists have no null.")
    case .bool(let boolean): text += "\(indent)<\(boolean)/>\n"
    case .integer(let integer): text += "\(indent)<integer>\(integer)</integer>\n"
    case .double: text += "\(indent)<real>\(JSONWriter.text(value))</real>\n"
    case .string(let string): text += "\(indent)<string>\(try escaped(string, pointer))</string>\n"
    case .list(let elements):
      text += elements.isEmpty ? "\(indent)<array/>\n" : "\(indent)<array>\n"
      for (index, element) in elements.enumerated() {
        try write(element, indent: indent + "\t", into: &text, pointer: JSONPointer.appending(index, to: pointer))
      }
      if !elements.isEmpty { text += "\(indent)</array>\n" }
    case .object(let object):
      text += object.isEmpty ? "\(indent)<dict/>\n" : "\(indent)<dict>\n"
      for member in object.members {
        let pointer = JSONPointer.appending(member.name, to: pointer)
        text += "\(indent)\t<key>\(try escaped(member.name, pointer))</key>\n"
        try write(member.value, indent: indent + "\t", into: &text, pointer: pointer)
      }
      if !object.isEmpty { text += "\(indent)</dict>\n" }
    }
  }

  static func escaped(_ string: String, _ pointer: String) throws(FormatFault) -> String {
    var escaped = ""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\r": escaped += "&#13;"
      case "\t", "\n": escaped.unicodeScalars.append(scalar)
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
        throw FormatFault(
          message: "The text at \(pointer) holds the control character U+\(String(scalar.value, radix: 16)), which XML cannot.")
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
