// gameconfctl scenario list

import ArgumentParser
import GameConfAPI

struct ScenariosList: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the scenarios in force: their authors, their games, and the ends of their leases.")

  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(Calls.scenarios)
    console.show(reply.value) {
      var table = Table(
        [
          "scenario", "title", "games", .value("values"), .aside("by"), .aside(.when("since")), .when("lease until"), .aside("reason"),
        ], whenEmpty: "no scenario is in force")
      for each in reply.answer.scenarios {
        let scenario = each.scenario
        table.add([
          scenario.id, scenario.title ?? "-", each.games.joined(separator: ", "), String(each.holds.count), scenario.author.label,
          scenario.startedAt.text, scenario.isEnding ? "being taken back" : scenario.leaseUntil.text, scenario.reason ?? "-",
        ])
      }
      console.screen.show(table)
    }
  }
}

extension WireScenario {
  /// Its name in a message: its title and its id.
  var name: String { title.map { "“\($0)” (\(id))" } ?? id }
}
