// Percent encoding of text in paths and queries of URLs.

/// Percent encoding of UTF-8 (RFC 3986).
public enum PercentEncoding {
  /// Returns the text with every byte encoded as `%XX`, except for letters, digits and `-._~`.
  public static func encode(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      if isUnreserved(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded.append("%")
        encoded.unicodeScalars.append(Unicode.Scalar(hexDigit(byte >> 4)))
        encoded.unicodeScalars.append(Unicode.Scalar(hexDigit(byte & 15)))
      }
    }
    return encoded
  }

  /// True for the path segments `.` and `..`, which clients and proxies remove from paths even if they are percent-encoded.
  public static func isFolded(_ segment: String) -> Bool {
    let bytes = segment.utf8
    return bytes.count <= 2 && !bytes.isEmpty && bytes.allSatisfy { $0 == UInt8(ascii: ".") }
  }

  /// Decodes percent-encoded text. Returns nil for a malformed escape or invalid UTF-8. A `+` stays a plus sign.
  public static func decode(_ text: some Sequence<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
        continue
      }
      guard let high = iterator.next().flatMap(digitValue), let low = iterator.next().flatMap(digitValue) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }

  private static func digitValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
