// A schema on a PostgreSQL server for a benchmark, and the daemons whose store is in it.

import CLoad
import Glibc

/// A schema of this run on the PostgreSQL server whose address is in GAMECONF_POSTGRES.
struct FleetDatabase {
  let address: String
  let schema: String

  private static let patternEvents: UInt64 = 21

  static var hasServer: Bool { getenv("GAMECONF_POSTGRES") != nil }

  /// - Parameter benchmark: The benchmark's name, which is part of the schema's.
  /// - Throws: An error if GAMECONF_POSTGRES is not set.
  init(_ benchmark: String) throws(BenchError) {
    guard let address = getenv("GAMECONF_POSTGRES").map({ String(cString: $0) }) else {
      throw BenchError("GAMECONF_POSTGRES has no address of a PostgreSQL server: run the benchmarks by .ci/with-postgres")
    }
    self.address = address
    schema = "bench_\(benchmark)_\(getpid())"
  }

  func run(_ statements: String) throws(BenchError) { try attempting { fleet_run(address, statements, &$0) } }

  /// Drops the schema, without a notice for each of its tables.
  func drop() { try? run("SET client_min_messages = warning; DROP SCHEMA IF EXISTS \(schema) CASCADE") }

  /// Starts a daemon with its store in the schema. The fleet counts daemons with different folders as different hosts.
  func start(_ daemon: Daemon, cpu: Int32 = CPUs.server) throws(BenchError) -> RunningProgram {
    try startTimed(daemon, cpu: cpu).program
  }

  /// Starts a daemon like ``start(_:cpu:)``.
  /// - Returns: The process, and the time from before fork to READY.
  func startTimed(_ daemon: Daemon, cpu: Int32) throws(BenchError) -> (program: RunningProgram, milliseconds: Double) {
    try daemon.folder.write("store: {postgres: \"\(address)\", schema: \(schema)}\n", to: "fleet.yaml")
    return try daemon.start(arguments: ["--config", daemon.folder.path + "/fleet.yaml"], cpu: cpu)
  }

  /// Creates the schema's tables and that many players, each with a typical history. The daemon is started for it and stopped again.
  func fill(_ daemon: Daemon, players: UInt64) throws(BenchError) {
    let started = try start(daemon)
    let course = Course(request: LOAD_EVENTS, players: 1, connections: 1, ids: "pattern", seconds: 60, exchangesMax: Self.patternEvents)
    let result = Result { () throws(BenchError) in try course.run(on: daemon.socket) }
    started.stop()
    _ = try result.get()
    try run(
      """
      SET synchronous_commit = off;
      SET search_path = \(schema);
      INSERT INTO players (number, game, player, revision, state, requests, head)
        SELECT n + 1000, game, 'p' || lpad(n::TEXT, 7, '0'), 20, state, requests, n + 1000 FROM generate_series(1, \(players - 1)) AS numbers (n), players
        WHERE player = 'p0000000';
      INSERT INTO player_lines (number, player, prior, entry, at_ms, line, answer)
        SELECT players.head, players.number, NULL, newest.entry, at_ms, line, answer FROM players,
          (SELECT lines.* FROM players JOIN player_lines AS lines ON lines.number = head WHERE players.player = 'p0000000') AS newest
        WHERE players.number > 1000;
      INSERT INTO board_rows (board, player, score, at_ms)
        SELECT board, players.number, score, at_ms FROM players, (SELECT * FROM board_rows) AS pattern WHERE players.number > 1000;
      ANALYZE
      """)
  }
}

/// Further daemons on a measured daemon's database, all on the CPU of the load.
struct FurtherHosts {
  let database: FleetDatabase
  let daemons: [Daemon]
  private var running: [RunningProgram] = []

  /// The processor seconds in a second with which the started daemons together count as idle. Each polls the database twice a second.
  private static let idleSeconds = 0.1
  private static let waitsMax = 20

  init(_ count: Int, program: String, defaults: String, on database: FleetDatabase) throws(BenchError) {
    self.database = database
    var daemons: [Daemon] = []
    for _ in 0..<count { daemons.append(Daemon(program: program, defaults: defaults, folder: try Workspace())) }
    self.daemons = daemons
  }

  /// Starts daemons until that many run, and waits until they are idle.
  mutating func start(_ count: Int) throws(BenchError) {
    while running.count < count { running.append(try database.start(daemons[running.count], cpu: CPUs.load)) }
    var used = -1.0
    for _ in 0..<Self.waitsMax {
      let before = used
      used = running.map(\.processorSeconds).reduce(0, +)
      if before >= 0, used - before < Self.idleSeconds { return }
      usleep(1_000_000)
    }
  }

  mutating func stop() {
    for each in running { each.stop() }
    running = []
  }

  func remove() {
    for each in daemons { each.folder.remove() }
  }
}
