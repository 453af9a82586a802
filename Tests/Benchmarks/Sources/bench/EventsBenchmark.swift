// Durable events over the socket, compared with SQLite alone with the same rows and batch sizes, and first reads of uncached players.

import CLoad
import Glibc

/// Measures events of many players, and reads of uncached players.
struct EventsBenchmark {
  let program: String
  let defaults: String
  let rounds: Int
  let seconds: Double
  /// The numbers of players, one run for each.
  let counts: [UInt64]

  private static let connections: Int32 = 32
  private static let warmUp = 0.5
  private static let patternEvents: UInt64 = 21
  private static let coldReads: UInt64 = 2_000
  private static let growthBudget = 0.8
  /// The budget of an event's processor time, in microseconds.
  private static let processorBudget = 90.0

  /// The least ratio to SQLite alone.
  private static func perSecondBudget(_ players: UInt64) -> Double { players == 10_000 ? 0.95 : 0.9 }

  private struct Figures {
    var ours: [Double] = []
    var alone: [Double] = []
    var batches: [Double] = []
    var medians: [Double] = []
    var p99s: [Double] = []
    /// The processor time of an event in microseconds: the daemon's, and that of SQLite alone.
    var (processor, aloneProcessor): ([Double], [Double]) = ([], [])
    /// The number of 4 KiB syncs that the disk completed in a second.
    var syncs = 0.0
  }

  func run() throws(BenchError) -> [Budgeted] {
    var budgeted: [Budgeted] = []
    var events = [
      [
        "durable events, players", "gameconfd k/s", "median µs", "p99 µs", "a batch", "processor µs", "SQLite k/s", "processor µs",
        "÷ SQLite",
        "÷ 10 000 players", "syncs/s",
      ]
    ]
    var reads = [["first read of a cold player", "file in memory: p50 µs", "p99 µs", "file on disk: p50 µs", "p99 µs"]]
    var few = 0.0
    for players in counts {
      let folder = try Workspace()
      defer { folder.remove() }
      let daemon = Daemon(program: program, defaults: defaults, folder: folder)
      try fill(daemon, players)
      reads.append(["of \(players)"] + (try coldReads(daemon, players)))
      let figures = try measure(daemon, players)
      let ours = figures.ours.median
      let alone = figures.alone.median
      let budget = Self.perSecondBudget(players)
      let growth = players == 10_000 ? "" : "\(figure(ours / few, 2)) (≥ \(figure(Self.growthBudget)))"
      budgeted.append(
        Budgeted(
          what: "durable events, 32 connections, \(players) players", figure: "\(figure(ours / 1000, 2)) k/s",
          beside: "\(figure(ours / alone, 2)) × SQLite alone", budget: "≥ \(figure(budget, 2)) ×", isMet: ours / alone >= budget))
      if players == 10_000 {
        few = ours
        let processor = figures.processor.median
        budgeted.append(
          Budgeted(
            what: "durable events, processor", figure: "\(figure(processor)) µs each",
            beside: "\(figure(processor / figures.aloneProcessor.median, 2)) × SQLite alone",
            budget: "≤ \(figure(Self.processorBudget, 0)) µs", isMet: processor <= Self.processorBudget))
      } else {
        budgeted.append(
          Budgeted(
            what: "durable events, \(players) players", figure: "\(figure(ours / 1000, 2)) k/s",
            beside: "\(figure(ours / few, 2)) × with 10 000", budget: "≥ \(figure(Self.growthBudget)) ×",
            isMet: ours / few >= Self.growthBudget))
      }
      events.append([
        "\(players)", figure(ours / 1000, 2), figure(figures.medians.median), figure(figures.p99s.median), figure(figures.batches.median),
        figure(figures.processor.median), figure(alone / 1000, 2), figure(figures.aloneProcessor.median),
        "\(figure(ours / alone, 2)) (≥ \(figure(budget, 2)))", growth, figure(figures.syncs, 0),
      ])
    }
    printTable(
      "Events on \(Self.connections) connections, durable when answered: medians of \(rounds) rounds of \(figure(seconds)) s", events)
    printTable("One indexed read, over the socket, one connection", reads)
    return budgeted
  }

  func database(_ daemon: Daemon) -> String { daemon.folder.folder("state") + "/gameconfd.db" }

  /// Creates a database with that many players, each with a typical history, and a copy of it for the measurement of SQLite alone.
  func fill(_ daemon: Daemon, _ players: UInt64) throws(BenchError) {
    let started = try daemon.start().program
    _ = try load(daemon, "pattern", players: 1, connections: 1, seconds: 60, exchangesMax: Self.patternEvents)
    started.stop()
    try attempt { peer_fill(database(daemon), players, &$0) }
    guard load_copy(database(daemon), daemon.folder.path + "/alone.db") == 0 else { throw BenchError("the database cannot be copied") }
    try attempt { peer_freeze(daemon.folder.path + "/alone.db", &$0) }
  }

  private func measure(_ daemon: Daemon, _ players: UInt64) throws(BenchError) -> Figures {
    let started = try daemon.start().program
    defer { started.stop() }
    started.waitUntilIdle()
    var figures = Figures()
    figures.syncs = load_syncs("\(daemon.folder.path)/syncs", 1)
    for round in 0..<rounds {
      let before = try batches(daemon)
      let worked = load_processor_ns(started.pid)
      load_pin(CPUs.load)
      let ours = try load(daemon, "r\(round)", players: players, connections: Self.connections, warmUp: Self.warmUp, seconds: seconds)
      let after = try batches(daemon)
      figures.processor.append(Double(load_processor_ns(started.pid) - worked) / 1e3 / max(1, after.transactions - before.transactions))
      let batch = (after.transactions - before.transactions) / max(1, after.count - before.count)
      load_pin(CPUs.server)
      var alone = load_result()
      let size = Int32(max(1, batch + 0.5))
      let workedAlone = load_processor_ns(getpid())
      try attempt { peer_write(daemon.folder.path + "/alone.db", players, size, Self.warmUp, seconds, &alone, &$0) }
      // The measurement of SQLite alone counts only events after the warm-up, but its processor time includes the warm-up.
      let written = Double(max(1, alone.answers)) * (alone.seconds + Self.warmUp) / alone.seconds
      figures.aloneProcessor.append(Double(load_processor_ns(getpid()) - workedAlone) / 1e3 / written)
      figures.ours.append(Double(ours.answers) / ours.seconds)
      figures.alone.append(Double(alone.answers) / alone.seconds)
      figures.batches.append(batch)
      figures.medians.append(Double(ours.median_ns) / 1000)
      figures.p99s.append(Double(ours.p99_ns) / 1000)
    }
    return figures
  }

  /// Measures the first reads of players after a start, with and without the database in the system's file cache.
  private func coldReads(_ daemon: Daemon, _ players: UInt64) throws(BenchError) -> [String] {
    var cells: [String] = []
    for isOnDisk in [false, true] {
      let started = try daemon.start().program
      started.waitUntilIdle()
      if isOnDisk, load_forget(database(daemon)) != 0 { throw BenchError("the file cache cannot be emptied") }
      load_pin(CPUs.load)
      let result = try load(daemon, "", players: players, writes: false, connections: 1, seconds: 60, exchangesMax: Self.coldReads)
      started.stop()
      cells += [figure(Double(result.median_ns) / 1000), figure(Double(result.p99_ns) / 1000)]
    }
    return cells
  }

  func load(
    _ daemon: Daemon, _ ids: String, players: UInt64, writes: Bool = true, connections: Int32, warmUp: Double = 0, seconds: Double,
    exchangesMax: UInt64 = 0
  ) throws(BenchError) -> load_result {
    var result = load_result()
    try attempt { fault in
      ids.withCString { ids in
        var course = load_course(
          request: writes ? LOAD_EVENTS : LOAD_COUNTERS, connections: connections, players: players, ids: ids, first_score: 0,
          warm_up_seconds: warmUp, seconds: seconds,
          exchanges_max: exchangesMax)
        return load_players(daemon.socket, &course, &result, &fault)
      }
    }
    return result
  }

  func attempt(_ body: (inout [CChar]) -> Int32) throws(BenchError) {
    var fault = [CChar](repeating: 0, count: 128)
    guard body(&fault) == 0 else { throw BenchError(text(fault)) }
  }

  /// Returns the number of batches that the writer has committed, and of their transactions.
  private func batches(_ daemon: Daemon) throws(BenchError) -> (count: Double, transactions: Double) {
    let metrics = try exchange(Peers.httpRequest("/metrics"), on: daemon.folder.path + "/run/admin.sock")
    func number(_ name: String) -> Double {
      metrics.split(separator: "\n").first { $0.hasPrefix(name + " ") }?.split(separator: " ").last.flatMap { Double($0) } ?? 0
    }
    return (number("gameconf_store_batch_turns_count"), number("gameconf_store_batch_turns_sum"))
  }
}

extension RunningProgram {
  /// Waits until the daemon has used no processor for a second, when its checks after the start are complete.
  func waitUntilIdle() {
    var used = -1.0
    while processorSeconds != used {
      used = processorSeconds
      usleep(1_000_000)
    }
  }
}
