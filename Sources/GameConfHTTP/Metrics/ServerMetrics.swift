// Writes the metrics of the HTTP server, the games and the database.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage
internal import GameConfServer

extension PrometheusText {
  /// Writes the counters of the HTTP server and of evaluations.
  mutating func append(_ counters: ServerCounters, _ tallies: EvaluationTallies) {
    family("gameconf_requests_total", .counter, "Answered requests, by call and status; “none” for requests that matched no call.")
    for call in counters.routes.map(Optional.some) + [nil] {
      for status in ServerCounters.statuses {
        let count = counters.requests(to: call, status: status)
        if count == 0 { continue }
        sample(
          "gameconf_requests_total", by: [("call", call ?? "none"), ("status", status == 0 ? "other" : String(status))], Double(count))
      }
    }
    let name = "gameconf_request_duration_seconds"
    family(name, .histogram, "Time from the head of a request to its answer.")
    histogram(
      name, bounds: ServerCounters.latencyBoundsMicroseconds.map { Double($0) / 1_000_000 }, counts: counters.latencies,
      sum: Double(counters.latencyNanoseconds) / 1_000_000_000)
    single("gameconf_received_bytes_total", .counter, "Bytes read from connections.", Double(counters.bytesIn))
    single("gameconf_sent_bytes_total", .counter, "Bytes written to connections.", Double(counters.bytesOut))
    single(
      "gameconf_ready_answers_total", .counter, "Requests answered with bytes already in memory, without an evaluation.",
      Double(counters.readyAnswers))
    single("gameconf_connection_timeouts_total", .counter, "Connections closed by a timeout.", Double(counters.timeouts))
    single("gameconf_body_bytes", .gauge, "Bytes of request bodies that are incomplete or wait to be handled.", Double(counters.bodyBytes))
    single(
      "gameconf_answer_bytes", .gauge, "The limit of bytes of answers that clients have not read.", Double(counters.answerBytes))
    single(
      "gameconf_held_back_total", .counter,
      "Times the daemon stopped reading a connection because its user's clients had not read their answers (answer_bytes_per_uid_max).",
      Double(counters.heldBack))
    single("gameconf_streams", .gauge, "Streams open now: watchers, backups.", Double(counters.streams))
    bySocket("gameconf_connections", .gauge, "Connections open now.") { Double(counters.open[$0] ?? 0) }
    bySocket("gameconf_connections_accepted_total", .counter, "Connections accepted.") { Double(counters.accepted[$0] ?? 0) }
    bySocket("gameconf_connections_refused_total", .counter, "Refused connections, by reason: the role or a limit.") {
      Double(counters.refused[$0] ?? 0)
    }
    family("gameconf_evaluations_total", .counter, "Values answered, by game and by the layer that gave them.")
    for (name, count) in tallies.totals(adding: counters.tallies) {
      sample("gameconf_evaluations_total", by: [("game", name.game), ("source", name.layer.rawValue)], Double(count))
    }
  }

  /// Writes each game's revision, its degradations, and the number of its overrides.
  mutating func append(_ world: World, _ degraded: [GameConfEngine.ActiveDegradation]) {
    byGame("gameconf_game_revision", "The game's revision.", world) { Double($0.revision) }
    let troubled = Set(degraded.compactMap(\.game))
    family("gameconf_game_degraded", .gauge, "1 while something of the game is degraded, also of a game that is not served.")
    for game in troubled.union(world.games.map(\.game)).sorted() {
      sample("gameconf_game_degraded", by: [("game", game)], troubled.contains(game) ? 1 : 0)
    }
    family("gameconf_degradations", .gauge, "The degradations now, by their code; the guide “When it says degraded” explains each.")
    for kind in DegradationKind.allCases {
      sample("gameconf_degradations", by: [("code", kind.rawValue)], Double(degraded.count { $0.kind == kind }))
    }
    byGame("gameconf_overrides", "Overrides for the whole game.", world) { Double($0.overrides.counts.game) }
    byGame("gameconf_player_overrides", "Overrides for single players.", world) { Double($0.overrides.counts.players) }
    byGame("gameconf_overrides_quarantined", "Overrides in quarantine: stored, not served.", world) {
      Double($0.overrides.counts.quarantined)
    }
  }

  /// Writes the condition of the database, its number of waiting writes and unreadable rows, and its sizes.
  mutating func append(_ health: StoreHealth, now: Instant) {
    family("gameconf_store_condition", .gauge, "1 for the store's current state, 0 for the others.")
    for word in StoreHealth.words { sample("gameconf_store_condition", by: [("condition", word)], word == health.word ? 1 : 0) }
    single("gameconf_store_writes_waiting", .gauge, "Changes that wait for the writer.", Double(health.writesWaiting))
    if let saved = health.lastGoodSavedAt {
      single(
        "gameconf_last_good_age_seconds", .gauge, "Age of last-good.json, which is written beside the database.",
        Double(now.milliseconds - saved.milliseconds) / 1_000)
    }
    single(
      "gameconf_last_good_failing", .gauge,
      "1 while last-good.json, which is served when the database is damaged, cannot be written or read.",
      health.lastGoodFault == nil ? 0 : 1)
    single(
      "gameconf_store_unreadable_rows", .gauge, "Unreadable rows of the database; calls that need them are refused.",
      Double(health.unreadable.count))
    if let bytes = health.databaseBytes {
      single("gameconf_store_database_bytes", .gauge, "Size of the SQLite database, without its write-ahead log.", Double(bytes))
    }
    if let bytes = health.logBytes {
      single(
        "gameconf_store_log_bytes", .gauge,
        "Size of the SQLite database's write-ahead log; it grows while a backup or check reads the whole database.", Double(bytes))
    }
    if let bytes = health.freeBytes {
      single("gameconf_store_disk_free_bytes", .gauge, "Free space on the disk of the SQLite database.", Double(bytes))
    }
    let hosts = health.fleet?.hosts.count { now.milliseconds - $0.seenAt.milliseconds < Self.hostSeenMilliseconds }
    single(
      "gameconf_store_hosts", .gauge,
      "Daemons that used this store within the last minute; more than 1 if hosts share a PostgreSQL database.",
      Double(hosts ?? 1))
  }

  private static var hostSeenMilliseconds: Int64 { 60_000 }

  /// Writes a metric family with one sample.
  mutating func single(_ name: String, _ kind: Kind, _ help: String, by labels: [(String, String)] = [], _ value: Double) {
    family(name, kind, help)
    sample(name, by: labels, value)
  }

  private mutating func bySocket(_ name: String, _ kind: Kind, _ help: String, _ value: (ServerSocket) -> Double) {
    family(name, kind, help)
    for socket in SocketKind.allCases { sample(name, by: [("socket", socket.rawValue)], value(ServerSocket(socket))) }
  }

  private mutating func byGame(_ name: String, _ help: String, _ world: World, _ value: (GameSnapshot) -> Double) {
    family(name, .gauge, help)
    for game in world.games { sample(name, by: [("game", game.game)], value(game)) }
  }
}
