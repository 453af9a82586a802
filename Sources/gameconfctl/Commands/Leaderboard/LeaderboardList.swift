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
    Table(boards, whenEmpty: "the game has no leaderboards") {
      Column("leaderboard") { $0["id"].map(CatalogPage.words) }
      for name in ["event", "mode", "per", "rows", "enabled"] { Column(name) { $0[name].map(CatalogPage.words) } }
    }
  }
}
