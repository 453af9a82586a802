// The encoded members of a game's config that are the same for every caller.

/// Each key's `"key":value` if it is the same for every caller. Neighbours are joined with commas, so that a run of members is one copy.
struct ReadyMembers: Sendable {
  enum MemberRun: Sendable, Hashable {
    /// A range of ``bytes``: one member, or several joined with commas.
    case ready(Range<Int>)
    /// The position of a key that must be evaluated for each caller.
    case open(Int)
  }

  let bytes: [UInt8]
  /// The parts of the whole config, in the catalog's order.
  let parts: [MemberRun]
  private let ranges: [Range<Int>?]

  /// Creates the parts from the members by position; nil for a key that depends on the caller.
  init(_ members: [[UInt8]?]) { self.init(members.map { $0?[...] }) }

  private init(_ members: [ArraySlice<UInt8>?]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(members.reduce(0) { $0 + ($1?.count ?? -1) + 1 })
    var ranges: [Range<Int>?] = []
    var parts: [MemberRun] = []
    for (at, member) in members.enumerated() {
      guard let member else {
        ranges.append(nil)
        parts.append(.open(at))
        continue
      }
      var start: Int?
      if case .ready(let run)? = parts.last {
        start = run.lowerBound
        bytes.append(UInt8(ascii: ","))
        parts.removeLast()
      }
      let range = bytes.count..<(bytes.count + member.count)
      bytes += member
      ranges.append(range)
      parts.append(.ready((start ?? range.lowerBound)..<range.upperBound))
    }
    self.bytes = bytes
    self.ranges = ranges
    self.parts = parts
  }

  /// The encoded member of a key; nil if it depends on the caller.
  subscript(position: Int) -> ArraySlice<UInt8>? { ranges[position].map { bytes[$0] } }

  /// Returns the parts with the members at these positions replaced.
  func replacing(_ members: [Int: [UInt8]?]) -> ReadyMembers {
    if members.isEmpty { return self }
    return ReadyMembers(ranges.indices.map { at in members[at].map { $0?[...] } ?? self[at] })
  }
}
