// gameconfctl health

import ArgumentParser
import GameConfAPI

struct HealthShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health", abstract: "Show if every game is served; exits with 7 if something is degraded.")

  @OptionGroup var connection: ConnectionOptions

  /// A daemon that serves answers this within milliseconds, however busy it is.
  private static let usualSeconds = 3.0

  func run() async throws {
    let console = connection.console(usual: Self.usualSeconds)
    let reply = try await console.daemon.ask(Calls.healthReady)
    console.show(reply.value, asJSON: connection.json) {
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
    var table = Table(["game", .state("what"), .when("since"), "detail"])
    for each in degraded {
      // A detail has a line for each fault of a file.
      for line in (each.detail ?? "-").split(separator: "\n") {
        table.add([each.game ?? "-", each.word, each.since?.text ?? "-", String(line)])
      }
    }
    return table
  }
}
