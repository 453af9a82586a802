// gameconfctl ads reset

import ArgumentParser
import GameConfAPI

struct AdsReset: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Count a player's events at a placement from 0 again; owed and forced shows are cancelled.")

  @OptionGroup var place: PlacementOptions
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let edit = PlacementEdit(desk: connection.desk(), place: place, change: change, asJSON: connection.json)
    try await edit(Calls.resetAds, "counts from 0")
  }
}
