// Looks for what other daemons change: twice a second, and immediately when one announces it.
import Glibc

/// A thread that looks at the stamps of games, the audit log's last id, and players that are watched here, over a connection of its own.
final class PostgresListener: Sendable {
  /// The longest time that a change of another daemon may go unseen where its announcement is lost.
  static let lookMilliseconds: Int32 = 500
  /// The number of looks that lie between two at the other hosts.
  private static let looksOfHosts = 10

  /// The closures that it calls.
  struct Calls: Sendable {
    /// Returns the id of the fleet that is served; nil before the first.
    var fleet: @Sendable () -> String?
    /// At each look, and each time that the database is looked for.
    var looks: @Sendable () -> Void
    /// A stamp has changed, also by this daemon itself.
    var finds: @Sendable () -> Void
    /// The audit log reaches up to this id, perhaps by this daemon itself: what is done to players raises no stamp.
    var findsLines: @Sendable (Int64) -> Void
    /// These players are others than is known here.
    var findsPlayers: @Sendable ([PlayerID]) -> Void
    /// The connection failed.
    var meets: @Sendable (DatabaseFailure) -> Void
    /// There is none, or one again.
    var lacks: @Sendable (PostgresObserver, DatabaseFailure?) -> Void
  }

  private let settings: PostgresSettings
  private let fleet: FleetStatus
  private let guarded = Monitor((isStopped: false, hasStopped: false))
  private let calls: Calls

  private static let lastLine = PostgresCommand(
    "SELECT number FROM numbers WHERE name = $1", [.text(PostgresGrammar.lastNumberName(PostgresGrammar.audit))])

  init(_ settings: PostgresSettings, _ fleet: FleetStatus, _ calls: Calls) {
    self.settings = settings
    self.fleet = fleet
    self.calls = calls
    let isStarted = WorkerThread.start { [weak self] in
      while let listener = self, listener.follow() {}
    }
    if !isStarted { guarded.change { $0.hasStopped = true } }
  }

  /// Ends the thread.
  func stop() {
    guarded.change { $0.isStopped = true }
    guarded.wait { $0.hasStopped ? () : nil }
  }

  private var isStopped: Bool { guarded.change { $0.isStopped } }

  /// One connection's life.
  /// - Returns: whether another is to follow.
  private func follow() -> Bool {
    do throws(DatabaseFailure) {
      let connection = try PostgresConnection(settings, for: .following)
      defer { connection.close() }
      connection.patienceMilliseconds = settings.patienceMilliseconds
      try PostgresSchema.admit(calls.fleet(), connection)
      if settings.listens { _ = try connection.round([PostgresCommand("LISTEN \(PostgresSession.channel)")]) }
      var known: [String: GameStamp]?
      var lastLine: Int64?
      var players = WatchedRevisions()
      var looks = 0
      while !isStopped {
        calls.looks()
        let answers = try fleet.timed(connection, [PostgresSession.stampsQuery, Self.lastLine])
        guard answers.count == 2 else { throw DatabaseFailure(.failed, "the database does not report changes") }
        let stamps = PostgresSession.stamps(answers[0])
        if known != stamps { calls.finds() }
        known = stamps
        let newest = answers[1].integer(0, 0) ?? 0
        if lastLine != newest { calls.findsLines(newest) }
        lastLine = newest
        let changed = try players.changed(over: connection, watched: fleet.watchedPlayers)
        if !changed.isEmpty { calls.findsPlayers(changed) }
        // A server whose disk is full is still read: only this host's row says that it was not there.
        if looks % Self.looksOfHosts == 0 {
          do throws(DatabaseFailure) { try fleet.look(connection) } catch  where error.kind == .noSpace {}
        }
        looks += 1
        calls.lacks(.listener, nil)
        if try !connection.announcements().isEmpty { fleet.noteAnnouncement() }
        var polled = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&polled, 1, Self.lookMilliseconds) > 0, try !connection.announcements().isEmpty { fleet.noteAnnouncement() }
      }
      try fleet.leave(connection)
    } catch {
      calls.looks()
      calls.lacks(.listener, error)
      calls.meets(error)
      _ = guarded.wait(milliseconds: .random(in: 500...1_500)) { $0.isStopped ? () : nil }
    }
    guard isStopped else { return true }
    guarded.change { $0.hasStopped = true }
    return false
  }
}

/// The revisions of players that are watched here, as they were seen last.
struct WatchedRevisions {
  /// The number of players that one statement asks for; fewer are asked for in one that has room for as many.
  private static let sizes = [1, 16, 256]

  private var seen: [PlayerID: Int64] = [:]

  /// The players whose row is another than was seen last; one that was never seen is among them. Whoever wrote it, those that watch are notified:
  /// what is in memory here may have been read since, and nobody was notified of it.
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
