// gameconfctl template rollback

import ArgumentParser
import GameConfAPI

struct TemplateRollback: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Make an older version current again; default the previous one.",
    discussion: "It becomes a new version with the same document, so that the history keeps every step.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The version.") var version: Int64?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let body = TemplateActivationRequest(version: version, reason: change.reason)
    let reply = try await console.daemon.ask(Calls.rollbackTemplate, ["game": game], body: body, change: change)
    TemplateWords.show(reply, console)
  }
}
