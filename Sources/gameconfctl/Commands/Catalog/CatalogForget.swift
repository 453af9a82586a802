// gameconfctl catalog forget

import ArgumentParser
import GameConfAPI
import GameConfCore

struct CatalogForget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Let a game go whose catalog's file was removed.",
    discussion: """
      While its file is there this is refused. The game is served no more, and health is ready again. Its players, purchases and overrides are kept: \
      they are there again when a catalog of that name comes again.
      """)

  @Argument(help: "The game.") var game: String
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    let found = try await desk.daemon.ask(Calls.forgetGame, ["game": game], query: [("dry_run", "true")])
    let name = SafeText.escaped(game)
    guard found.answer.isKnown else {
      let served = try await desk.daemon.ask(Calls.games).answer.games.map(\.game)
      return desk.show(found.value, asJSON: connection.json) {
        let hint = NearestNames.hint(for: game, among: served)
        desk.screen.say("nothing is known of a game \(name); nothing has changed.\(hint)")
      }
    }
    let count = found.answer.overrides
    let kept = "its players and purchases are kept" + (count > 0 ? ", and \(count) \(count == 1 ? "override" : "overrides")" : "")
    if change.dryRun {
      return desk.show(found.value, asJSON: connection.json) { desk.screen.say(change.told("\(name) would be let go; \(kept)")) }
    }
    try desk.screen.confirm("Let \(name) go: it is served no more; \(kept)?", isAgreed: change.agreement.yes)
    _ = try await desk.daemon.tell(Calls.forgetGame, ["game": game], change: change)
    desk.show(found.answer.wire, asJSON: connection.json) { desk.screen.say("\(name) is let go; \(kept)") }
  }
}
