// gameconfctl player show

import ArgumentParser
import GameConfAPI

struct PlayerShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a player on one screen: scores, themes, the next ad, settings.")

  @OptionGroup var whom: PlayerOptions
  @Flag(help: "Show every milestone and every setting too.") var all = false
  @Option(help: ArgumentHelp("So many of the newest lines of the player's history.", valueName: "number"))
  var history = 0
  @Option(help: ArgumentHelp("Names in this language, as a BCP 47 tag.", valueName: "tag"))
  var locale: String?
  @Flag(help: "Show it again whenever values, themes, entitlements or ads of the player change, until interrupted.")
  var follow = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard (0...200).contains(history) else { throw ValidationError("--history must be from 0 to 200") }
  }

  func run() async throws {
    let desk = connection.desk()
    guard follow else { return try await show(desk) }
    var feed = EventFeed(desk.daemon, Calls.watch, ["game": whom.game], query: [("player", whom.player), ("values", "none")])
    while try await feed.next() != nil {
      desk.clear()
      try await show(desk)
    }
  }

  private func show(_ desk: Desk) async throws(CtlFailure) {
    let reply = try await desk.daemon.page(of: whom, locale: locale, history: history)
    let changes = connection.json ? [] : try await changed(desk)
    desk.show(reply.value, asJSON: connection.json) {
      let screen = desk.screen
      if screen.isTerminal { screen.say(PlayerPage.heading(reply.answer, isChanged: !changes.isEmpty, on: screen) + "\n") }
      var page = PlayerPage.of(reply.answer, showsAll: all, on: screen)
      if !changes.isEmpty { page.add("changed", ChangesTable.of(changes, whenEmpty: "", on: screen)) }
      screen.show(page)
    }
  }

  /// What people changed for the player; nothing where the caller has no role.
  private func changed(_ desk: Desk) async throws(CtlFailure) -> [ChangedThing] {
    do throws(CtlFailure) { return try await desk.daemon.ask(Calls.playerChanges, whom.variables).answer.changes } catch {
      switch error {
      case .problem, .noDaemon: return []
      default: throw error
      }
    }
  }
}
