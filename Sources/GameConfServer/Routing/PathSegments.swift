// Splits a request's path into percent-decoded segments.

internal import GameConfCore

/// The percent-decoded segments of a request's path. A path without percent-encoding, as most are, is not copied.
struct PathSegments {
  private let bytes: [UInt8]
  private let ranges: [Range<Int>]

  init(of path: Range<Int>, in bytes: [UInt8]) throws(ServerFault) {
    let ranges = Self.ranges(of: path, in: bytes)
    // The parser admits only ASCII in a request target, so only percent-encoding can produce invalid UTF-8.
    if !bytes[path].contains(UInt8(ascii: "%")) {
      self.bytes = bytes
      self.ranges = ranges
      return
    }
    var decoded: [UInt8] = []
    var decodedRanges: [Range<Int>] = []
    for range in ranges {
      guard let segment = PercentEncoding.decode(bytes[range]) else {
        throw ServerFault(
          .malformedPath,
          "The path's segment \(decodedRanges.count + 1) is not percent-encoded UTF-8: write each byte that needs it as % and two hexadecimal digits."
        )
      }
      let start = decoded.count
      decoded += segment.utf8
      decodedRanges.append(start..<decoded.count)
    }
    self.bytes = decoded
    self.ranges = decodedRanges
  }

  var count: Int { ranges.count }

  subscript(position: Int) -> String { String(decoding: bytes[ranges[position]], as: UTF8.self) }

  func text(at position: Int, withoutLast count: Int) -> String { String(decoding: bytes[ranges[position]].dropLast(count), as: UTF8.self) }

  /// Returns the text of all segments from a position on, joined with slashes.
  func rest(from position: Int) -> String { (position..<count).map { self[$0] }.joined(separator: "/") }

  func isEmpty(_ position: Int) -> Bool { ranges[position].isEmpty }

  /// True if the segment at a position equals a text, given in UTF-8.
  func `is`(_ position: Int, _ text: [UInt8]) -> Bool {
    ranges[position].count == text.count && bytes[ranges[position]].elementsEqual(text)
  }

  /// True if the segment at a position ends with a text, given in UTF-8, and is longer than it.
  func `is`(_ position: Int, endingIn text: [UInt8]) -> Bool {
    ranges[position].count > text.count && bytes[ranges[position]].suffix(text.count).elementsEqual(text)
  }

  private static func ranges(of path: Range<Int>, in bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(segmentsUsual)
    var start = path.lowerBound + 1
    for at in path.dropFirst() where bytes[at] == UInt8(ascii: "/") {
      ranges.append(start..<at)
      start = at + 1
    }
    ranges.append(start..<max(start, path.upperBound))
    return ranges
  }

  /// The initial capacity of the array of segments, which fits the longest path of the daemon's HTTP calls.
  private static let segmentsUsual = 8
}
