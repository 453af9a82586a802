// gameconfctl themes reset

import ArgumentParser
import GameConfAPI

struct ThemesReset: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Remove the override of a theme's milestone, so that the catalog's number counts again.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The theme.", completion: .themes) var theme: String
  @Option(help: ArgumentHelp("For this player only.", valueName: "id"), completion: .players)
  var player: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let edit = OverrideOrder(console: console, game: game, player: player, change: change)
    let catalog = try await edit.console.daemon.ask(Calls.catalog, ["game": game]).answer
    try await edit.reset(try catalog.knownThreshold(ofTheme: theme, in: game).key(ofTheme: theme), window: nil)
  }
}
