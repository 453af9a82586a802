// The entry point: selects the benchmarks and runs them in order.

import CLoad
import Glibc

/// The program `bench GAMECONFD DEFAULTS [--rounds N] [--seconds S] [--only NAME…]`.
///
/// NAME is process, rules, start, memory, socket, overrides, bulk, watches, boards, bests, or one of these:
///
/// - events (with 10 000 and with 1 000 000 players) and few-events (with 10 000)
/// - fleet and hosts, with a PostgreSQL server whose address is in GAMECONF_POSTGRES: `.ci/with-postgres bench … --only fleet`; hosts opens more than
///   a thousand connections to it, which takes GAMECONF_POSTGRES_CONNECTIONS=1400
/// - curves, drawn with `--plots FOLDER`; the largest database has `--players N`, by default a million
/// - attacks, as root, since the attackers are other users; `--attacks events,all` selects some
/// - slow-mode, ten starts over `--players N`
/// - pairs, which compares the build in turns with another one: `--beside GAMECONFD DEFAULTS`; on PostgreSQL too where GAMECONF_POSTGRES is set
@main
struct Bench {
  private let daemon: Daemon
  private let rounds: Int
  private let seconds: Double
  private let plots: String?
  private let players: Double
  private let attacks: [String]?
  private let other: PairsBenchmark.Build?

  private static let known = [
    "process", "rules", "start", "memory", "socket", "overrides", "bulk", "watches", "events", "few-events", "fleet", "hosts", "boards",
    "bests", "curves", "attacks", "slow-mode", "pairs",
  ]
  /// The benchmarks that run only where they are named.
  private static let named = ["few-events", "fleet", "hosts", "curves", "attacks", "slow-mode", "pairs"]

  static func main() {
    load_print_by_line()
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "attacker" { return AttackBenchmark.attack(Array(arguments.dropFirst())) }
    let rounds = takeNumber("--rounds", from: &arguments) ?? 5
    let seconds = takeNumber("--seconds", from: &arguments) ?? 2
    let plots = take("--plots", from: &arguments)
    let players = takeNumber("--players", from: &arguments) ?? 1_000_000
    let attacks = take("--attacks", from: &arguments)?.split(separator: ",").map(String.init)
    let beside = takePair("--beside", from: &arguments)
    var only: [String] = []
    if let at = arguments.firstIndex(of: "--only") {
      only = Array(arguments[(at + 1)...])
      arguments.removeSubrange(at...)
    }
    guard arguments.count == 2, only.allSatisfy(known.contains), rounds >= 1, seconds > 0 else {
      print("usage: bench GAMECONFD DEFAULTS [--rounds N] [--seconds S] [--plots FOLDER] [--players N] [--attacks NAME,…]")
      print("  [--beside GAMECONFD DEFAULTS]")
      print("  [--only \(known.joined(separator: "|")) …]")
      exit(2)
    }
    do {
      let (program, defaults) = (try path(arguments[0]), try path(arguments[1]))
      var other: PairsBenchmark.Build?
      if let beside { other = PairsBenchmark.Build(program: try path(beside.0), defaults: try path(beside.1)) }
      let folder = try Workspace()
      let daemon = Daemon(program: program, defaults: defaults, folder: folder)
      let bench = Bench(
        daemon: daemon, rounds: Int(rounds), seconds: seconds, plots: plots, players: players, attacks: attacks, other: other)
      let isComplete = bench.run(only.isEmpty ? known.filter { !named.contains($0) } : only)
      folder.remove()
      exit(isComplete ? 0 : 1)
    } catch {
      print("bench: \(error)")
      exit(1)
    }
  }

  /// Runs benchmarks and prints the figures that have a budget. A benchmark that fails does not keep the others from running.
  /// - Returns: True if none has failed.
  private func run(_ names: [String]) -> Bool {
    var (budgeted, isComplete): ([Budgeted], Bool) = ([], true)
    print("Load average at the beginning: \(loadAverage())")
    for name in names {
      do throws(BenchError) { budgeted += try measure(name) } catch {
        print("bench: \(name): \(error)")
        isComplete = false
      }
    }
    Budgeted.print(budgeted)
    print("\nLoad average at the end: \(loadAverage())")
    return isComplete
  }

  private func measure(_ name: String) throws(BenchError) -> [Budgeted] {
    let (program, defaults, folder) = (daemon.program, daemon.defaults, daemon.folder)
    switch name {
    case "process": return try InProcessBenchmark().run()
    case "rules": return try RulesBenchmark().run(folder: folder)
    case "start": return try StartBenchmark(daemon: daemon).run(rounds: rounds * 2)
    case "watches": return try FanOutBenchmark(daemon: daemon, rounds: rounds).run()
    case "bulk": return try BulkBenchmark(daemon: daemon, rounds: rounds).run()
    case "memory": return try MemoryBenchmark(daemon: daemon).run()
    case "socket": return try SocketBenchmark(daemon: daemon, folder: folder, rounds: rounds, seconds: seconds).run()
    case "events", "few-events":
      return try EventsBenchmark(
        program: program, defaults: defaults, rounds: rounds, seconds: seconds, counts: name == "events" ? [10_000, 1_000_000] : [10_000]
      ).run()
    case "fleet": return try FleetBenchmark(program: program, defaults: defaults, rounds: rounds, seconds: seconds).run()
    case "hosts": return try HostsBenchmark(program: program, defaults: defaults, rounds: rounds, seconds: seconds).run()
    case "boards": return try BoardsBenchmark(program: program, defaults: defaults, rounds: rounds, seconds: seconds).run()
    case "bests": return try BestsBenchmark(program: program, rounds: rounds, seconds: seconds).run()
    case "curves":
      return try CurvesBenchmark(program: program, defaults: defaults, seconds: seconds, plots: plots, playersMax: Int(players)).run()
    case "slow-mode":
      return try SlowModeBenchmark(program: program, defaults: defaults, players: UInt64(players), seconds: seconds).run()
    case "pairs":
      guard let other else { throw BenchError("there is no other build to compare with: give --beside GAMECONFD DEFAULTS") }
      let build = PairsBenchmark.Build(program: program, defaults: defaults)
      return try PairsBenchmark(build: build, other: other, rounds: rounds, seconds: seconds).run()
    case "attacks":
      var benchmark = AttackBenchmark(program: program, defaults: defaults, samples: Int32(5_000 * seconds), rounds: rounds)
      if let attacks { benchmark.names = attacks }
      return try benchmark.run()
    default: return try OverridesBenchmark(daemon: daemon, folder: folder, rounds: rounds, seconds: seconds).run()
    }
  }

  private static func takeNumber(_ name: String, from arguments: inout [String]) -> Double? {
    take(name, from: &arguments).flatMap { Double($0) }
  }

  private static func take(_ name: String, from arguments: inout [String]) -> String? {
    guard let at = arguments.firstIndex(of: name), at + 1 < arguments.count else { return nil }
    defer { arguments.removeSubrange(at...(at + 1)) }
    return arguments[at + 1]
  }

  private static func takePair(_ name: String, from arguments: inout [String]) -> (String, String)? {
    guard let at = arguments.firstIndex(of: name), at + 2 < arguments.count else { return nil }
    defer { arguments.removeSubrange(at...(at + 2)) }
    return (arguments[at + 1], arguments[at + 2])
  }

  private static func path(_ given: String) throws(BenchError) -> String {
    guard let resolved = realpath(given, nil) else { throw BenchError("\(given): \(String(cString: strerror(errno)))") }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// The reason why a benchmark failed.
struct BenchError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
