// Ten consecutive starts over a large database: events during the background check of the whole database, and after it.

import CLoad
import Glibc

/// Searches for a start of the daemon after which events stay slow. At every second start, the system's file cache has no page of the
/// database.
struct SlowModeBenchmark {
  let program: String
  let defaults: String
  let players: UInt64
  let seconds: Double

  private static let starts = 10
  /// The smallest ratio of the slowest start's events per second to the median start's. Below it, the daemon has a slow mode.
  private static let shareMin = 0.5
  private static let batch: Int32 = 20
  private static let warmUp = 0.3
  private static let rounds = 5

  private struct Speed {
    var (perSecond, medians, p99s): ([Double], [Double], [Double]) = ([], [], [])

    mutating func add(_ result: load_result) {
      perSecond.append(Double(result.answers) / result.seconds)
      medians.append(Double(result.median_ns) / 1000)
      p99s.append(Double(result.p99_ns) / 1000)
    }

    var cells: [String] {
      perSecond.isEmpty
        ? ["-", "-", "-"] : [figure(perSecond.median / 1000, 2), figure(medians.median), figure(p99s.max() ?? 0)]
    }
  }

  func run() throws(BenchError) -> [Budgeted] {
    let folder = try Workspace()
    defer { folder.remove() }
    let daemon = Daemon(program: program, defaults: defaults, folder: folder)
    let events = EventsBenchmark(program: program, defaults: defaults, rounds: 1, seconds: seconds, counts: [players])
    try events.fill(daemon, players)
    var rows = [
      [
        "start", "file cache", "READY ms", "check ms", "while it checks: k/s", "p50 µs", "worst p99 µs", "after it: k/s", "p50 µs",
        "worst p99 µs", "SQLite alone k/s",
      ]
    ]
    var (during, after): ([Double], [Double]) = ([], [])
    for start in 0..<Self.starts {
      let isCold = start % 2 == 1
      if isCold, load_forget(events.database(daemon)) != 0 { throw BenchError("the file cache cannot be emptied") }
      let checksBefore = checks(daemon).count
      let started = try daemon.start()
      defer { started.program.stop() }
      load_pin(CPUs.load)
      var (checking, checked) = (Speed(), Speed())
      for round in 0..<Self.rounds where checks(daemon).count == checksBefore {
        let result = try measure(events, daemon, "c\(start)-\(round)")
        // A sample during which the check ended counts neither as during the check nor as after it.
        if checks(daemon).count == checksBefore { checking.add(result) }
      }
      // The daemon's check of the database yields to writes, so it ends only when there are no writes.
      started.program.waitUntilIdle()
      load_pin(CPUs.load)
      for round in 0..<3 { checked.add(try measure(events, daemon, "a\(start)-\(round)")) }
      load_pin(CPUs.server)
      var alone = load_result()
      try events.attempt { peer_write(daemon.folder.path + "/alone.db", players, Self.batch, Self.warmUp, seconds, &alone, &$0) }
      if !checking.perSecond.isEmpty { during.append(checking.perSecond.median) }
      after.append(checked.perSecond.median)
      rows.append(
        ["\(start + 1)", isCold ? "empty" : "full", figure(started.milliseconds, 0), checks(daemon).last ?? "-"] + checking.cells
          + checked.cells
          + [figure(Double(alone.answers) / alone.seconds / 1000, 2)])
    }
    printTable("\(Self.starts) starts in a row over \(players) players, events on 32 connections, rounds of \(figure(seconds)) s", rows)
    return [("while it checks", during), ("after the check", after)].filter { !$0.1.isEmpty }.map { what, speeds in
      let share = (speeds.min() ?? 0) / speeds.median
      return Budgeted(
        what: "the slowest of \(speeds.count) starts, \(what)", figure: "\(figure((speeds.min() ?? 0) / 1000, 2)) k/s",
        beside: "\(figure(share, 2)) × the median start", budget: "≥ \(figure(Self.shareMin)) ×: no slow mode",
        isMet: share >= Self.shareMin)
    }
  }

  private func measure(_ events: EventsBenchmark, _ daemon: Daemon, _ ids: String) throws(BenchError) -> load_result {
    try events.load(daemon, ids, players: players, connections: 32, warmUp: Self.warmUp, seconds: seconds)
  }

  /// Returns the durations, in milliseconds, of all checks that the daemon has reported so far.
  private func checks(_ daemon: Daemon) -> [String] {
    guard let file = fopen("\(daemon.folder.path)/gameconfd.log", "r") else { return [] }
    defer { fclose(file) }
    var (log, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { log += piece[..<count] }
    return String(decoding: log, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard line.contains("the database is whole"), let text = line.firstRange(of: "checked in ") else { return nil }
      return line[text.upperBound...].split(separator: " ").first.map(String.init)
    }
  }
}
