// gameconfctl ads status

import ArgumentParser
import GameConfAPI

struct AdsStatus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the ad counters of a player, and when the next ad may come. Nothing is changed.")

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The placement; all of them when absent.", completion: .placements) var placement: String?
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    if let placement {
      let variables = whom.variables.merging(["placement": placement]) { first, _ in first }
      let reply = try await desk.daemon.ask(Calls.adStatus, variables)
      return desk.show(reply.value, asJSON: connection.json) { desk.screen.show(AdWords.table([reply.answer], desk.screen.look)) }
    }
    let page = try await desk.daemon.page(of: whom)
    desk.show(.list(page.answer.ads.map(\.wire)), asJSON: connection.json) {
      desk.screen.show(AdWords.table(page.answer.ads, desk.screen.look))
    }
  }
}
