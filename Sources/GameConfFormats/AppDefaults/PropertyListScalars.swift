// Converts dates and binary data of property lists to text, because a parameter's value cannot be a date or data.

import GameConfCore

/// The conversion of dates and binary data to the text that Firebase's `setDefaults` makes of them on a device in UTC.
enum PropertyListScalars {
  /// Returns the date with seconds and without a time zone, such as `2026-12-01 00:00:00`.
  static func text(of instant: Instant) -> String {
    String(instant.text.prefix(19)).replacing("T", with: " ")
  }

  /// Returns the data as text if it is valid UTF-8, otherwise in Base64.
  static func text(ofData bytes: [UInt8]) -> String {
    String(validating: bytes, as: UTF8.self) ?? base64(of: bytes)
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func base64(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for at in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[at..<min(at + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0..<4 { text.append(digit > group.count ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * digit) & 63]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes Base64 and ignores white space. Returns nil if the text is malformed.
  static func bytes(ofBase64 text: String) -> [UInt8]? {
    let written = text.utf8.filter { $0 > 0x20 }
    let digits = written.prefix { $0 != UInt8(ascii: "=") }
    guard written.count % 4 == 0, written.count - digits.count <= 2, written[digits.count...].allSatisfy({ $0 == UInt8(ascii: "=") })
    else { return nil }
    var bytes: [UInt8] = []
    var (bits, count) = (0, 0)
    for digit in digits {
      guard let value = alphabet.firstIndex(of: digit) else { return nil }
      (bits, count) = ((bits << 6 | value) & 0xFF_FFFF, count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bytes
  }
}
