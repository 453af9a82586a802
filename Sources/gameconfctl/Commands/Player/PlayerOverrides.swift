// gameconfctl player overrides

import ArgumentParser
import GameConfAPI

struct PlayerOverrides: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "overrides", abstract: "List the overrides of a player: by whom, when, why, for how long.",
    discussion: "“gameconfctl config set … --player” overrides a value, “config reset … --player” removes the override.")

  @OptionGroup var whom: PlayerOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(
      Calls.overrides, ["game": whom.game], query: [("player", whom.player)])
    console.show(reply.value) { console.screen.show(OverrideListing.of(reply.answer.overrides)) }
  }
}
