// Resolves unquoted YAML scalars to values. The rules are stricter than those of YAML 1.2: numbers are decimal, and ambiguous texts are
// faults.

import GameConfCore

enum YAMLScalar {
  static let nulls: Set<String> = ["", "~", "null", "Null", "NULL"]
  static let booleans: [String: Bool] = ["true": true, "True": true, "TRUE": true, "false": false, "False": false, "FALSE": false]
  static let flowIndicators: Set<UInt8> = Set(",[]{}".utf8)
  static let indicators: Set<UInt8> = Set(",[]{}#&*!|>'\"%@\u{60}".utf8)

  static let escapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "t"): "\t", 0x09: "\t",
    UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{B}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "r"): "\r", UInt8(ascii: "e"): "\u{1B}",
    0x20: " ", UInt8(ascii: "\""): "\"", UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\", UInt8(ascii: "N"): "\u{85}",
    UInt8(ascii: "_"): "\u{A0}", UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
  ]

  static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }

  /// The result of resolving an unquoted scalar as a number.
  enum NumberResolution {
    case number(Value)
    /// The scalar is a number that is rejected, because of its notation or size. The message names the valid form.
    case refused(String)
    /// The scalar is not a number.
    case none
  }

  /// Resolves an unquoted scalar as a number. It must match `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
  static func number(_ text: String) -> NumberResolution {
    let bytes = Array(text.utf8)
    guard let first = bytes.first(where: { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: ".") }) else {
      return .none
    }
    let isSpecial = [".inf", ".nan"].contains(text.drop { $0 == "-" || $0 == "+" }.lowercased())
    if isSpecial { return .refused("NaN and infinities cannot be written; a number is decimal and finite.") }
    guard (0x30...0x39).contains(first), bytes.count <= 1024 else { return .none }
    switch form(bytes) {
    case .integer:
      guard let integer = Int64(text) else {
        return .refused("\(shown(text)) does not fit 64 bits; integers go from \(Int64.min) to \(Int64.max).")
      }
      return .number(.integer(integer))
    case .double:
      guard let double = Double(text), double.isFinite else {
        return .refused("\(shown(text)) is too large for a double, which goes to about 1.8e308.")
      }
      return .number(.double(double))
    case .other:
      return looksLikeNumber(bytes)
        ? .refused("\(shown(text)) is not a decimal number (no sign +, leading zero, hexadecimal or octal form); put text in quotes.")
        : .none
    }
  }

  private enum NumberForm { case integer, double, other }

  private static func form(_ bytes: [UInt8]) -> NumberForm {
    var at = bytes.first == UInt8(ascii: "-") ? 1 : 0
    func digits(_ from: Int) -> Int { from + bytes[from...].prefix { (0x30...0x39).contains($0) }.count }
    let wholeEnd = digits(at)
    if wholeEnd == at || (bytes[at] == 0x30 && wholeEnd > at + 1) { return .other }
    if wholeEnd == bytes.count { return .integer }
    at = wholeEnd
    if bytes[at] == UInt8(ascii: ".") {
      let end = digits(at + 1)
      if end == at + 1 { return .other }
      at = end
    }
    if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
      if at == bytes.count { return .other }
      let end = digits(at)
      if end == at { return .other }
      at = end
    }
    return at == bytes.count ? .double : .other
  }

  /// True if the core schema of YAML 1.2 would resolve the scalar to a number, but in a notation that is rejected here: hexadecimal or
  /// octal, with leading zeros or a plus sign, or with no digit before or after the point.
  private static func looksLikeNumber(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: Array("0x".utf8)) { return bytes.count > 2 && bytes.dropFirst(2).allSatisfy(isHexDigit) }
    if bytes.starts(with: Array("0o".utf8)) { return bytes.count > 2 && bytes.dropFirst(2).allSatisfy { (0x30...0x37).contains($0) } }
    var text = bytes[...]
    if text.first == UInt8(ascii: "+") || text.first == UInt8(ascii: "-") { text = text.dropFirst() }
    let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let isMantissa =
      mantissa.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") } && mantissa.count { $0 == UInt8(ascii: ".") } <= 1
    let exponent = text.dropFirst(mantissa.count).dropFirst().drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    let isExponent = mantissa.count == text.count || !exponent.isEmpty && exponent.allSatisfy { (0x30...0x39).contains($0) }
    return isMantissa && isExponent && mantissa.contains { (0x30...0x39).contains($0) }
  }

  static func shown(_ text: String) -> String { text.utf8.count > 40 ? String(text.prefix(40)) + "…" : text }
}
