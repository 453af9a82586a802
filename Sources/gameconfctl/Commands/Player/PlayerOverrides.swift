// gameconfctl player overrides

import ArgumentParser
import GameConfAPI

struct PlayerOverrides: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overrides", abstract: "List the overrides of a player: by whom, when, why, for how long.",
    discussion: "“gameconfctl config set … --player” overrides a value, “config reset … --player” removes the override.")

  @OptionGroup var whom: PlayerOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    let reply = try await desk.daemon.ask(
      Calls.overrides, ["game": whom.game], query: [("player", whom.player)])
    desk.show(reply.value, asJSON: connection.json) { desk.screen.show(OverrideListing.of(reply.answer.overrides)) }
  }
}
