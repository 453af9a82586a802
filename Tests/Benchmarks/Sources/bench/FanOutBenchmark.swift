// One override to every watcher: how long it takes to the last, what a watcher costs, and what it costs whoever writes.

import CLoad
import Glibc

/// Watchers by the hundred and the ten thousand, on one thread of load; each with a player of its own.
struct FanOutBenchmark {
  let daemon: Daemon
  let rounds: Int

  private static let game = "wheresthedot"
  private static let counts: [Int32] = [100, 10_000]

  func run() throws(BenchError) -> [Budgeted] {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let program = try daemon.start(
      state: "watches", environment: ["GAMECONFD_CONNECTIONS_PER_UID_MAX=12000", "GAMECONFD_CONNECTIONS_MAX=12288"]
    ).program
    defer { program.stop() }
    load_pin(CPUs.load)
    let quiet = try writes(50)
    var rows = [
      [
        "watchers", "opened in ms", "last told, median ms", "p99 ms", "÷ bare writes", "first told ms", "write ms", "÷ without", "KiB each",
      ]
    ]
    var budgeted: [Budgeted] = []
    for count in Self.counts {
      let before = program.kibibytes("VmRSS")
      var opened: UInt64 = 0
      guard let crowd = watch_open(daemon.socket, Self.game, count, 1, &opened) else {
        throw BenchError("\(count) watchers cannot be opened")
      }
      defer { watch_close(crowd) }
      // The same number of sockets written to by a process that does nothing else, in turns with the daemon.
      guard let floor = watch_floor(count, CPUs.server) else { throw BenchError("\(count) pairs of sockets cannot be opened") }
      defer { watch_close(floor) }
      usleep(300_000)
      let each = Double(program.kibibytes("VmRSS") - before) / Double(count)
      var lasts: [Double] = []
      var firsts: [Double] = []
      var written: [Double] = []
      var bare: [Double] = []
      for round in 0..<max(20, rounds * 4) {
        var times = [UInt64](repeating: 0, count: Int(count))
        var write: UInt64 = 0
        let missing = watch_round(crowd, daemon.adminSocket, Self.request(round), &times, &write)
        if missing > 0 { throw BenchError("\(missing) of \(count) watchers never heard of an override") }
        lasts.append(Double(times[Int(count) - 1]) / 1e6)
        firsts.append(Double(times[0]) / 1e6)
        written.append(Double(write) / 1e6)
        if watch_floor_round(floor, &times) > 0 { throw BenchError("bare writes got lost") }
        bare.append(Double(times[Int(count) - 1]) / 1e6)
        // After a pause of four fan-outs the next change is told at once.
        usleep(100_000 + UInt32(min(lasts[lasts.count - 1], 1_000) * 4_000))
      }
      lasts.sort()
      let p99 = lasts[min(lasts.count - 1, lasts.count * 99 / 100)]
      rows.append([
        "\(count)", figure(Double(opened) / 1e6, 0), figure(lasts.median), figure(p99), figure(lasts.median / bare.median),
        figure(firsts.median), figure(written.median, 2),
        figure(written.median / quiet, 2), figure(each, 2),
      ])
      let bound = count == 100 ? 5.0 : 100.0
      budgeted.append(
        Budgeted(
          what: "override → every one of \(count) watchers", figure: "p99 \(figure(p99)) ms", budget: "≤ \(figure(bound, 0)) ms",
          isMet: p99 <= bound))
      if count > 1000 {
        budgeted.append(
          Budgeted(what: "memory of an idle watcher", figure: "\(figure(each, 2)) KiB", budget: "≤ 6 KiB", isMet: each <= 6))
        budgeted.append(
          Budgeted(
            what: "a write with \(count) watchers", figure: "\(figure(written.median / quiet, 2)) ×", budget: "≤ 1.2 × one without",
            isMet: written.median <= 1.2 * quiet))
      }
    }
    printTable("One override to every watcher: \(max(20, rounds * 4)) overrides, each watcher with a player of its own", rows)
    return budgeted
  }

  /// The median of a write without watchers, in milliseconds.
  private func writes(_ count: Int) throws(BenchError) -> Double {
    var opened: UInt64 = 0
    guard let nobody = watch_open(daemon.socket, Self.game, 1, 0, &opened) else { throw BenchError("a watcher cannot be opened") }
    defer { watch_close(nobody) }
    var written: [Double] = []
    for round in 0..<count {
      var times: [UInt64] = [0]
      var write: UInt64 = 0
      _ = watch_round(nobody, daemon.adminSocket, Self.request(round), &times, &write)
      written.append(Double(write) / 1e6)
      usleep(30_000)
    }
    return written.median
  }

  private static func request(_ round: Int) -> String {
    let body = "{\"value\":\(Double(round % 40) / 10 + 1.5),\"reason\":\"bench\"}"
    return "PUT /v1/games/\(game)/overrides/arcade_time_limit_base HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }
}
