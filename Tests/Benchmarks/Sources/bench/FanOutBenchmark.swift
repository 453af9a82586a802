// One override of which every watcher is notified: the time until the last is notified, the cost of a watcher, and the cost for the writer.

import CLoad
import Glibc

/// Measures 100 and then 10 000 watchers on one load thread, each of which watches a different player.
struct FanOutBenchmark {
  let daemon: Daemon
  let rounds: Int

  static let game = "wheresthedot"
  private static let counts: [Int32] = [100, 10_000]

  func run() throws(BenchError) -> [Budgeted] {
    raiseDescriptors()
    var program = try start(daemon, state: "watches")
    defer { program.stop() }
    // A second daemon has no watchers, to compare the cost of a write. Writes to the two daemons alternate at the same pace.
    let other = try Workspace()
    defer { other.remove() }
    let unwatched = Daemon(program: daemon.program, defaults: daemon.defaults, folder: other)
    let quiet = try start(unwatched, state: "unwatched")
    defer { quiet.stop() }
    load_pin(CPUs.load)
    var rows = [
      [
        "watchers", "opened in ms", "last told, median ms", "p99 ms", "÷ bare writes", "processor µs each", "÷ bare writes",
        "first told ms", "write ms", "÷ without", "KiB each", "all back in ms",
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
      usleep(300_000)
      let each = Double(program.kibibytes("VmRSS") - before) / Double(count)
      let cost = try measure(crowd, count, program, unwatched)
      program.stop()
      program = try start(daemon, state: "watches")
      var (write, returned): (UInt64, UInt64) = (0, 0)
      guard watch_write(daemon.adminSocket, Self.request(1_001), &write) == 0 else { throw BenchError("a write failed") }
      let missing = watch_return(crowd, daemon.socket, Self.game, 1, &returned)
      if missing > 0 { throw BenchError("\(missing) of \(count) watchers did not come back") }
      let (p99, slower) = (cost.lasts.percentile(99), cost.writes.median / cost.quiet.median)
      rows.append([
        "\(count)", figure(Double(opened) / 1e6, 0), figure(cost.lasts.median), figure(p99), figure(cost.lasts.median / cost.bare.median),
        figure(cost.processor), figure(cost.processor / cost.bareProcessor), figure(cost.firsts.median), figure(cost.writes.median, 2),
        figure(slower, 2), figure(each, 2), figure(Double(returned) / 1e6, 0),
      ])
      let bound = count == 100 ? 5.0 : 50.0
      budgeted.append(
        Budgeted(
          what: "override → every one of \(count) watchers", figure: "p99 \(figure(p99)) ms",
          beside: "bare writes of the same bytes p99 \(figure(cost.bare.percentile(99)))", budget: "≤ \(figure(bound, 0)) ms",
          isMet: p99 <= bound))
      if count > 1000 {
        budgeted.append(
          Budgeted(what: "memory of an idle watcher", figure: "\(figure(each, 2)) KiB", budget: "≤ 6 KiB", isMet: each <= 6))
        budgeted.append(
          Budgeted(
            what: "a write with \(count) watchers", figure: "\(figure(slower, 2)) ×",
            beside: "a daemon that nobody watches, in turns", budget: "≤ 1.2 × one without", isMet: slower <= 1.2))
      }
    }
    rows.append(try besideOneThatStopped(program, unwatched))
    printTable("One override to every watcher: \(overrides) overrides, each watcher with a player of its own", rows)
    return budgeted
  }

  /// Measures 9 999 watchers while another one has stopped reading and its socket is full: the effect on the others and on the writer, and
  /// the disconnection of the stopped one.
  private func besideOneThatStopped(_ program: RunningProgram, _ unwatched: Daemon) throws(BenchError) -> [String] {
    let deaf = watch_deaf(daemon.socket, Self.game)
    guard deaf >= 0 else { throw BenchError("a watcher that does not read cannot be opened") }
    defer { close(deaf) }
    var write: UInt64 = 0
    // These writes fill the socket and the queue of the stopped watcher, before the others exist. The daemon reports changes within 20 ms
    // as one.
    for round in 0..<800 {
      guard watch_write(daemon.adminSocket, Self.request(round), &write) == 0 else { throw BenchError("a write failed") }
      usleep(25_000)
    }
    let count: Int32 = 9_999
    var opened: UInt64 = 0
    guard let crowd = watch_open(daemon.socket, Self.game, count, 1, &opened) else {
      throw BenchError("\(count) watchers cannot be opened")
    }
    defer { watch_close(crowd) }
    let cost = try measure(crowd, count, program, unwatched)
    let isCutOff = watch_is_cut_off(deaf, 60_000) == 1
    if !isCutOff { throw BenchError("a watcher that does not read was not cut off") }
    return [
      "\(count) beside one that stopped", figure(Double(opened) / 1e6, 0), figure(cost.lasts.median), figure(cost.lasts.percentile(99)),
      figure(cost.lasts.median / cost.bare.median), figure(cost.processor), figure(cost.processor / cost.bareProcessor),
      figure(cost.firsts.median), figure(cost.writes.median, 2), figure(cost.writes.median / cost.quiet.median, 2), "-", "-",
    ]
  }

  private var overrides: Int { max(20, rounds * 4) }

  /// Times in milliseconds, and the processor time in microseconds for each notified watcher.
  private struct Cost {
    var (lasts, firsts, writes, quiet, bare): ([Double], [Double], [Double], [Double], [Double]) = ([], [], [], [], [])
    var (processor, bareProcessor) = (0.0, 0.0)
  }

  private func start(_ daemon: Daemon, state: String) throws(BenchError) -> RunningProgram {
    try daemon.start(
      state: state, environment: ["GAMECONFD_CONNECTIONS_PER_UID_MAX=12000", "GAMECONFD_CONNECTIONS_MAX=12288"]
    ).program
  }

  /// Sets an override repeatedly. Each time, a write to the daemon without watchers follows, then bare writes of the same bytes to sockets.
  private func measure(_ crowd: OpaquePointer, _ count: Int32, _ program: RunningProgram, _ unwatched: Daemon) throws(BenchError) -> Cost {
    // The lower bound is a process that only writes to sockets. For many watchers it has a quarter of the sockets, since descriptors are
    // limited.
    let part: Int32 = count > 1_000 ? 4 : 1
    guard let floor = watch_floor(count / part, CPUs.server) else {
      throw BenchError("\(count / part) pairs of sockets cannot be opened")
    }
    defer { watch_close(floor) }
    var cost = Cost()
    var (worked, bareWorked): (Int64, Int64) = (0, 0)
    for round in 0..<overrides {
      var times = [UInt64](repeating: 0, count: Int(count))
      var write: UInt64 = 0
      let processor = load_processor_ns(program.pid)
      let missing = watch_round(crowd, daemon.adminSocket, Self.request(round), &times, &write)
      if missing > 0 { throw BenchError("\(missing) of \(count) watchers never heard of an override") }
      worked += load_processor_ns(program.pid) - processor
      cost.lasts.append(Double(times[Int(count) - 1]) / 1e6)
      cost.firsts.append(Double(times[0]) / 1e6)
      cost.writes.append(Double(write) / 1e6)
      guard watch_write(unwatched.adminSocket, Self.request(round), &write) == 0 else { throw BenchError("a write failed") }
      cost.quiet.append(Double(write) / 1e6)
      let bare = watch_writer_ns(floor)
      if watch_floor_round(floor, &times) > 0 { throw BenchError("bare writes got lost") }
      bareWorked += watch_writer_ns(floor) - bare
      cost.bare.append(Double(times[Int(count / part) - 1]) / 1e6 * Double(part))
      // The pause lasts at least four fan-outs, after which the daemon reports the next change immediately.
      usleep(100_000 + UInt32(min(cost.lasts[round], 1_000) * 4_000))
    }
    cost.processor = Double(worked) / Double(overrides) / Double(count) / 1e3
    cost.bareProcessor = Double(bareWorked) / Double(overrides) / Double(count / part) / 1e3
    return cost
  }

  static func request(_ round: Int) -> String {
    let body = "{\"value\":\(Double(round % 40) / 10 + 1.5),\"reason\":\"bench\"}"
    return "PUT /v1/games/\(game)/overrides/arcade_time_limit_base HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }
}
