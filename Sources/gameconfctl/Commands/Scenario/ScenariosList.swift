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
      console.screen.show(
        Table(reply.answer.scenarios, whenEmpty: "no scenario is in force") {
          Column("scenario") { $0.scenario.id }
          Column("title") { $0.scenario.title }
          Column("games") { $0.games.joined(separator: ", ") }
          Column("values", .value) { $0.holds.count }
          Column("by", .aside) { $0.scenario.author.label }
          Column("since", .when, .aside) { $0.scenario.startedAt }
          Column("lease until", .when) { $0.scenario.isEnding ? "being taken back" : $0.scenario.leaseUntil.text }
          Column("reason", .aside) { $0.scenario.reason }
        })
    }
  }
}

extension WireScenario {
  var name: String { title.map { "“\($0)” (\(id))" } ?? id }
}
