// Changes of as many overrides as a game may have: the time for which a change blocks the writer, the processor time of the daemon's threads,
// imports in a row, and events beside an import.

import CLoad
import Glibc

/// Measures four changes of 20 000 players' overrides: an import, an import over it, an import that replaces all, and their removal. Then
/// imports in a row, and imports beside a steady load of events.
struct BulkBenchmark {
  let daemon: Daemon
  let rounds: Int

  private static let count = 20_000
  private static let game = "/v1/games/wheresthedot/overrides"
  /// The imports of which each begins as soon as the one before is answered, and the budget of each in milliseconds.
  private static let (inARow, inARowBudget) = (5, 1_000.0)
  private static let eventsPerSecond = 200.0
  private static let (eventConnections, eventPlayers): (Int32, UInt64) = (8, 10_000)
  /// The budget of an event's 99th percentile while an import runs, in milliseconds.
  private static let besideBudget = 50.0
  /// The number of imports beside events. After more of them within 30 s, the daemon lets an import wait, because the events wait for it.
  private static let besideRounds = 2
  private static let changes = ["import", "import over it", "import, replacing", "clear"]

  private struct Sample {
    var commit: [Double] = []
    var busiest: [Double] = []
    var process: [Double] = []
    var answer: [Double] = []
  }

  func run() throws(BenchError) -> [Budgeted] {
    let ours = try daemon.start(state: "bulk").program
    defer { ours.stop() }
    var samples = [Sample](repeating: Sample(), count: Self.changes.count)
    for round in 0..<rounds {
      for (number, change) in Self.changes.enumerated() {
        let request =
          change == "clear"
          ? Self.post("clear", #"{"scope":"players"}"#)
          : Self.post("import", Self.rows(first: round + number, mode: number == 2 ? "replace" : "merge"))
        // Work that follows the earlier change must not be measured: the save of the last good state, the checkpoint, the pause after a
        // large change.
        sleep(4)
        let before = (try commitSeconds(), try threads(of: ours), ours.processorSeconds, load_now_ns())
        _ = try exchange(request, on: daemon.adminSocket)
        samples[number].answer.append(Double(load_now_ns() - before.3) / 1e6)
        usleep(100_000)
        samples[number].commit.append((try commitSeconds() - before.0) * 1e3)
        let after = try threads(of: ours)
        samples[number].busiest.append(after.map { ($0.value - (before.1[$0.key] ?? 0)) * 1e3 }.max() ?? 0)
        samples[number].process.append((ours.processorSeconds - before.2) * 1e3)
      }
    }
    var table = [["change", "commit ms", "its busiest thread's processor ms", "all threads' processor ms", "answered after ms"]]
    for (change, sample) in zip(Self.changes, samples) {
      table.append([change] + [sample.commit, sample.busiest, sample.process, sample.answer].map { figure($0.median) })
    }
    printTable("Changes of \(Self.count) players' overrides at once: medians of \(rounds) rounds, the daemon on one CPU", table)
    return [try importsInARow(), try eventsBesideImports()]
  }

  /// Measures imports that follow each other without a pause, while no other client writes.
  private func importsInARow() throws(BenchError) -> Budgeted {
    let requests = (0..<Self.inARow).map { Self.importing(first: $0) }
    sleep(4)
    var times: [Double] = []
    for request in requests {
      let began = load_now_ns()
      _ = try exchange(request, on: daemon.adminSocket)
      times.append(Double(load_now_ns() - began) / 1e6)
    }
    let slowest = times.max() ?? 0
    printTable(
      "\(Self.inARow) imports of \(Self.count) in a row, answered after ms",
      [
        times.indices.map { "\($0 + 1)." } + ["slowest", "budget"],
        times.map { figure($0, 0) } + [figure(slowest, 0), "≤ \(figure(Self.inARowBudget, 0))"],
      ])
    return Budgeted(
      what: "the slowest of \(Self.inARow) imports of \(Self.count) in a row", figure: "\(figure(slowest, 0)) ms",
      budget: "≤ \(figure(Self.inARowBudget, 0)) ms", isMet: slowest <= Self.inARowBudget)
  }

  /// Measures a steady load of events, without an import and while an import runs.
  private func eventsBesideImports() throws(BenchError) -> Budgeted {
    load_pin(CPUs.load)
    var (quiet, beside, imports): ([Double], [Double], [Double]) = ([], [], [])
    for round in 0..<Self.besideRounds {
      let request = Self.importing(first: 10 + round)
      sleep(4)
      quiet += try steadyEvents("q\(round)", seconds: 1)
      let importing = try Load(
        socket: daemon.adminSocket, requests: [Array(request.utf8)], answerBytes: nil, connections: 1, seconds: 60,
        exchangesMax: 1
      ).begin()
      let events = Result { () throws(BenchError) in try steadyEvents("b\(round)", seconds: 3) }
      let answered = try importing.finish().medianMicroseconds / 1e6
      imports.append(answered)
      beside += try events.get().prefix(Int((answered * Self.eventsPerSecond).rounded(.up)))
    }
    func row(_ title: String, _ times: [Double]) -> [String] {
      [title, "\(times.count)", figure(times.median, 2), figure(times.percentile(99), 2), figure(times.max() ?? 0, 2)]
    }
    printTable(
      "\(figure(Self.eventsPerSecond, 0)) events a second, each measured from when it was due; \(Self.besideRounds) imports of \(Self.count), "
        + "answered after \(figure(imports.median * 1e3, 0)) ms",
      [["events", "measured", "p50 ms", "p99 ms", "slowest ms"], row("without an import", quiet), row("while an import runs", beside)])
    let p99 = beside.percentile(99)
    return Budgeted(
      what: "\(figure(Self.eventsPerSecond, 0)) events a second while an import of \(Self.count) runs", figure: "p99 \(figure(p99)) ms",
      beside: "p99 \(figure(quiet.percentile(99))) ms without", budget: "≤ \(figure(Self.besideBudget, 0)) ms",
      isMet: p99 <= Self.besideBudget)
  }

  /// Returns the milliseconds of each event of a steady load.
  private func steadyEvents(_ ids: String, seconds: Double) throws(BenchError) -> [Double] {
    var latencies = [UInt64](repeating: 0, count: Int(seconds * Self.eventsPerSecond))
    let count = Int32(latencies.count)
    try attempting { fault in
      ids.withCString { ids in
        var course = load_course()
        (course.request, course.connections, course.players, course.ids) = (LOAD_EVENTS, Self.eventConnections, Self.eventPlayers, ids)
        return load_steady(daemon.socket, &course, Self.eventsPerSecond, &latencies, count, &fault)
      }
    }
    return latencies.map { Double($0) / 1e6 }
  }

  /// Returns the request of an import over the overrides that are there. Imports with another `first` set other values.
  static func importing(first: Int) -> String { post("import", rows(first: first, mode: "merge")) }

  private static func rows(first: Int, mode: String) -> String {
    let rows = (0..<count).map {
      "{\"player\":\"player-\(100_000 + $0)\",\"key\":\"remote_min_fetch_interval\",\"value\":\(1 + (first + $0) % 50)}"
    }
    return "{\"mode\":\"\(mode)\",\"reason\":\"benchmark\",\"overrides\":[\(rows.joined(separator: ","))]}"
  }

  private static func post(_ name: String, _ body: String) -> String {
    "POST \(game)/\(name) HTTP/1.1\r\nHost: localhost\r\nUser-Agent: gameconf-bench\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  /// Returns the total seconds of all the daemon's commits so far, each from its first transaction until it is on the disk.
  private func commitSeconds() throws(BenchError) -> Double {
    let name = "gameconf_store_commit_duration_seconds_sum"
    let text = try exchange(Peers.httpRequest("/metrics"), on: daemon.adminSocket)
    let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name) }
    guard let line, let seconds = line.split(separator: " ").last.flatMap({ Double($0) }) else { throw BenchError("no \(name)") }
    return seconds
  }

  /// Returns the processor seconds of each thread of a program, by thread id.
  private func threads(of program: RunningProgram) throws(BenchError) -> [String: Double] {
    let path = "/proc/\(program.pid)/task"
    guard let folder = opendir(path) else { throw BenchError("\(path): \(String(cString: strerror(errno)))") }
    defer { closedir(folder) }
    var seconds: [String: Double] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let file = fopen("\(path)/\(name)/schedstat", "r") else { continue }
      defer { fclose(file) }
      var bytes = [CChar](repeating: 0, count: 64)
      guard fgets(&bytes, Int32(bytes.count), file) != nil else { continue }
      seconds[name] = text(bytes).split(separator: " ").first.flatMap { Double($0) }.map { $0 / 1e9 }
    }
    return seconds
  }
}
