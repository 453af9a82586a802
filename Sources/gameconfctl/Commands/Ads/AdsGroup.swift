// gameconfctl ads

import ArgumentParser
import GameConfAPI

struct AdsGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ads", abstract: "Show when a player's next ad may come, send events, reset counters, or make an ad show.",
    subcommands: [AdsStatus.self, AdsEvent.self, AdsReport.self, AdsReset.self, AdsForce.self], aliases: ["ad"])
}

/// The arguments that name a placement, and the player whose ad state at that placement is read or changed.
struct PlacementOptions: ParsableArguments {
  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The placement; needed only if the game has several.", completion: .placements) var placement: String

  var variables: [String: String] { whom.variables.merging(["placement": placement]) { first, _ in first } }
}

/// Changes the ad state of a player's placement and prints the new state.
struct PlacementEdit {
  var console: Console
  var place: PlacementOptions
  var change: ChangeOptions

  func callAsFunction(_ call: Call<ReasonRequest?, AdChangeAnswer>, _ done: String) async throws(CtlFailure) {
    let remark = await console.remark(onPlayer: place.whom.player, in: place.whom.game)
    let reply = try await console.daemon.ask(
      call, place.variables, body: ReasonRequest(reason: change.reason), change: change)
    console.show(reply.value) {
      let whose = "\(place.placement) of player \(place.whom.player)"
      console.report("\(whose) \(done); next ad \(AdWords.next(reply.answer.ad))")
      if let remark { console.screen.note(remark) }
    }
  }
}
