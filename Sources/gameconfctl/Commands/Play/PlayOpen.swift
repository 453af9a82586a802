// gameconfctl play open

import ArgumentParser
import GameConfAPI
import GameConfCore

struct PlayOpen: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open a play: pin a player's current values.",
    discussion: "Prints the play's id, for --play of config get and config list.")

  @OptionGroup var whom: PlayerOptions
  @Option(help: ArgumentHelp("Pin only these keys, separated by commas.", valueName: "keys"))
  var keys: String?
  @Option(help: ArgumentHelp("With these attributes, as a JSON object or @FILE.", valueName: "json"))
  var context: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    var attributes = ObjectValue()
    if let context {
      guard case .object(let object) = try ValueText.json(context) else {
        throw CtlFailure.usage("--context must be a JSON object such as '{\"platform\": \"ios\"}'")
      }
      attributes = object
    }
    var keys = keys.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    if let words = keys { keys = await console.daemon.keys(words, in: whom.game) }
    let reply = try await console.daemon.ask(
      Calls.openPlay, whom.variables, body: OpenPlayRequest(context: attributes, keys: keys, reason: change.reason), change: change)
    console.show(reply.value) {
      let play = reply.answer.play
      if change.dryRun {
        console.report("a play would pin \(play.keys, "key"), \(play.bytes) bytes")
      } else {
        console.screen.say(console.screen.isTerminal ? play.sentence : "\(play.play)")
      }
    }
  }
}
