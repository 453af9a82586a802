// gameconfctl catalog show

import ArgumentParser
import GameConfAPI

struct CatalogShow: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what a game's catalog declares, drop-ins included.")

  @Argument(help: "The game.", completion: .games) var game: String
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(Calls.catalog, ["game": game])
    console.show(reply.value) {
      console.screen.show(CatalogPage.of(reply.answer))
    }
  }
}
