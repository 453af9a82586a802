// A player's id may be mistyped: what is said where nothing is known of one.

import GameConfAPI
import GameConfCore

extension Desk {
  /// How many known players a mistyped id is held against.
  private static let playersMax = 500

  /// That nothing is known of a player yet, with the ids that are near; nil when something is, or nobody is named.
  ///
  /// Asked before a change, which may be the first that is known.
  func remark(onPlayer player: String?, in game: String, asJSON: Bool) async -> String? {
    guard let player, !asJSON,
      let page = try? await daemon.ask(Calls.player, ["game": game, "player": player], query: [("history", "0")]).answer,
      page.createdAt == nil
    else { return nil }
    // After a restore everybody has a revision: what counts is whether something stands changed.
    if page.playerRevision > 0, let changes = try? await daemon.ask(Calls.playerChanges, ["game": game, "player": player]).answer.changes,
      !changes.isEmpty
    {
      return nil
    }
    let list = try? await daemon.ask(Calls.players, ["game": game], query: [("limit", String(Self.playersMax))]).answer
    let known = list?.players.map(\.player) ?? []
    if known.contains(player) { return nil }
    let hint = NearestNames.hint(for: player, among: known)
    return SafeText.escaped("nothing else is known of player \(player) in \(game).\(hint)")
  }
}
