// gameconfctl catalog forget

import ArgumentParser
import GameConfAPI
import GameConfCore

struct CatalogForget: ChangeCommand, DestructiveCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Forget a game whose catalog file was removed.",
    discussion: """
      Refused while the file exists. The game is no longer served, and health is ready again. Its players, purchases and overrides stay stored: \
      a later catalog of the same id finds them again.
      """)

  @Argument(help: "The game.") var game: String
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let found = try await console.daemon.ask(Calls.forgetGame, ["game": game], query: [("dry_run", "true")])
    guard found.answer.isKnown else {
      let served = try await console.daemon.ask(Calls.games).answer.games.map(\.game)
      return console.show(found.value) {
        let hint = NearestNames.hint(for: game, among: served)
        console.screen.say("nothing is known of a game \(game); nothing has changed.\(hint)")
      }
    }
    let count = found.answer.overrides
    let retained: Sentence = "its players and purchases stay stored\(count > 0 ? ", and \(count, "override")" as Sentence : "")"
    if change.dryRun {
      return console.show(found.value) { console.report("\(game) would be forgotten; \(retained)") }
    }
    try console.screen.confirm("Forget \(game): it is no longer served; \(retained)?", isAgreed: change.agreement.yes)
    _ = try await console.daemon.send(Calls.forgetGame, ["game": game], change: change)
    console.show(found.answer.wire) { console.screen.say("\(game) is forgotten; \(retained)") }
  }
}
