// gameconfctl scenario check

import ArgumentParser
import GameConfAPI

struct ScenarioCheck: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Print what a scenario would do, and change nothing.")

  @Argument(help: "The scenario's file; - is standard input.", completion: .file(extensions: ["yaml"])) var file: String
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let reply = try await ScenarioFile(file, reason: nil).begin(console.daemon, isDryRun: true)
    console.show(reply.value) {
      for warning in reply.answer.warnings { console.screen.note("warning: \(warning)") }
      console.screen.show(reply.answer.table)
    }
  }
}
