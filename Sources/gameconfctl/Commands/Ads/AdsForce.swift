// gameconfctl ads force

import ArgumentParser
import GameConfAPI

struct AdsForce: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "force", abstract: "Make a player's next event show an ad, once, whatever the rules say.",
    discussion: "A player who bought freedom from ads sees none all the same, nor does anyone in a game for children.")

  @OptionGroup var place: PlacementOptions
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let edit = PlacementEdit(desk: connection.desk(), place: place, change: change, asJSON: connection.json)
    try await edit(Calls.forceAd, "is forced once")
  }
}
