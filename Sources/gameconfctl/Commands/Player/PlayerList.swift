// gameconfctl player list

import ArgumentParser
import GameConfAPI

struct PlayerList: DaemonCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the players of a game, by id.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("The maximum number.", valueName: "number"))
  var limit = 50
  @Option(help: ArgumentHelp("Only players whose ids come after this one.", valueName: "id"))
  var after: String?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard limit >= 1, limit <= 500 else { throw ValidationError("--limit must be from 1 to 500") }
  }

  func run(on console: Console) async throws {
    let query = [("limit", String(limit))] + (after.map { [("after", $0)] } ?? [])
    let reply = try await console.daemon.ask(Calls.players, ["game": game], query: query)
    console.show(reply.value) {
      console.screen.show(Self.table(reply.answer))
      if console.screen.isTerminal, let next = reply.answer.nextAfter {
        console.screen.say("\nmore: --after \(next)")
      }
    }
  }

  static func table(_ list: PlayersList) -> Table {
    Table(list.players, whenEmpty: "no players") {
      Column("player") { $0.player }
      Column("score") { $0.lifetimeScore }
      Column("games") { $0.gamesPlayed }
      Column("visits") { $0.visits }
      Column("since", .when) { $0.createdAt }
      Column("last change", .when) { $0.isUnreadable ? "cannot be read" : $0.changedAt?.text }
    }
  }
}
