// The character classes of a request's head, and comparisons of bytes.

/// The character classes of RFC 9110 and RFC 9112 as tests of a byte, with comparisons of bytes.
enum FieldBytes {
  /// True for a character of a `token`: a letter, a digit or one of !#$%&'*+-.^_`|~
  @inline(__always)
  static func isToken(_ byte: UInt8) -> Bool { tokens.has(byte) }

  /// True for a character of a request target: visible ASCII without `#`. curl sends characters that RFC 3986 forbids; browsers send more.
  @inline(__always)
  static func isTarget(_ byte: UInt8) -> Bool { byte > 32 && byte < 127 && byte != UInt8(ascii: "#") }

  /// True for a character of a host name with a port.
  @inline(__always)
  static func isHost(_ byte: UInt8) -> Bool { hosts.has(byte) }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  /// True for a valid value of a header field: no byte is a control character other than a tab.
  @inline(__always)
  static func isFieldValue(_ value: UnsafeRawBufferPointer) -> Bool {
    var at = 0
    // SWAR: tests eight bytes in one word for a byte below 0x20 or equal to 0x7F.
    while at + 8 <= value.count {
      let word = value.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      let low = (word &- 0x2020_2020_2020_2020) & ~word
      let delete = word ^ 0x7F7F_7F7F_7F7F_7F7F
      let deleted = (delete &- 0x0101_0101_0101_0101) & ~delete
      if (low | deleted) & 0x8080_8080_8080_8080 != 0 {
        for each in at..<at + 8 where LineReader.isControl(value[each]) { return false }
      }
      at += 8
    }
    while at < value.count {
      if LineReader.isControl(value[at]) { return false }
      at += 1
    }
    return true
  }

  /// Parses a number of 1 to 18 decimal digits; nil for any other text.
  static func decimal(_ value: UnsafeRawBufferPointer) -> Int? {
    guard (1...18).contains(value.count) else { return nil }
    var number = 0
    for byte in value {
      guard isDigit(byte) else { return nil }
      number = number * 10 + Int(byte - 48)
    }
    return number
  }

  /// Returns the bytes without spaces and tabs at both ends.
  static func trimmed(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var (lower, upper) = (0, value.count)
    while lower < upper, value[lower] == 32 || value[lower] == 9 { lower += 1 }
    while upper > lower, value[upper - 1] == 32 || value[upper - 1] == 9 { upper -= 1 }
    return UnsafeRawBufferPointer(rebasing: value[lower..<upper])
  }

  @inline(__always)
  static func starts(_ bytes: UnsafeRawBufferPointer, with text: StaticString) -> Bool {
    bytes.count >= text.utf8CodeUnitCount && equals(UnsafeRawBufferPointer(rebasing: bytes[..<text.utf8CodeUnitCount]), text)
  }

  @inline(__always)
  static func equals(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for at in 0..<bytes.count where bytes[at] != text.utf8Start[at] { return false }
    return true
  }

  /// Returns the lower-case letter of an ASCII capital; any other byte unchanged.
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 32 : byte }

  /// True if the bytes equal the text, ignoring ASCII case. The text must be in lower case.
  @inline(__always)
  static func equalsLowercased(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for at in 0..<bytes.count {
      if lowercased(bytes[at]) != text.utf8Start[at] { return false }
    }
    return true
  }

  // Literal words, because a lazily initialized global would be checked on each access in the inner loops.
  private static let tokens = ASCIISet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
  private static let hosts = ASCIISet(low: 0x2FFF_6FF2_0000_0000, high: 0x47FF_FFFE_AFFF_FFFE)
}

/// A set of ASCII characters as a bitmap of 128 bits.
private struct ASCIISet: Sendable {
  let low: UInt64
  let high: UInt64

  @inline(__always)
  func has(_ byte: UInt8) -> Bool {
    byte < 64 ? low >> UInt64(byte) & 1 != 0 : byte < 128 && high >> UInt64(byte &- 64) & 1 != 0
  }
}
