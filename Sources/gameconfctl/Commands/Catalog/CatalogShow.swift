// gameconfctl catalog show

import ArgumentParser
import GameConfAPI

struct CatalogShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what a game's catalog declares, drop-ins included.")

  @Argument(help: "The game.", completion: .games) var game: String
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let console = connection.console()
    let reply = try await console.daemon.ask(Calls.catalog, ["game": game])
    console.show(reply.value, asJSON: connection.json) {
      console.screen.show(CatalogPage.of(reply.answer))
    }
  }
}
