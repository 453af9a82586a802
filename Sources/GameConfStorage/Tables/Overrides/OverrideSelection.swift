// Selections and changes of stored overrides.
public import GameConfCore

/// The overrides of one key, for the game or for one player, after a change.
public struct ChangedOverrides: Sendable {
  /// The overrides; empty if the change removed all of them.
  public var overrides: KeyOverrides
  /// The player's revision; nil for game-wide overrides.
  public var playerRevision: Int64?

  /// Creates the changed overrides of one key, by default game-wide ones.
  public init(_ overrides: KeyOverrides, playerRevision: Int64? = nil) {
    self.overrides = overrides
    self.playerRevision = playerRevision
  }
}

/// Selects overrides of a game by scope and key.
public struct OverrideSelection: Sendable {
  /// The targets of the selected overrides: the whole game, players, or both.
  public enum OverrideScope: Sendable {
    case game
    /// The overrides of this player alone.
    case player(String)
    /// The overrides of any player.
    case players
    /// Game-wide and players' overrides.
    case all
  }

  /// The overrides that are selected: the game's own, those of players, or both.
  public var scope: OverrideScope
  /// The keys to select; nil for every key.
  public var keys: Set<String>?

  /// Creates a selection, by default of every key.
  public init(_ scope: OverrideScope, keys: Set<String>? = nil) {
    self.scope = scope
    self.keys = keys
  }

  /// True if scope and key match. The game is not compared.
  public func contains(_ slot: OverrideSlot) -> Bool {
    let isInScope =
      switch scope {
      case .game: slot.player == nil
      case .player(let player): slot.isOf(player: player)
      case .players: slot.player != nil
      case .all: true
      }
    return isInScope && keys?.contains(slot.key) != false
  }
}
