// Reads what was published about players: the stream of a game's events, and one player's own.
public import GameConfCore
public import GameConfStorage

/// Reads a game's stream, slice by slice.
public struct ReadEventStream: Sendable {
  private let store: any Store

  /// A use case on a store.
  package init(store: any Store) { self.store = store }

  /// The numbers at which a stream may begin.
  public struct Edges: Sendable, Hashable {
    /// The number of the newest line that is kept no longer.
    public var tail: Int64
    /// The number after which lines from an instant on stand; nil when none was asked for.
    public var since: Int64?
  }

  /// The numbers at which the stream may begin.
  /// - Parameter since: an instant whose place is wanted too.
  public func edges(since: Instant? = nil) async throws(StoreError) -> Edges {
    try await store.read(deadlineMilliseconds: StreamLimits.deadlineMilliseconds) { view in
      let tail = try view.streamTail()
      return Edges(tail: tail, since: try since.map { max(tail, try view.lastLine(before: $0)) })
    }
  }

  /// The lines after one, as many as are read at once.
  public func slice(of game: String, after: Int64) async throws(StoreError) -> StreamSlice {
    try await store.read(deadlineMilliseconds: StreamLimits.deadlineMilliseconds) { view in try view.stream(of: game, after: after) }
  }
}

/// In which order a player's events are listed.
public enum EventOrder: Sendable, Hashable {
  /// The newest first.
  case newest
  /// The highest score first, of equal ones the newest; without those that carried none.
  case score
}

extension PlayerService {
  private static let eventsDeadlineMilliseconds = 2_000

  /// Lists the events of a player: those that the catalog keeps for the player now, and of events that it does not keep apart those among the newest
  /// ``PlayerLimits/historyEntriesMax`` lines.
  /// - Parameters:
  ///   - event: only those of that name.
  ///   - host: the host's time, at which parameters say how many are kept.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.store`.
  public func events(
    of id: PlayerID, named event: String?, order: EventOrder, limit: Int, host: Instant
  ) async throws(ChangeRefusal) -> [HistoryEntry] {
    let terms = try await view(id, host: host).terms
    let all: [HistoryEntry]
    do throws(StoreError) {
      all = try await store.read(deadlineMilliseconds: Self.eventsDeadlineMilliseconds) { view in
        // Lines of older versions are not linked by event; what was recorded since stands in both.
        let newest = try view.history(of: id, before: nil, limit: PlayerLimits.historyEntriesMax)
        let linked = try view.events(named: event, of: id, limit: order == .newest ? limit : Int(EventDefinition.historyMax))
        var known = Set(linked.map(\.number))
        return (linked + newest.filter { known.insert($0.number).inserted }).sorted { $0.number > $1.number }
      }
    } catch { throw .store(error) }
    var counts: [String: Int64] = [:]
    var events = all.filter { entry in
      guard let name = entry.event, event == nil || event == name else { return false }
      counts[name, default: 0] += 1
      return terms.historyKept(of: name).map { counts[name, default: 0] <= $0 } ?? true
    }
    if order == .score {
      let scored = events.compactMap { entry in entry.details["score"]?.integerValue.map { (entry, $0) } }
      events = scored.sorted { ($0.1, $0.0.number) > ($1.1, $1.0.number) }.map(\.0)
    }
    return Array(events.prefix(limit))
  }
}
