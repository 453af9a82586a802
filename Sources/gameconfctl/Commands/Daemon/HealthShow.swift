// gameconfctl health

import ArgumentParser
import GameConfAPI

struct HealthShow: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "health", abstract: "Show if every game is served; exits with 7 if something is degraded.")

  @OptionGroup var connection: ConnectionOptions

  /// The timeout in seconds without `--timeout`. A daemon that serves answers this call within milliseconds, however busy it is.
  static let usualSeconds = 3.0

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(Calls.healthReady)
    console.show(reply.value) {
      console.screen.write(reply.answer.status.rawValue + "\n")
      if !reply.answer.degraded.isEmpty { console.screen.show(DegradationTable.of(reply.answer.degraded)) }
    }
    if reply.answer.status == .degraded || !reply.answer.degraded.isEmpty {
      throw CtlFailure.reported(.degraded)
    }
  }
}

enum DegradationTable {
  static func of(_ degraded: [Degradation]) -> Table {
    // The detail of a degradation has one line for each fault of a file.
    let lines = degraded.flatMap { each in (each.detail ?? "-").split(separator: "\n").map { (of: each, line: String($0)) } }
    return Table(lines) {
      Column("game") { $0.of.game }
      Column("what", .state) { $0.of.word }
      Column("since", .when) { $0.of.since }
      Column("detail") { $0.line }
    }
  }
}
