// The entry point: selects the benchmarks and runs them in order.

import CLoad
import Glibc

/// The program `bench GAMECONFD DEFAULTS [--rounds N] [--seconds S] [--only NAME…]`.
///
/// NAME is process, rules, start, memory, socket, overrides, bulk, watches, boards, bests, or one of these:
///
/// - events (with 10 000 and with 1 000 000 players) and few-events (with 10 000)
/// - fleet, with a PostgreSQL server whose address is in GAMECONF_POSTGRES: `.ci/with-postgres bench … --only fleet`
/// - curves, drawn with `--plots FOLDER`; the largest database has `--players N`, by default a million
/// - attacks, as root, since the attackers are other users; `--attacks events,all` selects some
/// - slow-mode, ten starts over `--players N`
@main
struct Bench {
  static func main() {
    load_print_by_line()
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "attacker" { return AttackBenchmark.attack(Array(arguments.dropFirst())) }
    let rounds = takeNumber("--rounds", from: &arguments) ?? 5
    let seconds = takeNumber("--seconds", from: &arguments) ?? 2
    let plots = take("--plots", from: &arguments)
    let players = takeNumber("--players", from: &arguments) ?? 1_000_000
    let attacks = take("--attacks", from: &arguments)?.split(separator: ",").map(String.init)
    var only: [String] = []
    if let at = arguments.firstIndex(of: "--only") {
      only = Array(arguments[(at + 1)...])
      arguments.removeSubrange(at...)
    }
    let known = [
      "process", "rules", "start", "memory", "socket", "overrides", "bulk", "watches", "events", "few-events", "fleet", "boards", "bests",
      "curves", "attacks", "slow-mode",
    ]
    guard arguments.count == 2, only.allSatisfy(known.contains), rounds >= 1, seconds > 0 else {
      print("usage: bench GAMECONFD DEFAULTS [--rounds N] [--seconds S] [--plots FOLDER] [--players N] [--attacks NAME,…]")
      print("  [--only \(known.joined(separator: "|")) …]")
      exit(2)
    }
    do {
      let folder = try Workspace()
      defer { folder.remove() }
      let daemon = Daemon(program: try path(arguments[0]), defaults: try path(arguments[1]), folder: folder)
      var budgeted: [Budgeted] = []
      print("Load average at the beginning: \(loadAverage())")
      for name in only.isEmpty ? known.filter({ !["few-events", "fleet", "curves", "attacks", "slow-mode"].contains($0) }) : only {
        switch name {
        case "process": budgeted += try InProcessBenchmark().run()
        case "rules": budgeted += try RulesBenchmark().run(folder: folder)
        case "start": budgeted += try StartBenchmark(daemon: daemon).run(rounds: Int(rounds) * 2)
        case "watches": budgeted += try FanOutBenchmark(daemon: daemon, rounds: Int(rounds)).run()
        case "bulk": budgeted += try BulkBenchmark(daemon: daemon, rounds: Int(rounds)).run()
        case "memory": budgeted += try MemoryBenchmark(daemon: daemon).run()
        case "socket": budgeted += try SocketBenchmark(daemon: daemon, folder: folder, rounds: Int(rounds), seconds: seconds).run()
        case "events", "few-events":
          budgeted += try EventsBenchmark(
            program: daemon.program, defaults: daemon.defaults, rounds: Int(rounds), seconds: seconds,
            counts: name == "events" ? [10_000, 1_000_000] : [10_000]
          ).run()
        case "fleet":
          budgeted += try FleetBenchmark(program: daemon.program, defaults: daemon.defaults, rounds: Int(rounds), seconds: seconds).run()
        case "boards":
          budgeted += try BoardsBenchmark(program: daemon.program, defaults: daemon.defaults, rounds: Int(rounds), seconds: seconds).run()
        case "bests": budgeted += try BestsBenchmark(program: daemon.program, rounds: Int(rounds), seconds: seconds).run()
        case "curves":
          budgeted += try CurvesBenchmark(
            program: daemon.program, defaults: daemon.defaults, seconds: seconds, plots: plots, playersMax: Int(players)
          ).run()
        case "slow-mode":
          budgeted += try SlowModeBenchmark(
            program: daemon.program, defaults: daemon.defaults, players: UInt64(players), seconds: seconds
          ).run()
        case "attacks":
          var benchmark = AttackBenchmark(
            program: daemon.program, defaults: daemon.defaults, samples: Int32(5_000 * seconds), rounds: Int(rounds))
          if let attacks { benchmark.names = attacks }
          budgeted += try benchmark.run()
        default: budgeted += try OverridesBenchmark(daemon: daemon, folder: folder, rounds: Int(rounds), seconds: seconds).run()
        }
      }
      Budgeted.print(budgeted)
      print("\nLoad average at the end: \(loadAverage())")
    } catch {
      print("bench: \(error)")
      exit(1)
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
