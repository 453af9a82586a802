// JSON put together piece by piece, where a tree of values made first would only be thrown away.

/// JSON in the making: compact, UTF-8, with commas where they belong.
///
/// The pieces come in the order of the text. Whoever puts them together sees to it that every `begin` has its `end` and that only members of
/// objects have names. Answers and players' rows are written by it, so a piece is written in one go into room that is there already.
public struct JSONBuilder: Sendable {
  /// Room for the text; what is behind its end counts for nothing.
  private var room: [UInt8]
  private var end = 0

  /// Nothing yet.
  /// - Parameter reserved: about how many bytes it will be.
  public init(reserving reserved: Int = 0) { room = [UInt8](repeating: 0, count: max(reserved, 64)) }

  /// The text so far.
  public var bytes: [UInt8] { Array(room[..<end]) }

  /// Has something written behind the text, and before it a comma unless it is the first. A string's last byte is its quote, so no string is
  /// taken for a bracket.
  /// - Parameters:
  ///   - count: how many bytes it is at most.
  ///   - write: writes them, and says how many it wrote.
  @inline(__always)
  private mutating func put(_ count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    if end + count >= room.count { makeRoom(for: count) }
    let end = end
    self.end += room.withUnsafeMutableBufferPointer { room in
      guard let start = room.baseAddress else { return 0 }
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
  private mutating func makeRoom(for count: Int) {
    room.append(contentsOf: repeatElement(0, count: max(room.count, count + 1)))
  }

  /// Writes a byte that no comma stands before.
  private mutating func close(_ byte: UInt8) {
    if end == room.count { makeRoom(for: 1) }
    room[end] = byte
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

  /// Begins an object.
  public mutating func beginObject() { put("{") }

  /// Ends an object.
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Begins a list.
  public mutating func beginList() { put("[") }

  /// Ends a list.
  public mutating func endList() { close(UInt8(ascii: "]")) }

  /// The name of the member that comes next.
  public mutating func name(_ name: String) {
    string(name)
    close(UInt8(ascii: ":"))
  }

  /// The name of the member that comes next, without anything that must be escaped.
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

  /// A string.
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

  /// An integer.
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
      // The first of an odd number of digits; of an even number there is nothing left.
      if at > sign { place[sign] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest) }
      return sign + digits
    }
  }

  private static func digits(of number: UInt64) -> Int {
    var (digits, end): (Int, UInt64) = (1, 10)
    // The magnitude of a 64-bit integer has 19 digits at most.
    while digits < 19, number >= end { (digits, end) = (digits + 1, end &* 10) }
    return digits
  }

  private static let digitPairs: StaticString = """
    0001020304050607080910111213141516171819\
    2021222324252627282930313233343536373839\
    4041424344454647484950515253545556575859\
    6061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """

  /// An instant, as a string.
  public mutating func instantText(_ instant: Instant) {
    put(Instant.writtenBytesMax + 2) { place in
      let count = instant.write(place + 1)
      place[0] = UInt8(ascii: "\"")
      place[count + 1] = UInt8(ascii: "\"")
      return count + 2
    }
  }

  /// True or false.
  public mutating func bool(_ flag: Bool) { put(flag ? "true" : "false") }

  /// Null.
  public mutating func null() { put("null") }

  /// Any value.
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

  /// A value whose JSON is there already.
  public mutating func json(_ text: [UInt8]) { text.withUnsafeBufferPointer { put($0) } }
}
