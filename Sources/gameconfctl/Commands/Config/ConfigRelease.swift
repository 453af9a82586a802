// gameconfctl config release

import ArgumentParser
import GameConfAPI

struct ConfigRelease: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "release", abstract: "Release the overrides of a key from quarantine, if the catalog admits them again.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The key.", completion: .keys) var key: String
  @Option(help: ArgumentHelp("The overrides of this player.", valueName: "id"), completion: .players)
  var player: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    var variables = ["game": game, "key": key]
    if let player { variables["player"] = player }
    let reply = try await console.daemon.ask(
      player == nil ? Calls.releaseOverride : Calls.releasePlayerOverride, variables, body: ReasonRequest(reason: change.reason),
      change: change)
    console.show(reply.value) {
      if change.dryRun { console.screen.note("nothing was changed; without --dry-run: this would be in force") }
      console.screen.show(OverrideListing.of(reply.answer.overrides))
    }
  }
}
