// gameconfctl play show

import ArgumentParser
import GameConfAPI
import GameConfCore

struct PlayShow: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the values that a play pinned, and those that differ now.")

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The play's id.") var play: String
  @Flag(help: "Only the keys whose values differ now.") var differing = false
  @Option(help: ArgumentHelp("In this language, as a BCP 47 tag; * for all of them.", valueName: "tag"))
  var locale: String?
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(
      Calls.play, whom.variables.merging(["play": play]) { first, _ in first }, query: locale.map { [("locale", $0)] } ?? [])
    console.show(reply.value) {
      if console.screen.isTerminal { console.screen.say(reply.answer.play.told(on: console.screen) + "\n") }
      console.screen.show(Self.table(reply.answer, onlyDiffering: differing))
    }
  }

  static func table(_ shown: PlayShown, onlyDiffering: Bool) -> Table {
    var table = Table(
      ["key", .value("pinned"), "from", .value("now")], whenEmpty: onlyDiffering ? "no value differs now" : "nothing is pinned",
      markMeaning: "differs now")
    for (key, pinned) in shown.values.sorted(by: { $0.key < $1.key }) where pinned.differs || !onlyDiffering {
      let value = pinned.isMasked ? "(secret)" : ValueStyle.cell(pinned.value)
      let now: String =
        if !pinned.differs {
          "-"
        } else if pinned.isMasked {
          "(secret)"
        } else {
          pinned.now.map(ValueStyle.cell) ?? "no such key"
        }
      table.add([key, value, pinned.source, now], isMarked: pinned.differs)
    }
    return table
  }
}
