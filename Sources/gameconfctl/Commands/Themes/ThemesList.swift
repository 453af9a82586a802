// gameconfctl themes list

import ArgumentParser
import GameConfAPI

struct ThemesList: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the themes of a game; with --player, unlocked or with their progress.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("For this player.", valueName: "id"), completion: .players)
  var player: String?
  @Option(help: ArgumentHelp("Names in this language, as a BCP 47 tag.", valueName: "tag"))
  var locale: String?
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    var variables = ["game": game]
    if let player { variables["player"] = player }
    let reply = try await console.daemon.ask(
      player == nil ? Calls.themes : Calls.playerThemes, variables, query: locale.map { [("locale", $0)] } ?? [])
    console.show(reply.value) {
      console.screen.show(ThemeTable.of(reply.answer.themes, on: console.screen))
    }
  }
}
