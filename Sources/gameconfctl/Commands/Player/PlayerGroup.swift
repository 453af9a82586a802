// gameconfctl player

import ArgumentParser
import GameConfAPI
import GameConfCore

struct PlayerGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "player", abstract: "Show and change a player's scores, settings, clock and progress.",
    subcommands: [
      PlayerList.self, PlayerShow.self, PlayerMake.self, PlayerScore.self, PlayerSettings.self, PlayerOverrides.self, PlayerClockMove.self,
      PlayerExport.self, PlayerImport.self, PlayerCopy.self, PlayerReset.self, PlayerForget.self,
    ], aliases: ["players"])
}

/// The arguments that name a game and one of its players.
struct PlayerOptions: ParsableArguments {
  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The player.", completion: .players) var player: String

  var variables: [String: String] { ["game": game, "player": player] }

  /// True if the id is not valid in a path. The database may still have rows of such a player.
  var isOnlyStored: Bool { !OverrideLimits.admits(player: player) }

  /// The query that names a player whose id is not valid in a path; empty for any other player.
  var storedQuery: [(String, String)] { isOnlyStored ? [("player", player)] : [] }
}

extension DaemonClient {
  /// Reads the page with a player's state.
  /// - Parameter history: The number of lines of the player's history to include.
  func page(of whom: PlayerOptions, locale: String? = nil, history: Int = 0) async throws(CtlFailure) -> DaemonReply<PlayerAnswer> {
    let query = [("history", String(history))] + (locale.map { [("locale", $0)] } ?? [])
    return try await ask(Calls.player, whom.variables, query: query)
  }
}
