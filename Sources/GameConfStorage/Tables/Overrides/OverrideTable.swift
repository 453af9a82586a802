// The table of overrides.
public import GameConfCore

/// Reads overrides.
public protocol OverrideReading {
  /// The overrides at a slot; empty when there are none.
  func overrides(at slot: OverrideSlot) throws(StoreError) -> KeyOverrides
  /// The overrides in a game, by slot.
  func overrides(in game: String, _ selection: OverrideSelection) throws(StoreError) -> [KeyOverrides]
  /// The overrides in every game, by slot.
  func overrides() throws(StoreError) -> [KeyOverrides]
  /// The number of overrides of players a game has, windows counted.
  func playerOverridesCount(in game: String) throws(StoreError) -> Int
  /// The slots that have an edge to apply: a window that has ended, should be open and is not, or is open and should not be.
  func slotsWithEdges(at now: Instant) throws(StoreError) -> [OverrideSlot]
  /// The next instant at which a window begins or ends; nil when none does.
  func nextEdge(after now: Instant) throws(StoreError) -> Instant?
}

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

/// Writes overrides.
public protocol OverrideWriting: OverrideReading {
  /// Replaces the overrides of slots, notes the revision that changes the slots, and publishes ``StoreChange/overrides(_:revision:playerRevision:)`` for
  /// each.
  func put(_ changed: [ChangedOverrides], revision: Int64) throws(StoreError)
  /// Replaces the overrides of one large change, and publishes ``StoreChange/overridesMany(_:)``.
  /// - Parameters:
  ///   - written: The same overrides as rows.
  ///   - records: The number of overrides of players at these slots, windows counted. If the game has no more, all are removed together.
  func put(_ many: BulkOverrides, written: OverrideRowBatch, over records: Int) throws(StoreError)
}

extension OverrideWriting {
  /// Replaces the overrides of one slot.
  public func put(_ overrides: KeyOverrides, revision: Int64, playerRevision: Int64? = nil) throws(StoreError) {
    try put([ChangedOverrides(overrides, playerRevision: playerRevision)], revision: revision)
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
