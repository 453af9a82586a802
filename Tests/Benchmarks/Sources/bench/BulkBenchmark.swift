// Changes of as many overrides as a game may have: the time for which a change blocks the writer, and the processor time of the daemon's
// threads.

import CLoad
import Glibc

/// Measures four changes of 20 000 players' overrides: an import, an import over it, an import that replaces all, and their removal.
struct BulkBenchmark {
  let daemon: Daemon
  let rounds: Int

  private static let count = 20_000
  private static let game = "/v1/games/wheresthedot/overrides"
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
    return []
  }

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
