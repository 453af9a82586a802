// gameconfctl config reset

import ArgumentParser

struct ConfigReset: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Remove what is forced at a key, windows included; or one window.", aliases: ["unset"])

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The key.", completion: .keys) var key: String
  @Option(help: ArgumentHelp("For this player only.", valueName: "id"), completion: .players)
  var player: String?
  @Option(help: ArgumentHelp("Only this window.", valueName: "id"))
  var window: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let edit = OverrideOrder(desk: connection.desk(), game: game, player: player, change: change, asJSON: connection.json)
    try await edit.reset(key, window: window)
  }
}
