// gameconfctl ads status

import ArgumentParser
import GameConfAPI

struct AdsStatus: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the ad counters of a player, and when the next ad may come. Nothing is changed.")

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The placement; all of them when absent.", completion: .placements) var placement: String?
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    if let placement {
      let variables = whom.variables.merging(["placement": placement]) { first, _ in first }
      let reply = try await console.daemon.ask(Calls.adStatus, variables)
      return console.show(reply.value) { console.screen.show(AdWords.table([reply.answer])) }
    }
    let page = try await console.daemon.page(of: whom)
    console.show(.list(page.answer.ads.map(\.wire))) {
      console.screen.show(AdWords.table(page.answer.ads))
    }
  }
}
