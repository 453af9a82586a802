// The table of overrides.
public import GameConfCore

/// Reads overrides.
public protocol OverrideReading {
  /// What is forced at a slot; empty when nothing is.
  func overrides(at slot: OverrideSlot) throws(StoreError) -> KeyOverrides
  /// What is forced in a game, by slot.
  func overrides(in game: String, _ selection: OverrideSelection) throws(StoreError) -> [KeyOverrides]
  /// What is forced in every game, by slot.
  func overrides() throws(StoreError) -> [KeyOverrides]
  /// How many overrides of players a game has, windows counted.
  func playerOverridesCount(in game: String) throws(StoreError) -> Int
  /// The slots that have an edge to apply: a window that has ended, should be open and is not, or is open and should not be.
  func slotsWithEdges(at now: Instant) throws(StoreError) -> [OverrideSlot]
  /// The next instant at which a window begins or ends; nil when none does.
  func nextEdge(after now: Instant) throws(StoreError) -> Instant?
}

/// Writes overrides.
public protocol OverrideWriting: OverrideReading {
  /// Replaces what is forced at the slot.
  func put(_ overrides: KeyOverrides) throws(StoreError)
  /// The same for many slots.
  func put(_ overrides: [KeyOverrides]) throws(StoreError)
  /// The same where it is known what goes, and which revision it is that changes the slots.
  /// - Parameter records: how many overrides of players stand at these slots, windows counted: where the game has no more, all go at once.
  func put(_ overrides: WrittenOverrides, over records: Int, at revision: Int64) throws(StoreError)
}

extension OverrideWriting {
  /// One after the other.
  public func put(_ overrides: [KeyOverrides]) throws(StoreError) { for each in overrides { try put(each) } }
}

extension OverrideWriting where Self: RevisionWriting {
  /// One after the other.
  public func put(_ overrides: WrittenOverrides, over records: Int, at revision: Int64) throws(StoreError) {
    try put(overrides.slots)
    try setRevision(revision, at: overrides.slots.map(\.slot))
  }
}

/// Which overrides of a game are meant.
public struct OverrideSelection: Sendable {
  /// Whose overrides.
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

  /// Whose overrides.
  public var scope: Scope
  /// At which keys; nil for all.
  public var keys: Set<String>?

  /// A selection.
  public init(_ scope: Scope, keys: Set<String>? = nil) {
    self.scope = scope
    self.keys = keys
  }

  /// Whether a slot is selected.
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
