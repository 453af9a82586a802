// gameconfctl config clear

import ArgumentParser
import GameConfAPI

struct ConfigClear: ChangeCommand, DestructiveCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Remove every override of the game, of one player, of all players, or of both.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("The overrides of this player.", valueName: "id"), completion: .players)
  var player: String?
  @Flag(help: "The overrides of every player.") var players = false
  @Flag(help: "The overrides of the game and of every player.") var all = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard [player != nil, players, all].filter({ $0 }).count <= 1 else {
      throw ValidationError("--player, --players and --all exclude each other.")
    }
  }

  var scope: ClearRequest.ClearScope { player != nil ? .player : players ? .players : all ? .all : .game }

  func run(on console: Console) async throws {
    var console = console
    console.daemon.timeoutSeconds = max(console.daemon.timeoutSeconds, ConfigGroup.patienceSeconds)
    let whose: Sentence =
      switch scope {
      case .game: "the overrides for the game"
      case .player: "the overrides of player \(player ?? "")"
      case .players: "the overrides of every player"
      case .all: "the overrides for the game and of every player"
      }
    if !change.dryRun { try console.screen.confirm("Remove \(whose) in \(game)?", isAgreed: change.agreement.yes) }
    console.daemon.waiting?.what = "removing \(whose)"
    let reply = try await console.daemon.ask(
      Calls.clearOverrides, ["game": game], body: ClearRequest(scope: scope, player: player, reason: change.reason), change: change)
    console.show(reply.value) {
      console.report("\(reply.answer.cleared, "override is", "overrides are") removed; revision \(reply.answer.revision)")
    }
  }
}
