// Builds JSON text directly, without first building a tree of values.

/// A streaming JSON encoder: compact, in UTF-8, with commas added where needed.
///
/// The calls write the text from its start to its end. The caller ensures that each `begin…` call has its `end…` call and that only members
/// of objects have names. The daemon encodes responses and stored players with it, so each call writes in one step to memory that is
/// already allocated.
public struct JSONBuilder: Sendable {
  /// The allocated memory; only its first ``end`` bytes are text.
  private var buffer: [UInt8]
  private var end = 0

  /// Creates a builder of an empty text.
  /// - Parameter reserved: The expected size of the text in bytes.
  public init(reserving reserved: Int = 0) { buffer = [UInt8](repeating: 0, count: max(reserved, 64)) }

  /// A copy of the text so far.
  public var bytes: [UInt8] { Array(buffer[..<end]) }

  /// Appends a part of the text, and before it a comma if a value precedes it. The last byte of the text shows if a value precedes the
  /// part. That byte cannot be a bracket inside a string, since a string ends with its quote.
  /// - Parameters:
  ///   - count: An upper bound of the part's size in bytes.
  ///   - write: Writes the part to the given memory and returns its size.
  @inline(__always)
  private mutating func put(_ count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    if end + count >= buffer.count { grow(for: count) }
    let end = end
    self.end += buffer.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      let text = start + end
      switch end == 0 ? UInt8(ascii: ":") : text[-1] {
      case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"): return write(text)
      default:
        text[0] = UInt8(ascii: ",")
        return 1 + write(text + 1)
      }
    }
  }

  @inline(never)
  private mutating func grow(for count: Int) {
    buffer.append(contentsOf: repeatElement(0, count: max(buffer.count, count + 1)))
  }

  /// Appends a byte without a comma before it.
  private mutating func close(_ byte: UInt8) {
    if end == buffer.count { grow(for: 1) }
    buffer[end] = byte
    end += 1
  }

  @inline(__always)
  private mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
    guard let bytes = text.baseAddress else { return }
    put(text.count) { place in
      place.update(from: bytes, count: text.count)
      return text.count
    }
  }

  private mutating func put(_ text: StaticString) { put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }

  /// Writes `{`, and a comma before it if a value precedes it.
  public mutating func beginObject() { put("{") }

  /// Writes `}`; an object without members is `{}`.
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Writes `[`, and a comma before it if a value precedes it.
  public mutating func beginList() { put("[") }

  /// Writes `]`; a list without elements is `[]`.
  public mutating func endList() { close(UInt8(ascii: "]")) }

  /// Appends the name of a member and a colon. The caller appends the member's value next.
  public mutating func name(_ name: String) {
    string(name)
    close(UInt8(ascii: ":"))
  }

  /// Appends the name of a member and a colon. The caller appends the member's value next. The name must not need escapes.
  public mutating func name(_ name: StaticString) {
    let count = name.utf8CodeUnitCount
    put(count + 3) { place in
      place[0] = UInt8(ascii: "\"")
      (place + 1).update(from: name.utf8Start, count: count)
      place[count + 1] = UInt8(ascii: "\"")
      place[count + 2] = UInt8(ascii: ":")
      return count + 3
    }
  }

  /// Appends a string, with escapes where JSON needs them.
  public mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { text in
      guard let bytes = text.baseAddress, !JSONWriter.hasEscaped(text) else { return putEscaped(text) }
      put(text.count + 2) { place in
        place[0] = UInt8(ascii: "\"")
        (place + 1).update(from: bytes, count: text.count)
        place[text.count + 1] = UInt8(ascii: "\"")
        return text.count + 2
      }
    }
  }

  @inline(never)
  private mutating func putEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    var escaped: [UInt8] = []
    JSONWriter.appendString(text, to: &escaped)
    json(escaped)
  }

  /// Appends an integer, after a comma if a value precedes it.
  public mutating func integer(_ integer: Int64) {
    put(JSONWriter.integerBytesMax) { place in
      let sign = integer < 0 ? 1 : 0
      if sign == 1 { place[0] = UInt8(ascii: "-") }
      var rest = integer.magnitude
      let digits = Self.digits(of: rest)
      var at = sign + digits
      while rest >= 10 {
        let (others, pair) = rest.quotientAndRemainder(dividingBy: 100)
        at -= 2
        let digits = Self.digitPairs.utf8Start + Int(truncatingIfNeeded: pair) * 2
        (place[at], place[at + 1]) = (digits[0], digits[1])
        rest = others
      }
      // The digits are written in pairs from the last one. If their number is odd, the first one remains.
      if at > sign { place[sign] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest) }
      return sign + digits
    }
  }

  private static func digits(of number: UInt64) -> Int {
    var (rest, digits) = (number, 1)
    // Counts four digits at a time, because a stored player can have hundreds of instants with 13 digits each.
    while rest >= 10_000 { (rest, digits) = (rest / 10_000, digits &+ 4) }
    return digits &+ (rest < 100 ? (rest < 10 ? 0 : 1) : (rest < 1_000 ? 2 : 3))
  }

  private static let digitPairs: StaticString = """
    0001020304050607080910111213141516171819\
    2021222324252627282930313233343536373839\
    4041424344454647484950515253545556575859\
    6061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """

  /// Appends an instant as a string in RFC 3339 format.
  public mutating func instantText(_ instant: Instant) {
    put(Instant.writtenBytesMax + 2) { place in
      let count = instant.write(place + 1)
      place[0] = UInt8(ascii: "\"")
      place[count + 1] = UInt8(ascii: "\"")
      return count + 2
    }
  }

  /// Appends `true` or `false`, after a comma if a value precedes it.
  public mutating func bool(_ flag: Bool) { put(flag ? "true" : "false") }

  /// Appends `null`, after a comma if a value precedes it.
  public mutating func null() { put("null") }

  /// Appends a value of any type, with all its elements or members.
  public mutating func value(_ value: Value) {
    switch value {
    case .null: null()
    case .bool(let flag): bool(flag)
    case .integer(let number): integer(number)
    case .double: json(JSONWriter.bytes(value))
    case .string(let text): string(text)
    case .list(let elements):
      beginList()
      for element in elements { self.value(element) }
      endList()
    case .object(let object):
      beginObject()
      for member in object.members {
        name(member.name)
        self.value(member.value)
      }
      endObject()
    }
  }

  /// Appends a value that is already encoded as JSON.
  public mutating func json(_ text: [UInt8]) { text.withUnsafeBufferPointer { put($0) } }
}
