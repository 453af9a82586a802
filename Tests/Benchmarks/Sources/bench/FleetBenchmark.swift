// Durable events and reads of a value by a daemon with its store in PostgreSQL. It is compared with libpq alone writing the same rows, and
// with a daemon on SQLite.

import CLoad
import Glibc

/// Measures events of 10 000 players and reads of one value, on a PostgreSQL server that is already running.
struct FleetBenchmark {
  let program: String
  let defaults: String
  let rounds: Int
  let seconds: Double

  private static let players: UInt64 = 10_000
  private static let connections: Int32 = 32
  private static let warmUp = 0.5
  private static let patternEvents: UInt64 = 21
  private static let aloneBudget = 0.7
  /// The ratio of the reads on PostgreSQL to those on SQLite that counts as equally fast, since the host's speed varies by some percent.
  private static let readsBudget = 0.95
  private static let value = "/v1/games/dartsscore/config/answers_count"

  private struct Figures {
    var (ours, alone, sqlite): ([Double], [Double], [Double]) = ([], [], [])
    var (batches, medians, p99s): ([Double], [Double], [Double]) = ([], [], [])
    /// The daemon's processor time of an event in microseconds, with PostgreSQL and with SQLite.
    var (processor, sqliteProcessor): ([Double], [Double]) = ([], [])
  }

  func run() throws(BenchError) -> [Budgeted] {
    let database = try FleetDatabase("fleet")
    let (folder, sqliteFolder) = (try Workspace(), try Workspace())
    defer {
      folder.remove()
      sqliteFolder.remove()
    }
    let alone = database.schema + "_alone"
    defer {
      try? database.run("SET client_min_messages = warning; DROP SCHEMA IF EXISTS \(alone) CASCADE")
      database.drop()
    }
    let daemon = Daemon(program: program, defaults: defaults, folder: folder)
    let sqlite = Daemon(program: program, defaults: defaults, folder: sqliteFolder)
    try database.fill(daemon, players: Self.players)
    try database.run(Self.copying(database.schema, to: alone))
    let started = try sqlite.start().program
    _ = try Course(request: LOAD_EVENTS, players: 1, connections: 1, ids: "pattern", seconds: 60, exchangesMax: Self.patternEvents)
      .run(on: sqlite.socket)
    started.stop()
    try attempting { peer_fill(sqliteFolder.folder("state") + "/gameconfd.db", Self.players, &$0) }
    let ours = try database.start(daemon)
    defer { ours.stop() }
    let beside = try sqlite.start().program
    defer { beside.stop() }
    for each in [ours, beside] { each.waitUntilIdle() }
    let events = try measureEvents(daemon, ours, sqlite, beside, database.address, alone)
    let reads = try measureReads([daemon, sqlite])
    return report(events) + report(reads)
  }

  private func report(_ figures: Figures) -> [Budgeted] {
    let (ours, alone, sqlite) = (figures.ours.median, figures.alone.median, figures.sqlite.median)
    let course = "\(Self.connections) connections, \(Self.players) players, durable when answered"
    printTable(
      "Events in PostgreSQL on \(course): medians of \(rounds) rounds of \(figure(seconds)) s",
      [
        [
          "gameconfd k/s", "median µs", "p99 µs", "a batch", "processor µs", "libpq k/s", "÷ libpq", "with SQLite k/s", "processor µs",
          "÷ SQLite",
        ],
        [
          figure(ours / 1000, 2), figure(figures.medians.median), figure(figures.p99s.median), figure(figures.batches.median),
          figure(figures.processor.median), figure(alone / 1000, 2), "\(figure(ours / alone, 2)) (≥ \(figure(Self.aloneBudget)))",
          figure(sqlite / 1000, 2), figure(figures.sqliteProcessor.median), figure(ours / sqlite, 2),
        ],
      ])
    return [
      Budgeted(
        what: "durable events in PostgreSQL, \(Self.connections) connections", figure: "\(figure(ours / 1000, 2)) k/s",
        beside: "\(figure(ours / alone, 2)) × libpq alone, \(figure(ours / sqlite, 2)) × with SQLite",
        budget: "≥ \(figure(Self.aloneBudget)) ×", isMet: ours / alone >= Self.aloneBudget)
    ]
  }

  private func report(_ reads: [(connections: Int32, ours: [Double], sqlite: [Double])]) -> [Budgeted] {
    printTable(
      "One value over the socket, k/s: medians of \(rounds) rounds of \(figure(seconds)) s",
      [["connections", "store in PostgreSQL", "in SQLite", "÷"]]
        + reads.map { read in
          let (ours, sqlite) = (read.ours.median, read.sqlite.median)
          return ["\(read.connections)", figure(ours / 1000), figure(sqlite / 1000), figure(ours / sqlite, 2)]
        })
    return reads.map { read in
      let part = read.ours.median / read.sqlite.median
      return Budgeted(
        what: "one value, store in PostgreSQL, connections: \(read.connections)", figure: "\(figure(read.ours.median / 1000)) k/s",
        beside: "\(figure(part, 2)) × with SQLite", budget: "≥ \(figure(Self.readsBudget, 2)) ×", isMet: part >= Self.readsBudget)
    }
  }

  private func measureEvents(
    _ daemon: Daemon, _ ours: RunningProgram, _ sqlite: Daemon, _ beside: RunningProgram, _ address: String, _ schema: String
  ) throws(BenchError) -> Figures {
    var figures = Figures()
    for round in 0..<rounds {
      let before = try batches(daemon)
      let worked = load_processor_ns(ours.pid)
      load_pin(CPUs.load)
      let course = Course(
        request: LOAD_EVENTS, players: Self.players, connections: Self.connections, ids: "r\(round)", warmUp: Self.warmUp, seconds: seconds)
      let result = try course.run(on: daemon.socket)
      let after = try batches(daemon)
      let transactions = max(1, after.transactions - before.transactions)
      figures.processor.append(Double(load_processor_ns(ours.pid) - worked) / 1e3 / transactions)
      let batch = transactions / max(1, after.count - before.count)
      load_pin(CPUs.server)
      var alone = load_result()
      let size = Int32(max(1, batch + 0.5))
      try attempting { fleet_write(address, schema, Self.players, size, Self.warmUp, seconds, &alone, &$0) }
      let besideBefore = try batches(sqlite)
      let workedBeside = load_processor_ns(beside.pid)
      load_pin(CPUs.load)
      let other = try course.run(on: sqlite.socket)
      let besideTransactions = max(1, try batches(sqlite).transactions - besideBefore.transactions)
      figures.sqliteProcessor.append(Double(load_processor_ns(beside.pid) - workedBeside) / 1e3 / besideTransactions)
      figures.ours.append(Double(result.answers) / result.seconds)
      figures.alone.append(Double(alone.answers) / alone.seconds)
      figures.sqlite.append(Double(other.answers) / other.seconds)
      figures.batches.append(batch)
      figures.medians.append(Double(result.median_ns) / 1000)
      figures.p99s.append(Double(result.p99_ns) / 1000)
    }
    return figures
  }

  private func measureReads(_ daemons: [Daemon]) throws(BenchError) -> [(connections: Int32, ours: [Double], sqlite: [Double])] {
    load_pin(CPUs.load)
    var reads: [(connections: Int32, ours: [Double], sqlite: [Double])] = []
    for connections in [Int32(1), Self.connections] {
      var rates: [[Double]] = [[], []]
      for _ in 0..<rounds {
        for (at, daemon) in daemons.enumerated() {
          let result = try Load(
            socket: daemon.socket, requests: [Array(Peers.httpRequest(Self.value).utf8)], answerBytes: nil, connections: connections,
            seconds: seconds
          ).run()
          rates[at].append(result.perSecond)
        }
      }
      reads.append((connections, rates[0], rates[1]))
    }
    return reads
  }

  /// Returns statements that copy the tables for the measurement of libpq alone.
  private static func copying(_ schema: String, to alone: String) -> String {
    """
    SET synchronous_commit = off;
    CREATE SCHEMA \(alone);
    CREATE TABLE \(alone).players (LIKE \(schema).players INCLUDING ALL);
    CREATE TABLE \(alone).player_lines (LIKE \(schema).player_lines INCLUDING ALL);
    CREATE TABLE \(alone).writers (LIKE \(schema).writers INCLUDING ALL);
    INSERT INTO \(alone).players SELECT * FROM \(schema).players;
    INSERT INTO \(alone).player_lines SELECT * FROM \(schema).player_lines;
    INSERT INTO \(alone).writers SELECT * FROM \(schema).writers;
    ANALYZE
    """
  }

  private func batches(_ daemon: Daemon) throws(BenchError) -> (count: Double, transactions: Double) {
    let metrics = try exchange(Peers.httpRequest("/metrics"), on: daemon.adminSocket)
    func number(_ name: String) -> Double {
      metrics.split(separator: "\n").first { $0.hasPrefix(name + " ") }?.split(separator: " ").last.flatMap { Double($0) } ?? 0
    }
    return (number("gameconf_store_batch_turns_count"), number("gameconf_store_batch_turns_sum"))
  }
}
