// gameconfctl ads force

import ArgumentParser
import GameConfAPI

struct AdsForce: ChangeCommand, PlacementCommand {
  static let configuration = CommandConfiguration(
    commandName: "force", abstract: "Make a player's next event show an ad, once, whatever the rules say.",
    discussion: "A player who bought freedom from ads still sees no ad, nor does any player of a game for children.")

  @OptionGroup var place: PlacementOptions
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let edit = PlacementEdit(console: console, place: place, change: change)
    try await edit(Calls.forceAd, "shows an ad at the next event")
  }
}
