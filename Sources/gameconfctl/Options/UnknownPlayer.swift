// Hints for a player's id that may be mistyped.

import GameConfAPI
import GameConfCore

extension Console {
  /// The number of known players that a mistyped id is compared with.
  private static let playersMax = 500

  /// Returns the remark that a player is new, with similar ids; nil if the player is known or no player is named.
  ///
  /// Call it before a change, since the change may be the first for the player.
  func remark(onPlayer player: String?, in game: String) async -> Sentence? {
    guard let player, !isJSON,
      let page = try? await daemon.ask(Calls.player, ["game": game, "player": player], query: [("history", "0")]).answer,
      page.createdAt == nil
    else { return nil }
    // After a restore every player has a revision, so only the audit log shows whether the player was ever changed. A reset does not remove
    // a player from it.
    let newest = [("limit", "1"), ("player", player)]
    if page.playerRevision > 0, let lines = try? await daemon.ask(Calls.audit, ["game": game], query: newest).answer.entries, !lines.isEmpty
    {
      return nil
    }
    guard let hint = await nearPlayers(player, in: game) else { return nil }
    let name = player.contains(" ") ? "“\(player)”" : player
    return "player \(name) is new in \(game).\(hint)"
  }

  /// Returns similar ids of known players, to follow a sentence; nil if the player is known.
  func nearPlayers(_ player: String, in game: String) async -> String? {
    let list = try? await daemon.ask(Calls.players, ["game": game], query: [("limit", String(Self.playersMax))]).answer
    // GAMECONF_PLAYER may name a player that the daemon does not know yet.
    let known = (list?.players.map(\.player) ?? []) + (EnvironmentDefaults.present.player.map { [$0] } ?? [])
    if known.contains(player) { return nil }
    return NearestNames.hint(for: player, among: known)
  }
}
