// The status of the fleet: its time, its hosts, and the players watched on this host.
import GameConfCore
import Synchronization

/// The status of this host in the fleet: the listener's thread writes it, any thread reads it.
final class FleetStatus: Sendable {
  /// The time for which a host that no longer reports is listed: a day.
  private static let hostsAgeMilliseconds: Int64 = 86_400_000
  private static let time = PostgresCommand("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT")

  private let clock: FleetClock
  private let writer: String
  private let release: String
  private let fleet: Mutex<StoreFleet>
  private let players = Mutex<(@Sendable () -> [PlayerID])?>(nil)

  /// - Parameters:
  ///   - clock: The clock to set to the fleet's time.
  ///   - writer: This daemon's name in the table `writers`.
  init(_ settings: PostgresSettings, clock: FleetClock, writer: String, release: String) {
    self.clock = clock
    self.writer = writer
    self.release = release
    fleet = Mutex(StoreFleet(schema: settings.schema))
  }

  /// The players that clients of this host watch.
  var watchedPlayers: [PlayerID] { players.withLock { $0 }?() ?? [] }

  func follow(_ watched: @escaping @Sendable () -> [PlayerID]) { players.withLock { $0 = watched } }

  /// Sends statements together with a query of the server's time, and sets the fleet's clock.
  /// - Returns: The results of the statements.
  @discardableResult
  func timed(_ connection: PostgresConnection, _ commands: [PostgresCommand] = []) throws(DatabaseFailure) -> [PostgresResult] {
    let sent = clock.uptimeMilliseconds
    let answers = try connection.round([Self.time] + commands)
    let answered = clock.uptimeMilliseconds
    if let reported = answers.first?.integer(0, 0) { clock.learn(Instant(milliseconds: reported), sentAt: sent, answeredAt: answered) }
    fleet.withLock { $0.lookMilliseconds = answered - sent }
    return Array(answers.dropFirst())
  }

  func noteAnnouncement() { fleet.withLock { $0.announcedAt = clock.now } }

  /// Acquires or renews a lease for a task that one daemon of the fleet performs; false while another daemon has it.
  func takes(_ lease: String, milliseconds: Int64, over connection: PostgresConnection) throws(DatabaseFailure) -> Bool {
    let now = clock.now.milliseconds
    connection.waitsForStandbys = false
    defer { connection.waitsForStandbys = true }
    let answers = try connection.round([
      PostgresCommand(
        """
        INSERT INTO leases (name, holder, until_ms) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until_ms = excluded.until_ms
        WHERE leases.holder = excluded.holder OR leases.until_ms < $4
        """, [.text(lease), .text(writer), .integer(now + milliseconds), .integer(now)])
    ])
    return answers.first?.changesCount == 1
  }

  /// Updates this host's row in `hosts`, and reads the other hosts' rows and the server's state.
  func look(_ connection: PostgresConnection) throws(DatabaseFailure) {
    let now = clock.now.milliseconds
    let names = try connection.round([
      PostgresCommand("SELECT current_database()::TEXT, current_user::TEXT, current_setting('synchronous_commit')")
    ]).first?.rows.first.map(Row.init)
    connection.waitsForStandbys = false
    defer { connection.waitsForStandbys = true }
    let answers = try connection.round([
      PostgresCommand(
        """
        INSERT INTO hosts (name, seen_ms, release, ahead_ms) VALUES ($1, $2, $3, $4)
        ON CONFLICT (name) DO UPDATE SET seen_ms = excluded.seen_ms, release = excluded.release, ahead_ms = excluded.ahead_ms
        """, [.text(writer), .integer(now), .text(release), .integer(clock.hostAheadMilliseconds ?? 0)]),
      PostgresCommand(
        "SELECT name, seen_ms, release, ahead_ms FROM hosts WHERE seen_ms > $1 ORDER BY name", [.integer(now - Self.hostsAgeMilliseconds)]),
    ])
    guard answers.count == 2 else { throw DatabaseFailure(.failed, "the database does not list its hosts") }
    let hosts = answers[1].rows.map(Row.init).compactMap { row -> StoreFleet.Host? in
      guard let name = row.optionalText(0), let seen = row.optionalInteger(1), let release = row.optionalText(2),
        let ahead = row.optionalInteger(3)
      else { return nil }
      return StoreFleet.Host(name: name, seenAt: Instant(milliseconds: seen), release: release, aheadMilliseconds: ahead)
    }
    let standbys = Self.standbys(connection)
    fleet.withLock { fleet in
      fleet.hosts = hosts
      fleet.database = names?.optionalText(0) ?? ""
      fleet.role = names?.optionalText(1) ?? ""
      fleet.durability = names?.optionalText(2) ?? ""
      fleet.server = connection.serverVersion
      (fleet.standbysCount, fleet.lagMilliseconds) = standbys ?? (nil, nil)
    }
  }

  /// Removes this host's row from `hosts`, because the daemon is stopping.
  func leave(_ connection: PostgresConnection) throws(DatabaseFailure) {
    connection.waitsForStandbys = false
    defer { connection.waitsForStandbys = true }
    _ = try connection.round([PostgresCommand("DELETE FROM hosts WHERE name = $1", [.text(writer)])])
  }

  /// Returns the number of standbys and their highest lag in milliseconds; nil if the server has no view of its standbys. The lag may be
  /// nil, because not every role can read the column with the lag.
  private static func standbys(_ connection: PostgresConnection) -> (Int64?, Int64?)? {
    let answers = try? connection.round([
      PostgresCommand("SELECT count(*), (extract(epoch FROM max(replay_lag)) * 1000)::BIGINT FROM pg_catalog.pg_stat_replication")
    ])
    return answers?.first.map { ($0.integer(0, 0), $0.integer(0, 1)) }
  }

  /// Returns the fleet's status as last read, with the given number of this daemon's connections.
  func present(connectionsCount: Int) -> StoreFleet {
    var known = fleet.withLock { $0 }
    known.connectionsCount = connectionsCount
    known.aheadMilliseconds = clock.hostAheadMilliseconds
    return known
  }
}
