// gameconfctl scenario check

import ArgumentParser
import GameConfAPI

struct ScenarioCheck: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Print what a scenario would do, and change nothing.")

  @Argument(help: "The scenario's file; - is standard input.", completion: .file(extensions: ["yaml"])) var file: String
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    let reply = try await ScenarioFile(file, reason: nil).begin(desk.daemon, isDryRun: true)
    desk.show(reply.value, asJSON: connection.json) {
      for warning in reply.answer.warnings { desk.screen.note("warning: " + SafeText.escaped(warning)) }
      desk.screen.show(reply.answer.table(desk.screen.look))
    }
  }
}
