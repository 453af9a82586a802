// gameconfctl audit revert

import ArgumentParser
import GameConfAPI
import GameConfCore

struct AuditRevert: ChangeCommand, EntryCommand {
  static let configuration = CommandConfiguration(
    commandName: "revert", abstract: "Revert a change, or all changes of one user: the values before them are restored.",
    discussion: """
      Name one change by its number. With --mine, --author or --session all matching changes are reverted, the newest first, in one \
      change for each game. Changes that cannot be reverted are listed first, with what to do instead. A later change by another user stays.

      A session is one login or terminal, or the name in GAMECONF_SESSION.
      """)

  @OptionGroup var named: AuditEntryArgument
  @Flag(help: "Revert it although the value has changed since.") var force = false
  @OptionGroup var filter: AuditFilter
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard filter.namesAuthor else {
      guard filter.isEmpty else { throw ValidationError("Name the changes to revert: --mine, --author or --session.") }
      return try named.check()
    }
    _ = try named.gameAlone
    if force { throw ValidationError("--force is for one change.") }
  }

  func run(on console: Console) async throws {
    if filter.namesAuthor { return try await revertMany(console, in: try named.gameAlone) }
    let (game, id) = try await named.place(console.daemon)
    let reply = try await console.daemon.ask(
      Calls.revert, ["game": game, "id": String(id)], query: (force ? [("force", "true")] : []),
      body: ReasonRequest(reason: change.reason), change: change)
    console.show(reply.value) { console.report(Self.sentence(reply.answer, entry: id)) }
  }

  /// Reverts every change that the filter selects.
  /// - Parameter game: The game to search; nil for every game.
  private func revertMany(_ console: Console, in game: String?) async throws {
    let query = try await filter.query(of: console, in: game)
    let games = if let game { [game] } else { try await console.daemon.ask(Calls.games).answer.games.map(\.game) }
    let body = ReasonRequest(reason: change.reason)
    var found: [RevertManyAnswer] = []
    for game in games {
      found.append(
        try await console.daemon.ask(Calls.revertMany, ["game": game], query: [("dry_run", "true")] + query, body: body).answer)
    }
    if !console.isJSON { for each in found.flatMap(\.left) { console.screen.note(Self.words(left: each)) } }
    let changing = found.filter { !$0.entries.isEmpty }
    if changing.isEmpty, !console.isJSON { console.screen.say("nothing to revert") }
    for each in console.isJSON ? found : changing {
      let reply = try await console.daemon.ask(Calls.revertMany, ["game": each.game], query: query, body: body, change: change)
      console.show(reply.value) {
        for entry in reply.answer.entries {
          console.report("\(each.game): \(Self.words(entry)); revision \(reply.answer.revision)")
        }
      }
    }
  }

  static func sentence(_ answer: RevertAnswer, entry id: Int64) -> Sentence {
    // The response to a dry run may contain only that the entry would be reverted.
    if answer.entry.key == nil { return "entry \(id) is taken back; revision \(answer.revision)" }
    return "\(words(answer.entry)); revision \(answer.revision)"
  }

  /// Returns the state of an entry's key after the revert, in words.
  private static func words(_ entry: AuditEntry) -> Sentence {
    let after = entry.after.map { "is overridden with \(ValueStyle.phrase($0)) again" } ?? "is no longer overridden"
    return "\(entry.key ?? "-")\(whose(entry)) \(after)"
  }

  private static func words(left: SkippedChange) -> Sentence {
    let what = (left.entry.key ?? left.entry.action) + whose(left.entry)
    return "line \(left.entry.id), \(what), stays: \(left.detail.withOptions) [\(left.code)]"
  }

  private static func whose(_ entry: AuditEntry) -> String { entry.player.map { " of player \($0)" } ?? "" }
}
