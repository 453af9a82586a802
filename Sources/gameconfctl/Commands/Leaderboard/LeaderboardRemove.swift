// gameconfctl leaderboard remove

import ArgumentParser
import GameConfAPI

struct LeaderboardRemove: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a player's score from a leaderboard, as after a test.",
    discussion: """
      The player's bests stay, and the next score counts again. A board with a list for each value loses the player's row on every list, or on \
      one with --per.
      """)

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The leaderboard.") var board: String
  @Argument(help: "The player.", completion: .players) var player: String
  @Option(help: ArgumentHelp("Only the list of this value.", valueName: "value"))
  var per: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let variables = ["game": game, "player": player, "board": board]
    let query = per.map { [("per", $0)] } ?? []
    let count = try await console.daemon.ask(Calls.removeBoardRows, variables, query: [("dry_run", "true")] + query).answer.removed
    if count > 0, !change.dryRun { _ = try await console.daemon.send(Calls.removeBoardRows, variables, query: query, change: change) }
    console.show(["game": .string(game), "board": .string(board), "player": .string(player), "removed": .integer(count)]) {
      if count == 0 { return console.screen.say("nothing was removed: \(player) has no score on \(board)") }
      console.report("\(count, "score") of \(player) \(count == 1 ? "is" : "are") removed from \(board)")
    }
  }
}
