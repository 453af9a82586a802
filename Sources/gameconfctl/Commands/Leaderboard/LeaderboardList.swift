// gameconfctl leaderboard list

import ArgumentParser
import GameConfAPI
import GameConfCore

struct LeaderboardList: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a game's leaderboards, each with the event and the mode whose scores count.")

  @Argument(help: "The game.", completion: .games) var game: String
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let boards = try await console.daemon.ask(Calls.catalog, ["game": game]).answer.part("leaderboards")
    console.show(.list(boards)) { console.screen.show(Self.table(boards)) }
  }

  static func table(_ boards: [Value]) -> Table {
    let columns = ["id", "event", "mode", "per", "rows", "enabled"]
    var table = Table([Column("leaderboard")] + columns.dropFirst().map { Column($0) }, whenEmpty: "the game has no leaderboards")
    for board in boards { table.add(columns.map { board[$0].map(CatalogPage.words) ?? "-" }) }
    return table
  }
}
