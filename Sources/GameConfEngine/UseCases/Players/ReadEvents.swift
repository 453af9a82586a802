// Reads recorded events: the stream of a game, and the events of one player.
public import GameConfCore
public import GameConfStorage

/// The use case that reads a game's event stream, a limited number of lines at a time.
public struct ReadEventStream: Sendable {
  private let store: any Store

  /// Creates the use case for a store, which may have lines of several games.
  package init(store: any Store) { self.store = store }

  /// The range of line numbers in which an event stream can be read.
  public struct EventStreamRange: Sendable, Hashable {
    /// The number of the newest line that is no longer retained.
    public var tail: Int64
    /// The number after which the lines since a given instant begin; nil without a given instant.
    public var since: Int64?
  }

  /// Returns the range of line numbers in which the stream can be read.
  /// - Parameter since: An instant; the number of the last line before it is returned too.
  public func edges(since: Instant? = nil) async throws(StoreError) -> EventStreamRange {
    try await store.read(deadlineMilliseconds: StreamLimits.deadlineMilliseconds) { view in
      let tail = try view.streamTail()
      return EventStreamRange(tail: tail, since: try since.map { max(tail, try view.lastLine(before: $0)) })
    }
  }

  /// Returns a limited number of lines of a game's event stream, beginning after a line number.
  public func slice(of game: String, after: Int64) async throws(StoreError) -> StreamSlice {
    try await store.read(deadlineMilliseconds: StreamLimits.deadlineMilliseconds) { view in try view.stream(of: game, after: after) }
  }
}

/// The order in which a player's events are listed.
public enum EventOrder: Sendable, Hashable {
  /// By instant, newest first.
  case newest
  /// By score, highest first, and for equal scores newest first; events without a score are left out.
  case score
}

extension PlayerService {
  private static let eventsDeadlineMilliseconds = 2_000

  /// Lists a player's events. If the catalog limits how many lines of an event are retained, the list has at most that number of them.
  /// Events without such a limit are listed from the player's newest ``PlayerLimits/historyEntriesMax`` lines.
  /// - Parameters:
  ///   - event: Only events with this name.
  ///   - host: The host's time, at which the parameters for the retention are resolved.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.store`.
  public func events(
    of id: PlayerID, named event: String?, order: EventOrder, limit: Int, host: Instant
  ) async throws(ChangeRefusal) -> [HistoryEntry] {
    let terms = try await view(id, host: host).terms
    let all: [HistoryEntry]
    do throws(StoreError) {
      all = try await store.read(deadlineMilliseconds: Self.eventsDeadlineMilliseconds) { view in
        // Lines that older versions wrote are not linked by event, so the newest lines are searched too. A line may be in both lists.
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
      return terms.linesMax(of: name).map { counts[name, default: 0] <= $0 } ?? true
    }
    if order == .score {
      let scored = events.compactMap { entry in entry.details["score"]?.integerValue.map { (entry, $0) } }
      events = scored.sorted { ($0.1, $0.0.number) > ($1.1, $1.0.number) }.map(\.0)
    }
    return Array(events.prefix(limit))
  }
}
