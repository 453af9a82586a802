// A request's path, cut into its segments and percent-decoded.

internal import GameConfCore

/// The segments of a path, decoded; one without escapes, as nearly all are, stays where the head holds it.
struct PathSegments {
  private let bytes: [UInt8]
  private let ranges: [Range<Int>]

  /// The segments behind the first slash of the path that stands in these bytes.
  init(of path: Range<Int>, in bytes: [UInt8]) throws(ServerFault) {
    let ranges = Self.ranges(of: path, in: bytes)
    // What the parser lets into a target is ASCII, so that only an escape can spell anything that is not UTF-8.
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

  /// The text of a segment.
  subscript(position: Int) -> String { String(decoding: bytes[ranges[position]], as: UTF8.self) }

  /// The text of a segment without so many bytes at its end.
  func text(at position: Int, withoutLast count: Int) -> String { String(decoding: bytes[ranges[position]].dropLast(count), as: UTF8.self) }

  /// The text of all segments from one on, with the slashes between them.
  func rest(from position: Int) -> String { (position..<count).map { self[$0] }.joined(separator: "/") }

  func isEmpty(_ position: Int) -> Bool { ranges[position].isEmpty }

  /// True if a segment is this text.
  func `is`(_ position: Int, _ text: [UInt8]) -> Bool {
    ranges[position].count == text.count && bytes[ranges[position]].elementsEqual(text)
  }

  /// True if a segment is something with this text behind it.
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

  /// Room for as many segments as the longest of the contract's paths has.
  private static let segmentsUsual = 8
}
