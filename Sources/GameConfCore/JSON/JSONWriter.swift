// Encodes values as JSON.

/// A JSON encoder: UTF-8, compact, members in their order, doubles always with a decimal point.
///
/// A double is written as the shortest text that is read back as the same number (`18.0`, `0.1`, `1.0e+22`). A number that is not finite,
/// which no decoder returns, is written as `null`.
public enum JSONWriter {
  /// Appends the value's JSON to a buffer.
  public static func append(_ value: Value, to bytes: inout [UInt8]) { _ = append(value, to: &bytes, bytesMax: .max) }

  /// Appends the value's JSON and stops once the buffer exceeds a limit.
  /// - Returns: False if it stopped early, so that the JSON is incomplete.
  private static func append(_ value: Value, to bytes: inout [UInt8], bytesMax: Int) -> Bool {
    switch value {
    case .null: appendText("null", to: &bytes)
    case .bool(let flag): appendText(flag ? "true" : "false", to: &bytes)
    case .integer(let integer): appendInteger(integer, to: &bytes)
    case .double(let double): appendDouble(double, to: &bytes)
    case .string(let string): appendString(string, to: &bytes)
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        if !append(element, to: &bytes, bytesMax: bytesMax) { return false }
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      var isFirst = true
      for member in object.members {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        appendString(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if !append(member.value, to: &bytes, bytesMax: bytesMax) { return false }
      }
      bytes.append(UInt8(ascii: "}"))
    }
    return bytes.count <= bytesMax
  }

  /// Returns the value's JSON, or nil if it exceeds the limit. At most one string or number is written beyond the limit.
  public static func bytes(_ value: Value, bytesMax: Int, reserving capacity: Int = 0) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    return append(value, to: &bytes, bytesMax: bytesMax) ? bytes : nil
  }

  /// Returns the value's JSON in UTF-8.
  public static func bytes(_ value: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return bytes
  }

  /// Returns the value's JSON as text. If `pretty` is true, it is indented by two spaces.
  public static func text(_ value: Value, pretty: Bool = false) -> String {
    String(decoding: pretty ? prettyBytes(value) : bytes(value), as: UTF8.self)
  }

  /// Appends an integer in decimal.
  public static func appendInteger(_ integer: Int64, to bytes: inout [UInt8]) {
    if integer < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = integer.magnitude
    // Division yields the last digit first, so the digits are written from the end of a temporary buffer.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: integerDigitsMax) { digits in
      var start = integerDigitsMax
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest != 0
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// The number of decimal digits of the largest magnitude, 2⁶³.
  private static let integerDigitsMax = 19

  /// The largest size of an integer in bytes, with its sign.
  static let integerBytesMax = integerDigitsMax + 1

  /// Appends a double, always with a decimal point; a number that is not finite becomes `null`.
  public static func appendDouble(_ double: Double, to bytes: inout [UInt8]) {
    guard double.isFinite else { return appendText("null", to: &bytes) }
    if double.magnitude < 1e15, !(double == 0 && double.sign == .minus), let whole = double.wholeInteger {
      appendInteger(whole, to: &bytes)
      return appendText(".0", to: &bytes)
    }
    var hasPoint = false
    for byte in double.description.utf8 {
      if byte == UInt8(ascii: ".") { hasPoint = true }
      if byte == UInt8(ascii: "e"), !hasPoint { appendText(".0", to: &bytes) }
      bytes.append(byte)
    }
  }

  /// Appends a string in quotes. Only quotes, backslashes and control characters are escaped.
  public static func appendString(_ string: String, to bytes: inout [UInt8]) {
    var string = string
    string.withUTF8 { appendString($0, to: &bytes) }
  }

  static func appendString(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var runStart = 0
    for at in 0..<text.count where isEscaped(text[at]) {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart..<at]))
      appendEscape(text[at], to: &bytes)
      runStart = at + 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart...]))
    bytes.append(UInt8(ascii: "\""))
  }

  /// True if JSON requires an escape for this byte.
  @inline(__always)
  static func isEscaped(_ byte: UInt8) -> Bool { byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") }

  /// True if any byte of a text requires an escape. The loop tests eight bytes at a time (SWAR).
  static func hasEscaped(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var at = 0
    let raw = UnsafeRawBufferPointer(text)
    while at + 8 <= text.count {
      let eight = raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      // The high bit of each byte becomes 1 if the byte is below 0x20 or, after the XOR, zero. Bytes above 0x7F are masked out.
      let small = (eight &- 0x2020_2020_2020_2020) & ~eight
      let quote = eight ^ 0x2222_2222_2222_2222
      let backslash = eight ^ 0x5C5C_5C5C_5C5C_5C5C
      let found = small | ((quote &- 0x0101_0101_0101_0101) & ~quote) | ((backslash &- 0x0101_0101_0101_0101) & ~backslash)
      // A borrow of the subtraction may also set the high bit of the byte above a match. If no byte matches, no high bit is set.
      if found & 0x8080_8080_8080_8080 != 0 { return true }
      at += 8
    }
    while at < text.count {
      if isEscaped(text[at]) { return true }
      at += 1
    }
    return false
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x00..<0x20:
      appendText("u00", to: &bytes)
      bytes.append(UInt8(ascii: "0") + byte >> 4)
      bytes.append((byte & 15 < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) + byte & 15)
    default: bytes.append(byte)
    }
  }

  static func appendText(_ text: StaticString, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
