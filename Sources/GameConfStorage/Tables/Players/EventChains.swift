// The linked lists of a player's history lines, one for each event.
public import GameConfCore

/// The heads of the linked lists of a player's history lines, one list per event.
///
/// Each line of an event has the number of the event's previous line, so an event keeps its lines however many other lines follow them.
/// The heads are a column of the player's row, which every event writes anyway.
public struct EventChains: Sendable, Hashable {
  /// The linked list of one event's lines.
  public struct Chain: Sendable, Hashable {
    /// The event's name.
    public var event: String
    /// The number of the newest line: the list's head.
    public var head: Int64
    /// The number of lines ever written for the event.
    public var count: Int64
    /// The number of lines to retain, from the catalog at the time of the newest line.
    public var retained: Int64

    /// Creates the linked list of an event whose newest line is `head`.
    public init(event: String, head: Int64, count: Int64, retained: Int64) {
      self.event = event
      self.head = head
      self.count = count
      self.retained = retained
    }

    /// True if the event's nth line is among its newest ``retained`` lines.
    public func keeps(_ nth: Int64) -> Bool { nth <= count && count - nth < retained }
  }

  private static let formatVersion: UInt8 = 1
  /// The linked lists, in the order of each event's first line.
  public private(set) var chains: [Chain] = []

  /// Creates a value without linked lists.
  public init() {}

  /// Returns the linked list of an event; nil if the event has no linked line.
  public subscript(event: String) -> Chain? { chains.first { ByteText.areSame($0.event, event) } }

  /// Prepends a history line to its event's linked list. Beyond ``PlayerLimits/eventChainsMax`` lists, the one with the oldest head is
  /// removed.
  /// - Returns: the changed linked list.
  @discardableResult
  public mutating func add(_ head: Int64, of event: String, retained: Int64) -> Chain {
    if let at = chains.firstIndex(where: { ByteText.areSame($0.event, event) }) {
      chains[at].head = head
      chains[at].count += 1
      chains[at].retained = retained
      return chains[at]
    }
    if chains.count >= PlayerLimits.eventChainsMax, let oldest = chains.indices.min(by: { chains[$0].head < chains[$1].head }) {
      chains.remove(at: oldest)
    }
    let chain = Chain(event: event, head: head, count: 1, retained: retained)
    chains.append(chain)
    return chain
  }

  /// Replaces the head of each linked list by the closure's result, and removes a list whose result is nil.
  public mutating func replaceHeads<Failure: Error>(_ replaced: (Int64) throws(Failure) -> Int64?) throws(Failure) {
    var left: [Chain] = []
    for var chain in chains {
      guard let head = try replaced(chain.head) else { continue }
      chain.head = head
      left.append(chain)
    }
    chains = left
  }
}

extension EventChains {
  /// The linked lists in serialized form; empty if there are no lists.
  public var bytes: [UInt8] {
    if chains.isEmpty { return [] }
    var bytes = [Self.formatVersion]
    bytes.reserveCapacity(bytesCount)
    for chain in chains {
      bytes.append(UInt8(truncatingIfNeeded: chain.event.utf8.count))
      bytes += chain.event.utf8
      for number in [chain.head, chain.count, chain.retained] {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> Int64(shift))) }
      }
    }
    return bytes
  }

  /// The length of ``bytes``, computed without encoding them.
  public var bytesCount: Int { chains.isEmpty ? 0 : chains.reduce(1) { $0 + 25 + $1.event.utf8.count } }

  /// Parses linked lists from the form of ``bytes``.
  /// - Throws: ``Fault`` if the bytes are truncated or of a later version.
  public init(bytes: some Sequence<UInt8>) throws(Fault) {
    var rest = Array(bytes)[...]
    guard let version = rest.popFirst() else { return }
    guard version == Self.formatVersion else {
      throw Fault(
        "The chains of a player's events are of format \(version); this version reads \(Self.formatVersion).")
    }
    while let length = rest.popFirst() {
      guard length > 0, rest.count >= Int(length) + 24, chains.count < PlayerLimits.eventChainsMax,
        let event = String(validating: rest.prefix(Int(length)), as: UTF8.self)
      else { throw Fault("The chains of a player's events have another form than expected.") }
      rest.removeFirst(Int(length))
      var numbers: [Int64] = []
      for _ in 0..<3 {
        numbers.append(rest.prefix(8).reduce(0) { $0 << 8 | Int64($1) })
        rest.removeFirst(8)
      }
      guard numbers.allSatisfy(Value.counts.contains) else {
        throw Fault("The chains of a player's events have numbers that are far out of range.")
      }
      chains.append(Chain(event: event, head: numbers[0], count: numbers[1], retained: numbers[2]))
    }
  }
}
