// gameconfctl ads reset

import ArgumentParser
import GameConfAPI

struct AdsReset: ChangeCommand, PlacementCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Reset a player's counters at a placement to 0, and cancel an ad that is owed or that “ads force” set.")

  @OptionGroup var place: PlacementOptions
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let edit = PlacementEdit(console: console, place: place, change: change)
    try await edit(Calls.resetAds, "counts from 0")
  }
}
