// gameconfctl template activate

import ArgumentParser
import GameConfAPI

struct TemplateActivate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activate", abstract: "Bring a stored version into force, the newest unless one is named.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The version.") var version: Int64?
  @Option(help: ArgumentHelp("Then: RFC 3339, such as 2026-12-01T00:00:00Z.", valueName: "time"))
  var at: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    let body = TemplateActivationRequest(version: version, at: try at.map(TemplateWords.instant), reason: change.reason)
    let reply = try await desk.daemon.ask(Calls.activateTemplate, ["game": game], body: body, change: change)
    TemplateWords.show(reply, desk, change, asJSON: connection.json)
  }
}
