// Writes any text of a catalog safely into program text.

import GameConfCore

/// Operations on Unicode scalars and bytes, as compilers see them. A Character may combine a quote with a combining mark after it, and so
/// hide the quote.
enum CodeText {
  /// Splits a text into lines for a comment. Removes blanks at their ends, and escapes characters that end a line in some language, or that
  /// hide or reorder text.
  static func lines(_ text: String) -> [String] {
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { bytes in
      var line = bytes
      while let last = line.last, last == 0x20 || last == 0x0D || last == 0x09 { line = line.dropLast() }
      return TerminalText.escaped(String(decoding: line, as: UTF8.self))
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Replaces every occurrence of a pattern, compared byte by byte.
  static func replacing(_ pattern: String, by other: String, in text: String) -> String {
    let (bytes, pattern, other) = (Array(text.utf8), Array(pattern.utf8), Array(other.utf8))
    guard !pattern.isEmpty, bytes.count >= pattern.count else { return text }
    var result: [UInt8] = []
    var at = 0
    while at < bytes.count {
      if bytes[at...].starts(with: pattern) {
        result += other
        at += pattern.count
      } else {
        result.append(bytes[at])
        at += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns a text between quotes.
  /// - Parameter escape: Returns the language's escape for a scalar; nil to write the scalar unchanged.
  static func quoted(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default:
        if let escaped = escape(scalar) { literal += escaped } else { literal.unicodeScalars.append(scalar) }
      }
    }
    return literal + "\""
  }

  /// Returns a number in a base, padded with zeros to `count` digits.
  static func digits(_ number: some BinaryInteger, radix: Int, count: Int) -> String {
    let digits = String(number, radix: radix, uppercase: true)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  /// Returns a number or a Boolean as JSON, in which doubles have a point or an exponent. Every generated language accepts that form.
  static func number(_ value: Value) -> String { JSONWriter.text(value) }

  static func base64(_ bytes: [UInt8], lineLength: Int) -> [String] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let three = bytes[start..<min(start + 3, bytes.count)]
      let word = three.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - three.count))
      for place in 0..<4 {
        text.append(place <= three.count ? alphabet[Int(word >> UInt32(18 - 6 * place)) & 63] : UInt8(ascii: "="))
      }
    }
    return stride(from: 0, to: text.count, by: lineLength).map {
      String(decoding: text[$0..<min($0 + lineLength, text.count)], as: UTF8.self)
    }
  }

  /// Joins pieces into lines of at most about `lineLength` characters.
  static func packed(_ pieces: some Sequence<String>, lineLength: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for piece in pieces {
      if !line.isEmpty, line.utf8.count + piece.utf8.count > lineLength {
        lines.append(line)
        line = ""
      }
      line += piece
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
