// gameconfctl play close

import ArgumentParser
import GameConfAPI

struct PlayClose: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "close", abstract: "Close a play; its pinned values stay readable.")

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The play's id.") var play: String
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(
      Calls.closePlay, whom.variables.merging(["play": play]) { first, _ in first }, body: ReasonRequest(reason: change.reason),
      change: change)
    console.show(reply.value) {
      let play = reply.answer.play.sentence
      console.report(reply.answer.wasClosed ? "was closed before; \(play)" : play)
    }
  }
}
