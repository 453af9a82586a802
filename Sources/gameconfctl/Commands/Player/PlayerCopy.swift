// gameconfctl player copy

import ArgumentParser
import GameConfAPI
import GameConfCore

struct PlayerCopy: ChangeCommand, DestructiveCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy a player to another: scores, history, settings, ads, purchases, clock and overrides.",
    discussion: "A known second player is made new first; gameconfctl asks first. Bests on leaderboards and plays are not copied.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The player who is copied.", completion: .players) var from: String
  @Argument(help: "The player who becomes a copy.", completion: .players) var to: String
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let overrides = try await console.daemon.ask(Calls.exportOverrides, ["game": game], query: [("player", from)])
    let handover = PlayerStateCopy(console: console, game: game, player: to, change: change)
    try await handover(CopyPlayerRequest(from: from, reason: change.reason), overrides: overrides.value, of: "player \(from)")
  }
}

/// Replaces a player's state by that of another player or of a file: first the stored rows, then the overrides.
struct PlayerStateCopy {
  var console: Console
  var game: String
  var player: String
  var change: ChangeOptions

  /// Copies the state after the user has confirmed it, and prints the outcome.
  /// - Parameters:
  ///   - overrides: The output of `config export --player`; nil for no overrides.
  ///   - source: The origin of the copy, in words.
  func callAsFunction(_ request: CopyPlayerRequest, overrides: Value?, of source: String) async throws(CtlFailure) {
    let variables = ["game": game, "player": player]
    let tried = try await console.daemon.ask(Calls.copyPlayer, variables, query: [("dry_run", "true")], body: request)
    if !change.dryRun, !tried.answer.removed.isEmpty {
      try console.screen.confirm(
        "Player \(player) of \(game) is known. Replace it: \(Self.words(tried.answer.removed))?",
        isAgreed: change.agreement.yes)
    }
    let reply = change.dryRun ? tried : try await console.daemon.ask(Calls.copyPlayer, variables, body: request, change: change)
    var sentence: Sentence = "player \(player) is a copy of \(source): \(Self.words(reply.answer.copied))"
    if let overrides {
      var set = try Self.overrides(overrides)
      if !set.overrides.isEmpty {
        for at in set.overrides.indices { set.overrides[at].player = player }
        set.reason = change.reason
        var change = change
        // The user's idempotency key belongs to the copy, so the import must not use it again.
        change.idempotencyKey = nil
        let imported = try await console.daemon.ask(Calls.importOverrides, ["game": game], body: set, change: change).answer.imported
        sentence += ", \(imported, "override")"
      }
    }
    console.show(reply.value) { console.report(sentence) }
    let omitted = overrides?["omitted"]?.listValue?.compactMap { $0["key"]?.stringValue } ?? []
    if !omitted.isEmpty, !console.isJSON { console.screen.note("left out: \(omitted.joined(separator: ", "))") }
  }

  private static func overrides(_ value: Value) throws(CtlFailure) -> ImportRequest {
    do throws(Fault) { return try ImportRequest(wire: value) } catch {
      throw .refused(["the overrides cannot be read: \(error.pointer.isEmpty ? "" : error.pointer + ": ")\(error.message)"])
    }
  }

  private static func words(_ counts: [String: Int64]) -> String {
    if counts.isEmpty { return "scores and clock alone" }
    return counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
