// The JSON members of a game's values that are the same for every caller, encoded before a request.

/// The encoded `"key":value` of each key whose value is the same for every caller. Neighbouring members are joined with commas, so that one
/// copy appends all of them.
struct ReadyMembers: Sendable {
  enum MemberRun: Sendable, Hashable {
    /// A range of ``bytes`` with one member, or with several that are joined with commas.
    case ready(Range<Int>)
    /// The position in the catalog of a key whose value must be evaluated for each caller.
    case open(Int)
  }

  let bytes: [UInt8]
  /// The runs of members in the catalog's order, which together make up an answer with all values.
  let parts: [MemberRun]
  private let ranges: [Range<Int>?]

  /// Creates the runs from the encoded members by position in the catalog. A member is nil if the key's value depends on the caller.
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

  /// The encoded member of the key at this position; nil if its value depends on the caller.
  subscript(position: Int) -> ArraySlice<UInt8>? { ranges[position].map { bytes[$0] } }

  /// Returns a copy in which the members at these positions are replaced.
  func replacing(_ members: [Int: [UInt8]?]) -> ReadyMembers {
    if members.isEmpty { return self }
    return ReadyMembers(ranges.indices.map { at in members[at].map { $0?[...] } ?? self[at] })
  }
}
