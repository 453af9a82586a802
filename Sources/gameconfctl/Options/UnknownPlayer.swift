// A player's id may be mistyped: what is said where nothing is known of one.

import GameConfAPI
import GameConfCore

extension Console {
  /// The number of known players a mistyped id is held against.
  private static let playersMax = 500

  /// That a player is new, with the ids that are near; nil when something is, or nobody is named.
  ///
  /// Asked before a change, which may be the first that is known.
  func remark(onPlayer player: String?, in game: String) async -> Sentence? {
    guard let player, !isJSON,
      let page = try? await daemon.ask(Calls.player, ["game": game, "player": player], query: [("history", "0")]).answer,
      page.createdAt == nil
    else { return nil }
    // After a restore every player has a revision: the audit log says if anything was ever done for this one. A reset player stays in it.
    let newest = [("limit", "1"), ("player", player)]
    if page.playerRevision > 0, let lines = try? await daemon.ask(Calls.audit, ["game": game], query: newest).answer.entries, !lines.isEmpty
    {
      return nil
    }
    guard let hint = await nearPlayers(player, in: game) else { return nil }
    let name = player.contains(" ") ? "“\(player)”" : player
    return "player \(name) is new in \(game).\(hint)"
  }

  /// The known players' ids that are near, to follow a sentence; nil where the player is one of them.
  func nearPlayers(_ player: String, in game: String) async -> String? {
    let list = try? await daemon.ask(Calls.players, ["game": game], query: [("limit", String(Self.playersMax))]).answer
    // GAMECONF_PLAYER may name a player that the daemon does not know yet.
    let known = (list?.players.map(\.player) ?? []) + (Defaults.present.player.map { [$0] } ?? [])
    if known.contains(player) { return nil }
    return NearestNames.hint(for: player, among: known)
  }
}
