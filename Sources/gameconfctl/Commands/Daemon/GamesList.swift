// gameconfctl games

import ArgumentParser
import GameConfAPI

struct GamesList: DaemonCommand {
  static let configuration = CommandConfiguration(commandName: "games", abstract: "List the served games.")

  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(Calls.games)
    console.show(reply.value) { console.screen.show(Self.table(reply.answer)) }
  }

  static func table(_ answer: GamesAnswer) -> Table {
    let served = answer.games.map { game in
      let state = game.degraded.isEmpty ? "ok" : "degraded: " + game.degraded.map(\.word).joined(separator: ", ")
      let clock: Sentence = game.clock.map { "; its clock shows \(time: $0.now, .clock)" } ?? ""
      return (game: game.game, title: String?.some(game.title), revision: Int64?.some(game.revision), state: "\(state)\(clock)" as Sentence)
    }
    let unserved = answer.unserved.map { game in
      let why = game.wayOut.map { "“\($0)” says why" } ?? game.details.joined(separator: "; ")
      return (game: game.game, title: String?.none, revision: Int64?.none, state: "not served: \(why)" as Sentence)
    }
    return Table(served + unserved, whenEmpty: "no games are served") {
      Column("game") { $0.game }
      Column("title") { $0.title }
      Column("revision") { $0.revision }
      Column("state") { $0.state }
    }
  }
}
