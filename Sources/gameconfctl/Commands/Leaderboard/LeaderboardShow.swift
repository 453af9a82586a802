// gameconfctl leaderboard show

import ArgumentParser
import GameConfAPI

struct LeaderboardShow: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the first rows of a leaderboard, and a player's place.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The leaderboard.") var board: String
  @Option(help: ArgumentHelp("Include this player's place.", valueName: "id"))
  var player: String?
  @Option(
    help: ArgumentHelp("The value of the list, if the board has a list for each value; several joined by commas.", valueName: "value"))
  var per: String?
  @Option(help: ArgumentHelp("The maximum number of rows.", valueName: "number"))
  var limit: Int?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if let limit, !(1...1000).contains(limit) { throw ValidationError("--limit must be from 1 to 1000") }
  }

  func run(on console: Console) async throws {
    let query = [("player", player), ("per", per), ("limit", limit.map { String($0) })].compactMap { name, text in text.map { (name, $0) } }
    let reply = try await console.daemon.ask(Calls.leaderboard, ["game": game, "board": board], query: query)
    console.show(reply.value) {
      console.screen.show(Self.table(reply.answer))
      if let player { console.screen.say(Self.words(reply.answer.standing, player)) }
    }
  }

  static func table(_ board: LeaderboardAnswer) -> Table {
    Table(board.rows, whenEmpty: "no player has a score here yet") {
      Column("rank") { $0.rank }
      Column("player") { $0.player }
      Column("score") { $0.score }
      Column("since", .date) { $0.at }
    }
  }

  static func words(_ standing: LeaderboardStanding?, _ player: String) -> Sentence {
    guard let standing else { return "\(player) has no score here yet" }
    let place = standing.rank.map { "rank \($0)" } ?? standing.rankAtLeast.map { "rank \($0) or further down" } ?? "no rank"
    return "\(player): \(place), score \(standing.score)"
  }
}
