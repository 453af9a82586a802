// A leaderboard with a million players: its first rows and a player's rank, compared with the same statements on SQLite alone.

import CLoad

/// Measures reads of a leaderboard's first rows, and of players' ranks on it.
struct BoardsBenchmark {
  let program: String
  let defaults: String
  let rounds: Int
  let seconds: Double

  private static let players: UInt64 = 1_000_000

  func run() throws(BenchError) -> [Budgeted] {
    let folder = try Workspace()
    defer { folder.remove() }
    let daemon = Daemon(program: program, defaults: defaults, folder: folder)
    let database = folder.folder("state") + "/gameconfd.db"
    let first = try daemon.start().program
    let course = Course(request: LOAD_EVENTS, players: 1, connections: 1, seconds: 60, exchangesMax: 21)
    _ = try course.run(on: daemon.socket)
    first.stop()
    try attempting { peer_fill(database, Self.players, &$0) }
    try attempting { peer_rank(database, &$0) }
    guard load_copy(database, folder.path + "/alone.db") == 0 else { throw BenchError("the database cannot be copied") }
    let started = try daemon.start().program
    defer { started.stop() }
    started.waitUntilIdle()
    var rows = [["1 000 000 players", "gameconfd p50 µs", "p99 µs", "SQLite p50 µs", "p99 µs"]]
    var budgeted: [Budgeted] = []
    for (name, request, isRank, budget) in [("first 100 rows", LOAD_TOP, false, 200.0), ("a player's place", LOAD_RANK, true, 500.0)] {
      var (ours, alone) = (Latencies(), Latencies())
      for _ in 0..<rounds {
        load_pin(CPUs.load)
        ours.add(try Course(request: request, players: Self.players, connections: 1, warmUp: 0.5, seconds: seconds).run(on: daemon.socket))
        load_pin(CPUs.server)
        var result = load_result()
        try attempting { peer_board(folder.path + "/alone.db", Self.players, isRank ? 1 : 0, seconds, &result, &$0) }
        alone.add(result)
      }
      rows.append([
        name, figure(ours.medians.median), figure(ours.p99s.median), figure(alone.medians.median), figure(alone.p99s.median),
      ])
      budgeted.append(
        Budgeted(
          what: "leaderboard of 1 000 000: \(name), p99", figure: "\(figure(ours.p99s.median / 1000, 2)) ms",
          beside: "SQLite alone \(figure(alone.p99s.median / 1000, 2)) ms", budget: "≤ \(figure(budget / 1000)) ms",
          isMet: ours.p99s.median <= budget))
    }
    printTable("Leaderboards, one connection: medians of \(rounds) rounds of \(figure(seconds)) s", rows)
    return budgeted
  }
}

/// Measures events that improve a player's best or rank, compared with the same events in a game without bests and leaderboards.
struct BestsBenchmark {
  let program: String
  let rounds: Int
  let seconds: Double

  private static let players: UInt64 = 1_000
  private static let connections: Int32 = 32
  private static let costMax = 0.15
  private static let kinds = ["neither", "leaderboard", "best_by"]

  private static func catalog(_ kind: String) -> String {
    """
    gameconf: 1
    game: wheresthedot
    title: Benchmark
    locales: [en]
    modes: [classic, arcade]
    events: {game_over: {score: true, reasons: [timeUp], details: {stage: {type: integer}}\(kind == "best_by" ? ", best_by: stage" : "")}}
    \(kind == "leaderboard" ? "leaderboards: {classic: {event: game_over, mode: classic}}" : "")

    """
  }

  func run() throws(BenchError) -> [Budgeted] {
    let folder = try Workspace()
    defer { folder.remove() }
    var perSecond: [String: [Double]] = [:]
    var first: UInt64 = 1
    for kind in Self.kinds {
      _ = folder.folder("games-" + kind)
      try folder.write(Self.catalog(kind), to: "games-\(kind)/wheresthedot.yaml")
    }
    for round in 0..<rounds {
      // Each round begins with another kind of catalog, so that no kind always has the warm disk.
      for at in Self.kinds.indices {
        let kind = Self.kinds[(at + round) % Self.kinds.count]
        let daemon = Daemon(program: program, defaults: folder.path + "/games-" + kind, folder: folder)
        let started = try daemon.start(state: "state-" + kind).program
        defer { started.stop() }
        started.waitUntilIdle()
        load_pin(CPUs.load)
        for (what, request) in [("better", LOAD_BETTER), ("no better", LOAD_NO_BETTER)] {
          let result = try Course(
            request: request, players: Self.players, connections: Self.connections, ids: "\(kind)\(round)\(what.count)", firstScore: first,
            warmUp: 1, seconds: seconds
          ).run(on: daemon.socket)
          perSecond["\(kind), \(what)", default: []].append(Double(result.answers) / result.seconds)
          first += 100_000_000
        }
      }
    }
    var rows = [["events a second", "better", "÷ neither", "no better", "÷ neither"]]
    var budgeted: [Budgeted] = []
    func median(_ kind: String, _ what: String) -> Double { perSecond["\(kind), \(what)"]?.median ?? 0 }
    for kind in Self.kinds {
      let shares = ["better", "no better"].map { median(kind, $0) / median("neither", $0) }
      rows.append([
        kind, figure(median(kind, "better"), 0), figure(shares[0], 2), figure(median(kind, "no better"), 0), figure(shares[1], 2),
      ])
      if kind == "neither" { continue }
      for (what, share, least) in [
        ("that improves a \(kind)", shares[0], 1 - Self.costMax), ("that does not improve a \(kind)", shares[1], 0.97),
      ] {
        budgeted.append(
          Budgeted(
            what: "an event \(what)", figure: "\(figure(share, 2)) × one without", budget: "≥ \(figure(least, 2)) ×", isMet: share >= least)
        )
      }
    }
    printTable(
      "Events of \(Self.players) players on \(Self.connections) connections: medians of \(rounds) rounds of \(figure(seconds)) s", rows)
    return budgeted
  }
}

/// A load of requests of one kind, each about one of many players.
struct Course {
  let request: load_request
  let players: UInt64
  let connections: Int32
  var ids = "b"
  var firstScore: UInt64 = 0
  var warmUp = 0.0
  let seconds: Double
  var exchangesMax: UInt64 = 0

  func run(on socket: String) throws(BenchError) -> load_result {
    var result = load_result()
    try attempting { fault in
      ids.withCString { ids in
        var course = load_course(
          request: request, connections: connections, players: players, ids: ids, first_score: firstScore, warm_up_seconds: warmUp,
          seconds: seconds, exchanges_max: exchangesMax)
        return load_players(socket, &course, &result, &fault)
      }
    }
    return result
  }
}

/// The latencies of the exchanges in each round, in µs.
private struct Latencies {
  var medians: [Double] = []
  var p99s: [Double] = []

  mutating func add(_ result: load_result) {
    medians.append(Double(result.median_ns) / 1000)
    p99s.append(Double(result.p99_ns) / 1000)
  }
}

func attempting(_ body: (inout [CChar]) -> Int32) throws(BenchError) {
  var fault = [CChar](repeating: 0, count: 128)
  guard body(&fault) == 0 else { throw BenchError(text(fault)) }
}
