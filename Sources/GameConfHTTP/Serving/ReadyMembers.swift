// The parts of a game's whole config that are the same for everyone, joined as far as nothing comes between them.

/// Each key's `"key":value` where it is the same for everyone, with commas between neighbours, so that a run of them is copied at once.
struct ReadyMembers: Sendable {
  enum Part: Sendable, Hashable {
    /// Bytes of ``bytes``: one member or several, joined by commas.
    case ready(Range<Int>)
    /// The key at this position must be resolved.
    case open(Int)
  }

  let bytes: [UInt8]
  /// The whole config, in the catalog's order.
  let parts: [Part]
  private let ranges: [Range<Int>?]

  /// The members by position; nil where callers may differ.
  init(_ members: [[UInt8]?]) { self.init(members.map { $0?[...] }) }

  private init(_ members: [ArraySlice<UInt8>?]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(members.reduce(0) { $0 + ($1?.count ?? -1) + 1 })
    var ranges: [Range<Int>?] = []
    var parts: [Part] = []
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

  /// The member of one key.
  subscript(position: Int) -> ArraySlice<UInt8>? { ranges[position].map { bytes[$0] } }

  /// The same with other members at these positions.
  func replacing(_ members: [Int: [UInt8]?]) -> ReadyMembers {
    if members.isEmpty { return self }
    return ReadyMembers(ranges.indices.map { at in members[at].map { $0?[...] } ?? self[at] })
  }
}
