// The port that checks whether a value may be overridden.
public import GameConfCore

/// Checks override values against a game's catalog and template. Stored overrides are passed as arguments: within a transaction they are
/// newer than the published ones.
///
/// The use cases call these methods inside the writer's transaction. A large change is checked before its transaction, which then compares
/// ``revision(of:)`` to find whether the result is still valid. The calls of a change are:
/// - ``keys(boundWith:in:)`` once for each changed key, before the overrides are read. Only overrides of these keys, and the beginnings and
///   ends of their time windows, are then examined.
/// - ``nearestNames(toUnknown:in:)`` for removals and releases, which need no value.
/// - ``admit(_:for:player:in:)`` for each value that is set, imported, released, or restored by an undo, but not for removals.
/// - ``faults(in:values:player:at:)`` with the resulting values, now and at every later beginning or end of a window. For a game-wide
///   change these are the game-wide values. For a player's change they are that player's overrides over the game-wide ones.
///   If a fault is found, the method is called again with the former values, because only a new fault refuses the change.
/// - When a catalog or template is accepted, all stored overrides of the game are checked against the new catalog or template.
public protocol OverrideChecking: Sendable {
  /// True if the game is served, so that its overrides can be changed.
  func has(game: String) -> Bool

  /// Returns the revision of the checked game; nil if unknown, so that nothing can be checked before the transaction.
  func revision(of game: String) -> Int64?

  /// Returns the served game, from which a large change computes the next one before its transaction; nil if unknown.
  func snapshot(of game: String) -> GameSnapshot?

  /// Returns the names similar to a key that the game's catalog does not have; nil for a known key.
  func nearestNames(toUnknown key: String, in game: String) -> [String]?

  /// Returns the keys that share a constraint or a dynamic range with a key, directly or transitively, including the key itself;
  /// empty if the key's value cannot violate anything; nil if unknown, which means all keys.
  func keys(boundWith key: String, in game: String) -> Set<String>?

  /// Returns the value in stored form (`3` becomes `3.0` for a double).
  /// - Throws: `.unknownKey` with similar names, or `.inadmissible`.
  func admit(_ value: Value, for key: String, player: String?, in game: String) throws(ChangeRefusal) -> Value

  /// Returns the constraints and dynamic ranges that are violated if these values override the template and the defaults, without
  /// players' settings.
  /// - Parameters:
  ///   - values: The overrides in force at that instant. Keys that no constraint ties to a changed key may be left out.
  ///   - player: The player whose values are checked; nil for the game-wide values.
  func faults(in game: String, values: OverriddenValues, player: String?, at instant: Instant) -> [ConstraintFault]

  /// Returns ``faults(in:values:player:at:)`` as a function that is called for many players over the same game-wide values. An
  /// implementation can do the work that depends only on these values once.
  func finder(in game: String, over gameWide: [String: Value], at instant: Instant) -> FaultFinder
}

/// Returns the constraints violated for a player with the player's overrides, or for the game if the player is nil.
public typealias FaultFinder = (_ player: String?, _ own: [String: Value]) -> [ConstraintFault]

extension OverrideChecking {
  /// Returns nil by default: the revision is unknown, so no change is checked before its transaction.
  public func revision(of game: String) -> Int64? { nil }

  /// Returns nil by default: the game is unknown, so no change computes the next snapshot before its transaction.
  public func snapshot(of game: String) -> GameSnapshot? { nil }

  /// By default returns a function that calls ``faults(in:values:player:at:)`` for each player.
  public func finder(in game: String, over gameWide: [String: Value], at instant: Instant) -> FaultFinder {
    { player, own in faults(in: game, values: OverriddenValues(game: gameWide, player: own), player: player, at: instant) }
  }
}

/// The overrides of a game and of one player, which are checked together for violated constraints.
public struct OverriddenValues: Sendable, Hashable {
  /// The values of the game-wide overrides, by key.
  public var game: [String: Value]
  /// The values of one player's overrides, by key, which take precedence over the game-wide ones.
  public var player: [String: Value]

  /// Creates overridden values, empty by default.
  public init(game: [String: Value] = [:], player: [String: Value] = [:]) {
    self.game = game
    self.player = player
  }
}
