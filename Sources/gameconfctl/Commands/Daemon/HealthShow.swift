// gameconfctl health

import ArgumentParser
import GameConfAPI

struct HealthShow: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "health", abstract: "Show if every game is served; exits with 7 if something is degraded.")

  @OptionGroup var connection: ConnectionOptions

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
    var table = Table(["game", .state("what"), .when("since"), "detail"])
    for each in degraded {
      // A detail has a line for each fault of a file.
      for line in (each.detail ?? "-").split(separator: "\n") {
        table.add([each.game ?? "-", each.what, each.since?.text ?? "-", String(line)])
      }
    }
    return table
  }
}
