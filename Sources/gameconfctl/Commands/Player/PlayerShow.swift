// gameconfctl player show

import ArgumentParser
import GameConfAPI

struct PlayerShow: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a player on one screen: scores, themes, the next ad, settings.",
    discussion: """
      With --follow the terminal shows as much as fits: changed values and how long they hold, the next ad, entitlements, progress \
      towards themes, and the newest lines of the audit log.
      """)

  @OptionGroup var whom: PlayerOptions
  @Flag(help: "Include every milestone and every setting.") var all = false
  @Option(help: ArgumentHelp("The number of the newest lines of the player's history.", valueName: "number"))
  var history = 0
  @Option(help: ArgumentHelp("Names in this language, as a BCP 47 tag.", valueName: "tag"))
  var locale: String?
  @Flag(help: "Show it again whenever values, themes, entitlements or ads of the player change, until interrupted.")
  var follow = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard (0...200).contains(history) else { throw ValidationError("--history must be from 0 to 200") }
  }

  func run(on console: Console) async throws {
    guard follow else { return try await show(console) }
    console.screen.endWithReader()
    var feed = EventFeed(console.daemon, Calls.watch, ["game": whom.game], query: [("player", whom.player), ("values", "none")])
    guard console.screen.isTerminal, !console.isJSON, !all, history == 0 else {
      while try await feed.next() != nil {
        console.clear()
        try await show(console)
      }
      return
    }
    console.clear()
    let live = LiveScreen(on: console.screen)
    let ticking = Task { await live.tick() }
    defer { ticking.cancel() }
    while try await feed.next() != nil { live.show(try await present(console)) }
  }

  /// Reads the state that the live screen shows.
  private func present(_ console: Console) async throws(CtlFailure) -> PlayerScreen {
    var screen = PlayerScreen(page: try await console.daemon.page(of: whom, locale: locale).answer)
    var caller = CallerOptions.nobody
    caller.player = whom.player
    if case .full(let values) = try await console.daemon.config(whom.game, caller).0.values { screen.values = values }
    screen.store = try? await console.daemon.ask(Calls.entitlements, whom.variables).answer
    let query = [("limit", String(PlayerScreen.auditMax)), ("player", whom.player)]
    screen.audit = try? await console.daemon.ask(Calls.audit, ["game": whom.game], query: query).answer.entries
    return screen
  }

  private func show(_ console: Console) async throws(CtlFailure) {
    let reply = try await console.daemon.page(of: whom, locale: locale, history: history)
    let changes = console.isJSON ? [] : try await changed(console)
    let flags = await ChangesTable.flags(among: changes, of: whom.game, console.daemon)
    let isNew = console.screen.isTerminal && reply.answer.createdAt == nil && changes.isEmpty && !console.isJSON
    let near = isNew ? await console.nearPlayers(whom.player, in: whom.game) ?? "" : ""
    console.show(reply.value) {
      let screen = console.screen
      if screen.isTerminal { screen.say(PlayerPage.heading(reply.answer, isChanged: !changes.isEmpty) + "\n") }
      var page = PlayerPage.of(reply.answer, showsAll: all, on: screen)
      if !changes.isEmpty { page.add("changed", ChangesTable.of(changes, flags: flags, whenEmpty: "", on: screen)) }
      screen.show(page)
      if !near.isEmpty { screen.note("player \(whom.player) is new in \(whom.game).\(near)") }
    }
  }

  /// Returns the changes that people made for the player; empty if the user has no role.
  private func changed(_ console: Console) async throws(CtlFailure) -> [ChangedThing] {
    do throws(CtlFailure) { return try await console.daemon.ask(Calls.playerChanges, whom.variables).answer.changes } catch {
      switch error {
      case .problem, .noDaemon: return []
      default: throw error
      }
    }
  }
}
