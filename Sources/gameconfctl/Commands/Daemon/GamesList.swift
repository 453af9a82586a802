// gameconfctl games

import ArgumentParser
import GameConfAPI

struct GamesList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "games", abstract: "List the served games.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let console = connection.console()
    let reply = try await console.daemon.ask(Calls.games)
    console.show(reply.value, asJSON: connection.json) { console.screen.show(Self.table(reply.answer, on: console.screen)) }
  }

  static func table(_ answer: GamesAnswer, on screen: Screen) -> Table {
    var table = Table(["game", "title", "revision", "state"], whenEmpty: "no games are served")
    for game in answer.games {
      let state = game.degraded.isEmpty ? "ok" : "degraded: " + game.degraded.map(\.word).joined(separator: ", ")
      let clock = game.clock.map { "; its clock shows \(screen.time($0.now, in: .clock))" } ?? ""
      table.add([game.game, game.title, String(game.revision), state + clock])
    }
    for game in answer.unserved {
      let why = game.wayOut.map { "“\($0)” says why" } ?? game.details.joined(separator: "; ")
      table.add([game.game, "-", "-", "not served: \(why)"])
    }
    return table
  }
}
