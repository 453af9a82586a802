// gameconfctl config reset

import ArgumentParser

struct ConfigReset: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Remove the overrides of one or several keys with their windows, or one window.", aliases: ["unset"])

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The key.", completion: .keys) var key: String
  @Argument(help: "More keys.", completion: .keys) var more: [String] = []
  @Option(help: ArgumentHelp("For this player only.", valueName: "id"), completion: .players)
  var player: String?
  @Option(help: ArgumentHelp("Only this window.", valueName: "id"))
  var window: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if more.isEmpty { return }
    if window != nil { throw ValidationError("--window is for one key.") }
    if change.idempotencyKey != nil { throw ValidationError("--idempotency-key is for one change; name one key.") }
  }

  func run(on console: Console) async throws {
    let edit = OverrideOrder(console: console, game: game, player: player, change: change)
    for key in [key] + more { try await edit.reset(key, window: window) }
  }
}
