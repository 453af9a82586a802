// A ring buffer of text lines with a fixed size in bytes. In a full buffer, new lines overwrite the oldest.

/// A ring buffer of text lines, each with its time. A full buffer drops its oldest lines and counts them.
struct LineRing {
  /// A line that was removed from the ring buffer.
  struct Line: Sendable {
    let microseconds: Int64
    let bytes: [UInt8]
  }

  private static let headBytes = 12

  private var buffer: [UInt8]
  private var first = 0
  private var used = 0
  /// The number of lines in the ring buffer.
  private(set) var count = 0
  /// The number of dropped lines since the last call of ``take(bytesMax:)``.
  private var leftOut: Int64 = 0

  /// Creates an empty ring.
  /// - Parameter bytesMax: The size of the buffer. Each line takes 12 bytes more than its text, for its time and its length.
  init(bytesMax: Int) { buffer = [UInt8](repeating: 0, count: bytesMax) }

  /// The number of bytes in use, including the 12 bytes before each line.
  var bytes: Int { used }

  /// Appends a line, and drops the oldest lines if there is not enough space. A line that is longer than the whole buffer is dropped
  /// itself.
  mutating func append(_ line: [UInt8], at microseconds: Int64) {
    let needed = Self.headBytes + line.count
    guard needed <= buffer.count else {
      leftOut += 1
      return
    }
    while buffer.count - used < needed { removeFirst() }
    var end = (first + used) % buffer.count
    put(UInt64(bitPattern: microseconds), bytes: 8, at: &end)
    put(UInt64(line.count), bytes: 4, at: &end)
    let straight = min(line.count, buffer.count - end)
    buffer.replaceSubrange(end..<(end + straight), with: line[..<straight])
    if straight < line.count { buffer.replaceSubrange(0..<(line.count - straight), with: line[straight...]) }
    used += needed
    count += 1
  }

  /// Removes lines, the oldest first, and returns them with the number of lines that were dropped before them.
  /// - Parameter bytesMax: The maximum number of bytes to return. The first line is returned even if it is longer.
  mutating func take(bytesMax: Int) -> (lines: [Line], leftOut: Int64) {
    var lines: [Line] = []
    var taken = 0
    while used > 0 {
      let length = lengthOfFirst
      if taken > 0, taken + length > bytesMax { break }
      var at = first
      let microseconds = Int64(bitPattern: number(bytes: 8, at: &at))
      at = (at + 4) % buffer.count
      let straight = min(length, buffer.count - at)
      var bytes = Array(buffer[at..<(at + straight)])
      if straight < length { bytes += buffer[..<(length - straight)] }
      lines.append(Line(microseconds: microseconds, bytes: bytes))
      taken += length
      drop(length)
    }
    defer { leftOut = 0 }
    return (lines, leftOut)
  }

  /// Removes all lines, overwrites their bytes with zeros, and counts them as dropped.
  mutating func clear() {
    leftOut += Int64(count)
    (first, used, count) = (0, 0, 0)
    for at in buffer.indices { buffer[at] = 0 }
  }

  private mutating func removeFirst() {
    drop(lengthOfFirst)
    leftOut += 1
  }

  private var lengthOfFirst: Int {
    var at = (first + 8) % buffer.count
    return Int(number(bytes: 4, at: &at))
  }

  private mutating func drop(_ length: Int) {
    first = (first + Self.headBytes + length) % buffer.count
    used -= Self.headBytes + length
    count -= 1
  }

  private mutating func put(_ number: UInt64, bytes: Int, at place: inout Int) {
    for byte in 0..<bytes {
      buffer[place] = UInt8(truncatingIfNeeded: number >> UInt64(8 * byte))
      place = place + 1 == buffer.count ? 0 : place + 1
    }
  }

  private func number(bytes: Int, at place: inout Int) -> UInt64 {
    var number: UInt64 = 0
    for byte in 0..<bytes {
      number |= UInt64(buffer[place]) << UInt64(8 * byte)
      place = place + 1 == buffer.count ? 0 : place + 1
    }
    return number
  }
}
