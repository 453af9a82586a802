// Hints for a user who may have mistyped a player's id.

import GameConfAPI
import GameConfCore

extension Console {
  /// The maximum number of known players with which a mistyped id is compared.
  private static let playersMax = 500

  /// Returns a remark that a player is new, with similar ids; nil if the player is known or no player is named.
  ///
  /// Call this before a change, because the change may make the player known.
  func remark(onPlayer player: String?, in game: String) async -> Sentence? {
    guard let player, !isJSON,
      let page = try? await daemon.ask(Calls.player, ["game": game, "player": player], query: [("history", "0")]).answer,
      page.createdAt == nil
    else { return nil }
    // A restore gives every player a revision, so only the audit log shows whether the player was ever changed. A reset does not remove a
    // player from the audit log.
    let newest = [("limit", "1"), ("player", player)]
    if page.playerRevision > 0, let lines = try? await daemon.ask(Calls.audit, ["game": game], query: newest).answer.entries, !lines.isEmpty
    {
      return nil
    }
    guard let hint = await nearPlayers(player, in: game) else { return nil }
    let name = player.contains(" ") ? "“\(player)”" : player
    return "player \(name) is new in \(game).\(hint)"
  }

  /// Returns a hint with similar ids of known players, to be added to a sentence; nil if the player is known.
  func nearPlayers(_ player: String, in game: String) async -> String? {
    let list = try? await daemon.ask(Calls.players, ["game": game], query: [("limit", String(Self.playersMax))]).answer
    // The player in GAMECONF_PLAYER may be new to the daemon, but the user knows the id.
    let known = (list?.players.map(\.player) ?? []) + (EnvironmentDefaults.present.player.map { [$0] } ?? [])
    if known.contains(player) { return nil }
    return NearestNames.hint(for: player, among: known)
  }
}
