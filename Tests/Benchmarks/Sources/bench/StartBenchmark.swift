// The time from exec to READY, for the shipped games and for one game with as many parameters as a game may have, compared with a start of
// Redis.

import CLoad

/// Measures the time of a start until reads are served.
struct StartBenchmark {
  let daemon: Daemon

  func run(rounds: Int) throws(BenchError) -> [Budgeted] {
    let large = daemon.folder.folder("large")
    try daemon.folder.write(Self.catalog(parameters: 3_000), to: "large/large.yaml")
    var rows = [["start to READY", "median ms", "slowest ms", "budget ms"]]
    var budgeted: [Budgeted] = []
    let redis = try redis(rounds: rounds).median
    let cases = [
      (title: "five shipped games", catalogs: daemon.defaults, state: "state", budget: 30.0),
      // The large game has a separate state folder, since an accepted game continues to be served and would affect the later measurements
      // of the shipped games.
      ("one game, 3 000 parameters", large, "large-state", 100),
    ]
    for (title, catalogs, state, budget) in cases {
      var taken: [Double] = []
      for _ in 0..<rounds {
        let started = try daemon.start(catalogs: catalogs, state: state, cpu: -1)
        started.program.stop()
        taken.append(started.milliseconds)
      }
      rows.append([title, figure(taken.median), figure(taken.max() ?? 0), "≤ \(figure(budget, 0))"])
      budgeted.append(
        Budgeted(
          what: "exec to READY, \(title)", figure: "\(figure(taken.median)) ms",
          beside: "\(figure(redis)) ms: redis-server to its first answer", budget: "≤ \(figure(budget, 0)) ms",
          isMet: taken.median <= budget))
    }
    rows.append(["redis-server, to its first answer", figure(redis), "", ""])
    printTable("Start: \(rounds) times each, with what the start before has kept", rows)
    return budgeted
  }

  /// Returns the milliseconds of a start of Redis in each round.
  private func redis(rounds: Int) throws(BenchError) -> [Double] {
    var taken: [Double] = []
    for _ in 0..<rounds {
      let started = try Peers(folder: daemon.folder).redis(bodies: [:])
      let answer = try exchange("*1\r\n$4\r\nPING\r\n", on: started.socket)
      guard answer == "+PONG\r\n" else { throw BenchError("redis-server answers \(answer)") }
      taken.append(Double(load_now_ns() - started.program.startedNanoseconds) / 1e6)
      started.program.stop()
    }
    return taken
  }

  /// Returns the YAML of a catalog with that many parameters of several types.
  static func catalog(parameters: Int) -> String {
    var text = "gameconf: 1\ngame: large\ntitle: Large\nlocales: [en]\nparameters:\n"
    for number in 0..<parameters {
      let kinds = [
        "type: integer\n    default: \(number)\n    range: {min: 0, max: 100000}", "type: boolean\n    default: true",
        "type: double\n    default: \(number).5", "type: string\n    default: \"text \(number)\"",
      ]
      text += "  parameter_\(number):\n    \(kinds[number % kinds.count])\n    section: Section \(number / 100)\n"
      text += "    description: What parameter \(number) does.\n"
    }
    return text
  }
}
