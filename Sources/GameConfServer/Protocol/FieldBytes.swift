// The bytes that a head may have, and their comparison.

/// The character classes of RFC 9110 and 9112, over bytes.
enum FieldBytes {
  /// `token`: letters, digits and !#$%&'*+-.^_`|~
  @inline(__always)
  static func isToken(_ byte: UInt8) -> Bool { tokens.has(byte) }

  /// The bytes that a request target may have here: visible ASCII without `#`. Stricter than browsers, laxer than RFC 3986, as curl needs it.
  @inline(__always)
  static func isTarget(_ byte: UInt8) -> Bool { byte > 32 && byte < 127 && byte != UInt8(ascii: "#") }

  /// The bytes that a host name with a port may have.
  @inline(__always)
  static func isHost(_ byte: UInt8) -> Bool { hosts.has(byte) }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  /// True if no byte is a control character other than a tab.
  @inline(__always)
  static func isFieldValue(_ value: UnsafeRawBufferPointer) -> Bool {
    var at = 0
    // Eight bytes at a time: a word without a byte below 0x20 and without a 0x7F is clean.
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

  /// The number; nil unless it is 1 to 18 decimal digits and nothing else.
  static func decimal(_ value: UnsafeRawBufferPointer) -> Int? {
    guard (1...18).contains(value.count) else { return nil }
    var number = 0
    for byte in value {
      guard isDigit(byte) else { return nil }
      number = number * 10 + Int(byte - 48)
    }
    return number
  }

  /// The bytes without blanks at either end.
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

  /// The small letter of a capital one of ASCII; any other byte as it is.
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 32 : byte }

  /// True if the bytes, without regard to case, are this text, which must be lower case.
  @inline(__always)
  static func equalsLowercased(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for at in 0..<bytes.count {
      if lowercased(bytes[at]) != text.utf8Start[at] { return false }
    }
    return true
  }

  // Written out as words, so that no check of a lazy global stands in the inner loops.
  private static let tokens = ASCIISet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
  private static let hosts = ASCIISet(low: 0x2FFF_6FF2_0000_0000, high: 0x47FF_FFFE_AFFF_FFFE)
}

/// A set of ASCII characters in two words.
private struct ASCIISet: Sendable {
  let low: UInt64
  let high: UInt64

  @inline(__always)
  func has(_ byte: UInt8) -> Bool {
    byte < 64 ? low >> UInt64(byte) & 1 != 0 : byte < 128 && high >> UInt64(byte &- 64) & 1 != 0
  }
}
