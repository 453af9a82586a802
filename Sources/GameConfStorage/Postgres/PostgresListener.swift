// Polls for changes by other daemons twice a second, and reads them immediately when one is announced.
import Glibc

/// A thread that polls the versions (stamps) of the games' shared state, the audit log's last id and the watched players, over its own
/// connection.
final class PostgresListener: Sendable {
  /// The interval of the polls in milliseconds, and so the longest delay of another daemon's change whose announcement is lost.
  static let lookMilliseconds: Int32 = 500
  /// The number of polls after which the table of hosts is read and updated.
  private static let looksOfHosts = 10

  struct ListenerCallbacks: Sendable {
    /// Returns the id of the served fleet; nil before the first connection.
    var fleet: @Sendable () -> String?
    /// Called at each poll, and at each attempt to connect.
    var onPoll: @Sendable () -> Void
    /// Called when a game's stamp, the version of its state, has changed, possibly by this daemon itself.
    var onChange: @Sendable () -> Void
    /// Called with the audit log's last id when it has changed, possibly by this daemon itself. It also shows changes of players, which
    /// change no game's stamp.
    var onLines: @Sendable (Int64) -> Void
    /// Called with watched players whose rows have changed.
    var onPlayers: @Sendable ([PlayerID]) -> Void
    /// Called when the connection failed.
    var onFailure: @Sendable (DatabaseFailure) -> Void
    /// Called when the thread has no connection, and when it has one again.
    var onConnection: @Sendable (ObserverThread, DatabaseFailure?) -> Void
  }

  private let settings: PostgresSettings
  private let fleet: FleetStatus
  private let guarded = Monitor((isStopped: false, hasStopped: false))
  private let calls: ListenerCallbacks

  private static let lastLine = PostgresCommand(
    "SELECT number FROM numbers WHERE name = $1", [.text(PostgresGrammar.lastNumberName(PostgresGrammar.audit))])

  init(_ settings: PostgresSettings, _ fleet: FleetStatus, _ calls: ListenerCallbacks) {
    self.settings = settings
    self.fleet = fleet
    self.calls = calls
    let isStarted = WorkerThread.start { [weak self] in
      while let listener = self, listener.follow() {}
    }
    if !isStarted { guarded.change { $0.hasStopped = true } }
  }

  /// Ends the thread and waits for its end.
  func stop() {
    guarded.change { $0.isStopped = true }
    guarded.wait { $0.hasStopped ? () : nil }
  }

  /// Records that a host of this fleet has announced a change. Former versions send no fleet.
  private func noteAnnouncements(_ connection: PostgresConnection) throws(DatabaseFailure) {
    let served = calls.fleet()
    if try connection.announcements().contains(where: { $0.isEmpty || $0 == served }) { fleet.noteAnnouncement() }
  }

  private var isStopped: Bool { guarded.change { $0.isStopped } }

  /// Serves one connection until it fails or the listener stops.
  /// - Returns: True if the thread must connect again.
  private func follow() -> Bool {
    do throws(DatabaseFailure) {
      let connection = try PostgresConnection(settings, for: .following)
      defer { connection.close() }
      connection.patienceMilliseconds = settings.patienceMilliseconds
      try PostgresSchema.admit(calls.fleet(), connection)
      if settings.listens { _ = try connection.round([PostgresCommand("LISTEN \(PostgresSession.channel)")]) }
      var known: [String: GameStateVersion]?
      var lastLine: Int64?
      var players = WatchedRevisions()
      var looks = 0
      while !isStopped {
        calls.onPoll()
        let answers = try fleet.timed(connection, [PostgresSession.stampsQuery, Self.lastLine])
        guard answers.count == 2 else { throw DatabaseFailure(.failed, "the database does not report changes") }
        let stamps = PostgresSession.stamps(answers[0])
        if known != stamps { calls.onChange() }
        known = stamps
        let newest = answers[1].integer(0, 0) ?? 0
        if lastLine != newest { calls.onLines(newest) }
        lastLine = newest
        let changed = try players.changed(over: connection, watched: fleet.watchedPlayers)
        if !changed.isEmpty { calls.onPlayers(changed) }
        // The server can be read while its disk is full; only this host's row is not updated.
        if looks % Self.looksOfHosts == 0 {
          do throws(DatabaseFailure) { try fleet.look(connection) } catch  where error.kind == .noSpace {}
        }
        looks += 1
        calls.onConnection(.listener, nil)
        try noteAnnouncements(connection)
        var polled = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&polled, 1, Self.lookMilliseconds) > 0 { try noteAnnouncements(connection) }
      }
      try fleet.leave(connection)
    } catch {
      calls.onPoll()
      calls.onConnection(.listener, error)
      calls.onFailure(error)
      _ = guarded.wait(milliseconds: .random(in: 500...1_500)) { $0.isStopped ? () : nil }
    }
    guard isStopped else { return true }
    guarded.change { $0.hasStopped = true }
    return false
  }
}

/// The last seen revisions of the players that are watched on this host.
struct WatchedRevisions {
  /// The possible sizes of a query, as counts of players. A query for fewer players is padded to the next size, so that only three
  /// statements are prepared.
  private static let sizes = [1, 16, 256]

  private var seen: [PlayerID: Int64] = [:]

  /// Returns the players whose rows have changed since they were last seen, and those never seen before. The latter count as changed,
  /// because this host may have read their rows before a change that it was not notified of.
  mutating func changed(over connection: PostgresConnection, watched: [PlayerID]) throws(DatabaseFailure) -> [PlayerID] {
    if watched.isEmpty {
      seen = [:]
      return []
    }
    var found: [PlayerID: Int64] = [:]
    var rest = watched[...]
    var commands: [PostgresCommand] = []
    while let last = rest.last {
      let size = Self.sizes.first { $0 >= rest.count } ?? Self.sizes[Self.sizes.count - 1]
      var part = Array(rest.prefix(size))
      part += Array(repeating: last, count: size - part.count)
      let pairs = (0..<size).map { "($\($0 * 2 + 1), $\($0 * 2 + 2))" }.joined(separator: ", ")
      commands.append(
        PostgresCommand(
          "SELECT game, player, revision FROM players WHERE (game, player) IN (\(pairs))",
          part.flatMap { [.text($0.game), .text($0.player)] }))
      rest = rest.dropFirst(size)
    }
    for row in try connection.round(commands).flatMap({ answer in answer.rows.map(Row.init) }) {
      guard let game = row.optionalText(0), let player = row.optionalText(1), let revision = row.optionalInteger(2) else { continue }
      found[PlayerID(game: game, player: player)] = revision
    }
    let changed = watched.filter { seen[$0] != found[$0, default: 0] }
    seen = [:]
    for id in watched { seen[id] = found[id, default: 0] }
    return changed
  }
}
