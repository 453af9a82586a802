// The table of overrides.
public import GameConfCore

/// The overrides of one slot as a change leaves them.
public struct ChangedOverrides: Sendable {
  /// The overrides now.
  public var overrides: KeyOverrides
  /// The player's revision; nil for the game's own slot.
  public var playerRevision: Int64?

  /// A slot's overrides.
  public init(_ overrides: KeyOverrides, playerRevision: Int64? = nil) {
    self.overrides = overrides
    self.playerRevision = playerRevision
  }
}

/// A selection of a game's overrides.
public struct OverrideSelection: Sendable {
  /// The slots whose overrides are selected: the game's, or players'.
  public enum Scope: Sendable {
    /// Those for the whole game.
    case game
    /// Those for one player.
    case player(String)
    /// Those for any player.
    case players
    /// All.
    case all
  }

  /// The slots whose overrides are selected.
  public var scope: Scope
  /// At which keys; nil for all.
  public var keys: Set<String>?

  /// A selection.
  public init(_ scope: Scope, keys: Set<String>? = nil) {
    self.scope = scope
    self.keys = keys
  }

  /// True if a slot is selected.
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
