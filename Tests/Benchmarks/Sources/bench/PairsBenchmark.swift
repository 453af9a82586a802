// Two builds of the daemon, measured in turns, so that the cost of the changes between them is seen on a busy host too.

import CLoad
import Glibc

/// Compares a build of the daemon with another one: events, overrides, reads of one value, a start and an import, with SQLite and, if there is a server
/// for it, with PostgreSQL.
///
/// Both builds run on one CPU, and one of them is asked at a time. Every second round begins with the other build, so that the growth of the
/// databases and the host's other load affect both. Each round starts both anew: where a process lies in memory changes its speed by some percent.
struct PairsBenchmark {
  let build: Build
  let other: Build
  let rounds: Int
  let seconds: Double

  /// A daemon's program and its catalogs.
  struct Build {
    let program: String
    let defaults: String
  }

  private static let connections: Int32 = 32
  private static let players: UInt64 = 10_000
  /// The events of each build before the first round, which create most of the players.
  private static let fillSeconds = 3.0
  /// The seconds after an import in which the daemon writes its last good state and the log into the database.
  private static let pause: UInt32 = 4
  /// The least ratio that counts as equally fast.
  private static let budget = 0.97

  private enum Quantity: CaseIterable {
    case events, overrides, value, valueOnMany, start, bulk

    var title: String {
      switch self {
      case .events: "durable events, \(PairsBenchmark.connections) connections, k/s"
      case .overrides: "durable overrides, \(PairsBenchmark.connections) connections, k/s"
      case .value: "one value, 1 connection, k/s"
      case .valueOnMany: "one value, \(PairsBenchmark.connections) connections, k/s"
      case .start: "start to READY, ms"
      case .bulk: "import of 20 000 overrides, ms"
      }
    }

    /// True if more is better.
    var isRate: Bool { self != .start && self != .bulk }
  }

  private struct Sample {
    /// Thousands a second, or milliseconds.
    let figure: Double
    /// The daemon's processor time of one exchange, in microseconds.
    let processor: Double
  }

  /// A daemon of one build that serves, and another one, which is started only to be timed.
  private struct Side {
    let serving: Daemon
    let starting: Daemon
    private let databases: [FleetDatabase]
    private(set) var program: RunningProgram

    init(_ build: Build, _ name: String, inPostgres: Bool) throws(BenchError) {
      serving = Daemon(program: build.program, defaults: build.defaults, folder: try Workspace())
      starting = Daemon(program: build.program, defaults: build.defaults, folder: try Workspace())
      databases = inPostgres ? [try FleetDatabase("pairs_\(name)"), try FleetDatabase("starts_\(name)")] : []
      program = try Self.serve(serving, databases.first)
    }

    /// Starts the serving daemon again on its data.
    mutating func restart() throws(BenchError) {
      program.stop()
      program = try Self.serve(serving, databases.first)
    }

    private static func serve(_ daemon: Daemon, _ database: FleetDatabase?) throws(BenchError) -> RunningProgram {
      if let database { return try database.start(daemon) }
      return try daemon.start().program
    }

    /// Starts the timed daemon, and stops it when it is ready.
    func start() throws(BenchError) -> Sample {
      let started: (program: RunningProgram, milliseconds: Double)
      if let database = databases.last {
        started = try database.startTimed(starting, cpu: -1)
      } else {
        started = try starting.start(cpu: -1)
      }
      defer { started.program.stop() }
      return Sample(figure: started.milliseconds, processor: Double(load_processor_ns(started.program.pid)) / 1e3)
    }

    func remove() {
      program.stop()
      for each in databases { each.drop() }
      serving.folder.remove()
      starting.folder.remove()
    }
  }

  func run() throws(BenchError) -> [Budgeted] {
    var budgeted = try compare(inPostgres: false)
    if FleetDatabase.hasServer {
      budgeted += try compare(inPostgres: true)
    } else {
      print("  !!! NOT MEASURED: pairs on PostgreSQL (GAMECONF_POSTGRES has no address)")
    }
    return budgeted
  }

  private func compare(inPostgres: Bool) throws(BenchError) -> [Budgeted] {
    var ours = try Side(build, "ours", inPostgres: inPostgres)
    defer { ours.remove() }
    var theirs = try Side(other, "other", inPostgres: inPostgres)
    defer { theirs.remove() }
    load_pin(CPUs.load)
    for side in [ours, theirs] {
      _ = try events("fill", seconds: Self.fillSeconds).run(on: side.serving.socket)
      _ = try side.start()
    }
    var pairs = [[(ours: Sample, theirs: Sample)]](repeating: [], count: Quantity.allCases.count)
    for round in 0..<rounds {
      try ours.restart()
      try theirs.restart()
      sleep(Self.pause)
      for (index, quantity) in Quantity.allCases.enumerated() {
        if round % 2 == 1 {
          let second = try measure(quantity, theirs, round)
          pairs[index].append((try measure(quantity, ours, round), second))
        } else {
          let first = try measure(quantity, ours, round)
          pairs[index].append((first, try measure(quantity, theirs, round)))
        }
      }
    }
    return report(pairs, store: inPostgres ? "PostgreSQL" : "SQLite")
  }

  private func measure(_ quantity: Quantity, _ side: Side, _ round: Int) throws(BenchError) -> Sample {
    switch quantity {
    case .events:
      return try rate(side) { () throws(BenchError) in
        let result = try events("r\(round)", seconds: seconds).run(on: side.serving.socket)
        return (Double(result.answers), result.seconds)
      }
    case .overrides:
      return try load(side, side.serving.adminSocket, OverridesBenchmark.requests(), Self.connections)
    case .value, .valueOnMany:
      let request = Array(Peers.httpRequest("/v1/games/dartsscore/config/answers_count").utf8)
      return try load(side, side.serving.socket, [request], quantity == .value ? 1 : Self.connections)
    case .start: return try side.start()
    case .bulk:
      let request = BulkBenchmark.importing(first: round)
      sleep(Self.pause)
      let (began, worked) = (load_now_ns(), load_processor_ns(side.program.pid))
      _ = try exchange(request, on: side.serving.adminSocket)
      return Sample(
        figure: Double(load_now_ns() - began) / 1e6, processor: Double(load_processor_ns(side.program.pid) - worked) / 1e3)
    }
  }

  private func events(_ ids: String, seconds: Double) -> Course {
    Course(request: LOAD_EVENTS, players: Self.players, connections: Self.connections, ids: ids, seconds: seconds)
  }

  private func load(_ side: Side, _ socket: String, _ requests: [[UInt8]], _ connections: Int32) throws(BenchError) -> Sample {
    try rate(side) { () throws(BenchError) in
      let result = try Load(socket: socket, requests: requests, answerBytes: nil, connections: connections, seconds: seconds).run()
      return (Double(result.answers), Double(result.answers) / result.perSecond)
    }
  }

  private func rate(_ side: Side, _ body: () throws(BenchError) -> (answers: Double, seconds: Double)) throws(BenchError) -> Sample {
    let worked = load_processor_ns(side.program.pid)
    let (answers, seconds) = try body()
    return Sample(
      figure: answers / seconds / 1e3, processor: Double(load_processor_ns(side.program.pid) - worked) / 1e3 / max(1, answers))
  }

  private func report(_ pairs: [[(ours: Sample, theirs: Sample)]], store: String) -> [Budgeted] {
    var rows = [["what", "this build", "the other", "speed ÷", "least", "greatest", "processor µs each", "the other's", "÷"]]
    var budgeted: [Budgeted] = []
    for (quantity, pairs) in zip(Quantity.allCases, pairs) {
      let speeds = pairs.map { quantity.isRate ? $0.ours.figure / $0.theirs.figure : $0.theirs.figure / $0.ours.figure }
      let (ours, theirs) = (pairs.map(\.ours.figure).median, pairs.map(\.theirs.figure).median)
      let speed = speeds.median
      rows.append([
        quantity.title, figure(ours, 2), figure(theirs, 2), figure(speed, 3), figure(speeds.min() ?? 0, 2), figure(speeds.max() ?? 0, 2),
        figure(pairs.map(\.ours.processor).median), figure(pairs.map(\.theirs.processor).median),
        figure(pairs.map { $0.ours.processor / $0.theirs.processor }.median, 3),
      ])
      budgeted.append(
        Budgeted(
          what: "\(store): \(quantity.title)", figure: figure(ours, 2), beside: "\(figure(speed, 3)) × as fast as the other build",
          budget: "≥ \(figure(Self.budget, 2)) ×", isMet: speed >= Self.budget))
    }
    printTable("Two builds with \(store), in turns: medians of \(rounds) pairs of \(figure(seconds)) s", rows)
    return budgeted
  }
}
