// gameconfctl games

import ArgumentParser
import GameConfAPI

struct GamesList: DaemonCommand {
  static let configuration = CommandConfiguration(commandName: "games", abstract: "List the served games.")

  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(Calls.games)
    console.show(reply.value) { console.screen.show(Self.table(reply.answer, on: console.screen)) }
  }

  static func table(_ answer: GamesAnswer, on screen: Screen) -> Table {
    var table = Table(["game", "title", "revision", "state"], whenEmpty: "no games are served")
    for game in answer.games {
      let state = game.degraded.isEmpty ? "ok" : "degraded: " + game.degraded.map(\.what).joined(separator: ", ")
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
