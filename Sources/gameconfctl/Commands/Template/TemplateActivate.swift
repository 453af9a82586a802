// gameconfctl template activate

import ArgumentParser
import GameConfAPI
import GameConfCore

struct TemplateActivate: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "activate", abstract: "Activate a stored version; default the newest.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The version.") var version: Int64?
  @Option(help: ArgumentHelp("Activate it then, such as 2026-12-01T00:00:00Z, 18:00 or “tomorrow 9:00”.", valueName: "time"))
  var at: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    var time: Instant?
    if let at { time = try await console.daemon.time(at, "--at") }
    let body = TemplateActivationRequest(version: version, at: time, reason: change.reason)
    let reply = try await console.daemon.ask(Calls.activateTemplate, ["game": game], body: body, change: change)
    TemplateWords.show(reply, console)
  }
}
