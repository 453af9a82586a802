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
      if console.screen.isTerminal { console.screen.say(reply.answer.play.sentence + "\n") }
      console.screen.show(Self.table(reply.answer, onlyDiffering: differing))
    }
  }

  static func table(_ shown: PlayShown, onlyDiffering: Bool) -> Table {
    Table(
      shown.values.sorted(by: { $0.key < $1.key }).filter { $0.value.differs || !onlyDiffering },
      whenEmpty: onlyDiffering ? "no value differs now" : "nothing is pinned", markMeaning: "differs now", isMarked: { $0.value.differs }
    ) {
      Column("key") { $0.key }
      Column("pinned", .value) { $0.value.isMasked ? "(secret)" : ValueStyle.cell($0.value.value) }
      Column("from") { $0.value.source }
      Column("now", .value) { pinned in
        !pinned.value.differs ? nil : pinned.value.isMasked ? "(secret)" : pinned.value.now.map(ValueStyle.cell) ?? "no such key"
      }
    }
  }
}
