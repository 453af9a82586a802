// Parses and formats instants in RFC 3339 notation.

extension Instant {
  /// The maximum number of bytes of a text that is read as an instant. Longer texts are refused.
  public static let textBytesMax = 64

  /// Parses an instant such as `2026-12-01T00:00:00Z` or `2026-12-01T01:30:00.250+01:30`.
  ///
  /// The notation is that of RFC 3339, except that seconds may be omitted, and offsets may lack the colon or the minutes, as in ISO 8601.
  /// Digits after the milliseconds are ignored. A zone is required, because a time without one would mean different instants on different
  /// hosts.
  /// - Throws: ``Fault`` if the text is not an instant of the years 0001 to 9999.
  public init(parsing text: String) throws(Fault) {
    guard text.utf8.count <= Self.textBytesMax else { throw Fault("An instant has at most \(Self.textBytesMax) characters.") }
    var reader = TimeTextReader(text)
    guard let instant = try reader.instant() else {
      throw Fault("“\(text)” is not an instant; write it as 2026-12-01T00:00:00Z or with an offset, 2026-12-01T01:00:00+01:00.")
    }
    self = instant
  }

  /// The instant in UTC in RFC 3339 notation: `2026-12-01T00:00:00Z`. Milliseconds are written only if they are not 0.
  public var text: String { String(unsafeUninitializedCapacity: Self.writtenBytesMax) { $0.baseAddress.map(write) ?? 0 } }

  /// The largest number of bytes that ``write(_:)`` writes. Years outside the calendar, which arithmetic can produce, have more than four
  /// digits.
  static let writtenBytesMax = 40

  /// Writes ``text`` to memory and returns its size in bytes.
  func write(_ text: UnsafeMutablePointer<UInt8>) -> Int {
    let date = utcDate
    let (seconds, milliseconds) = Int(millisecondsIntoUTCDay).quotientAndRemainder(dividingBy: 1000)
    var end = 0
    @inline(__always)
    func put(_ byte: UInt8) {
      text[end] = byte
      end += 1
    }
    @inline(__always)
    func putTwoDigits(_ number: Int) {
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
    if (0...9999).contains(date.year) {
      putTwoDigits(date.year / 100)
      putTwoDigits(date.year % 100)
    } else {
      for byte in padded(date.year, 4).utf8 { put(byte) }
    }
    put(UInt8(ascii: "-"))
    putTwoDigits(date.month)
    put(UInt8(ascii: "-"))
    putTwoDigits(date.day)
    put(UInt8(ascii: "T"))
    putTwoDigits(seconds / 3600)
    put(UInt8(ascii: ":"))
    putTwoDigits(seconds / 60 % 60)
    put(UInt8(ascii: ":"))
    putTwoDigits(seconds % 60)
    if milliseconds != 0 {
      put(UInt8(ascii: "."))
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds / 100))
      putTwoDigits(milliseconds % 100)
    }
    put(UInt8(ascii: "Z"))
    return end
  }
}

extension Instant: CustomStringConvertible {
  /// The instant in RFC 3339 notation, as ``text`` returns it.
  public var description: String { text }
}

/// A scanner for the digits and separators of an instant in text form.
struct TimeTextReader {
  private let text: String
  private var rest: Substring.UTF8View

  init(_ text: String) {
    self.text = text
    self.rest = text[...].utf8
  }

  /// Parses an instant; returns nil if the text does not have the form of one.
  mutating func instant() throws(Fault) -> Instant? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2) else { return nil }
    if rest.isEmpty { throw Fault("“\(text)” is a day; an instant also has a time and a zone, as in \(text)T00:00:00Z.") }
    guard take("T") || take("t") || take(" ") else { return nil }
    guard let hour = number(2), take(":"), let minute = number(2) else { return nil }
    let second = take(":") ? number(2) : 0
    guard let second, let milliseconds = fraction() else { return nil }
    if rest.isEmpty { throw Fault("“\(text)” has no zone; end it with Z for UTC or with an offset such as +01:00.") }
    guard let offsetMinutes = offset(), rest.isEmpty else { return nil }
    guard let date = CivilDate(year: year, month: month, day: day) else {
      throw Fault("“\(text)” names a day that the calendar does not have.")
    }
    guard hour < 24, minute < 60, second < 60 else {
      throw Fault("“\(text)” names a time that no day has; times go from 00:00:00 to 23:59:59, without leap seconds.")
    }
    let secondsOfDay = hour * 3600 + minute * 60 + second
    let local = date.utcStart.milliseconds + Int64(secondsOfDay * 1000 + milliseconds)
    guard let instant = Instant(milliseconds: local).adding(milliseconds: Int64(-offsetMinutes * 60_000)) else {
      throw Fault("“\(text)” lies outside the years 0001 to 9999 of UTC.")
    }
    return instant
  }

  private mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+"), let hours = number(2), hours < 24 else { return nil }
    var minutes = 0
    if !rest.isEmpty {
      _ = take(":")
      guard let read = number(2), read < 60 else { return nil }
      minutes = read
    }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  private mutating func fraction() -> Int? {
    guard take(".") else { return 0 }
    var milliseconds = 0
    var scale = 100
    var isEmpty = true
    while let digit = digit() {
      milliseconds += digit * scale
      scale /= 10
      isEmpty = false
    }
    return isEmpty ? nil : milliseconds
  }

  private mutating func number(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  private mutating func digit() -> Int? {
    guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
    rest.removeFirst()
    return Int(byte - UInt8(ascii: "0"))
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let byte = rest.first, UInt32(byte) == character.value else { return false }
    rest.removeFirst()
    return true
  }
}
