// The port that checks whether a value may be overridden.
public import GameConfCore

/// Checks override values against a game's catalog and template. Stored overrides are passed as arguments: within a transaction they are
/// newer than the published ones.
///
/// The calls, and when they are made: inside the writer's transaction, and for large changes before it, where ``revision(of:)`` tells
/// whether the result is still valid.
/// - ``keys(boundWith:in:)`` once for each changed key, before the overrides are read. Only overrides at these keys, and edges of their
///   windows, are then examined.
/// - ``nearestNames(toUnknown:in:)`` for removals and releases, which need no value.
/// - ``admit(_:for:player:in:)`` for each value that is set, imported, released, or restored by an undo, but not for removals.
/// - ``faults(in:values:player:at:)`` for a game-wide change with the resulting game-wide values, now and at every later edge of a
///   game-wide window; for a player's change with that player's overrides over the game-wide ones, now and at every later edge of either.
///   If it finds a fault, it is called again with the former values: only a new fault refuses the change.
/// - When a catalog or template is accepted: for every stored override of the game, with the candidate's checking.
public protocol OverrideChecking: Sendable {
  /// True if the game is served.
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
  ///   - values: The values in force at that instant. Keys that no constraint ties to a changed one may be left out.
  ///   - player: The player whose values are checked; nil for the game-wide values.
  func faults(in game: String, values: OverriddenValues, player: String?, at instant: Instant) -> [ConstraintFault]

  /// Returns ``faults(in:values:player:at:)`` as a function for many players over the same game-wide values, whose part is computed once.
  func finder(in game: String, over gameWide: [String: Value], at instant: Instant) -> FaultFinder
}

/// Returns the constraints violated for a player with the player's overrides, or for the game if the player is nil.
public typealias FaultFinder = (_ player: String?, _ own: [String: Value]) -> [ConstraintFault]

extension OverrideChecking {
  /// Returns nil, so that no change is prepared before its transaction.
  public func revision(of game: String) -> Int64? { nil }

  /// Returns nil: the game is unknown.
  public func snapshot(of game: String) -> GameSnapshot? { nil }

  /// Returns a function that calls ``faults(in:values:player:at:)`` each time.
  public func finder(in game: String, over gameWide: [String: Value], at instant: Instant) -> FaultFinder {
    { player, own in faults(in: game, values: OverriddenValues(game: gameWide, player: own), player: player, at: instant) }
  }
}

/// The game-wide values and one player's, which are checked for faults together.
public struct OverriddenValues: Sendable, Hashable {
  /// The game-wide values, by key.
  public var game: [String: Value]
  /// The values of one player, by key; they take precedence over the game's.
  public var player: [String: Value]

  /// Creates overridden values, empty by default.
  public init(game: [String: Value] = [:], player: [String: Value] = [:]) {
    self.game = game
    self.player = player
  }
}
