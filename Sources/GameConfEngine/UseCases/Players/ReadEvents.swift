// Reads what was told of players: the stream of a game's events, and one player's own.
public import GameConfCore

/// Reads a game's stream, slice by slice.
public struct ReadEventStream: Sendable {
  private let store: any Store

  /// A use case on a store.
  public init(store: any Store) { self.store = store }

  /// Where a stream may begin.
  public struct Edges: Sendable, Hashable {
    /// The number of the newest line that is kept no longer.
    public var tail: Int64
    /// The number after which lines from an instant on stand; nil when none was asked for.
    public var since: Int64?
  }

  /// Where the stream may begin.
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

/// Lists the events in a player's history.
public struct ReadPlayerEvents: Sendable {
  private let desk: PlayerDesk

  /// A use case on a desk.
  public init(_ desk: PlayerDesk) { self.desk = desk }

  /// Those among the newest ``PlayerLimits/historyEntriesMax`` lines.
  /// - Parameter event: only those of that name.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.store`.
  public func callAsFunction(
    _ id: PlayerID, event: String?, order: EventOrder, limit: Int
  ) async throws(PlayerRefusal) -> [HistoryEntry] {
    let all = try await ReadPlayer(desk).history(of: id, limit: PlayerLimits.historyEntriesMax)
    var events = all.filter { entry in
      entry.kind == .event && event.map { entry.details["event"]?.stringValue == $0 } ?? true
    }
    if order == .score {
      let scored = events.compactMap { entry in entry.details["score"]?.integerValue.map { (entry, $0) } }
      events = scored.sorted { ($0.1, $0.0.number) > ($1.1, $1.0.number) }.map(\.0)
    }
    return Array(events.prefix(limit))
  }
}
