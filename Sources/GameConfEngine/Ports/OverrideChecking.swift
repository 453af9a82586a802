// The port through which overrides check that a value may be set.
public import GameConfCore

/// Answers, by a game's catalog and template, whether values may be overridden. Stored overrides come in as arguments: within a transaction they are
/// newer than what is published.
///
/// The calls, with the instants at which they are made, inside the writer's transaction and for large changes before it, where ``revision(of:)`` says
/// if that still holds:
/// - ``keys(boundWith:in:)`` once for each changed key, before the overrides are read. Only overrides at these keys, and edges of their
///   windows, are then looked at.
/// - ``nearestNames(toUnknown:in:)`` where something is removed or released, which needs no value.
/// - ``admit(_:for:player:in:)`` for each value that is set, imported, released, or restored by an undo. Removing asks nothing of it.
/// - ``faults(in:forced:player:at:)`` for a game-wide change with the game-wide values as they would be, now and at every later edge of a
///   game-wide window; for a player's change with that player's overrides over the game-wide ones, now and at every later edge of either.
///   Where it finds a fault, it is asked again with the values as they were: only a fault that was not there before refuses the change.
/// - When a catalog or template is accepted: for every stored override of the game, with the candidate's checking.
public protocol OverrideChecking: Sendable {
  /// True if the game is served.
  func has(game: String) -> Bool

  /// The revision of the game that is answered by; nil where that is not known, and nothing can be checked before the transaction.
  func revision(of game: String) -> Int64?

  /// The game as it is answered from now, so that what it will be can be made before the transaction; nil where that is not known.
  func snapshot(of game: String) -> GameSnapshot?

  /// The names nearest to a key that the game's catalog does not have; nil for a key it has.
  func nearestNames(toUnknown key: String, in game: String) -> [String]?

  /// The parameter keys that share a constraint or a moving range with the key, directly or through others, the key itself among them;
  /// empty when nothing can be broken by the key's value; nil when that is not known, which means all.
  func keys(boundWith key: String, in game: String) -> Set<String>?

  /// The value as it is to be stored (`3` becomes `3.0` for a double).
  /// - Throws: `.unknownKey` with the nearest names, or `.inadmissible`.
  func admit(_ value: Value, for key: String, player: String?, in game: String) throws(ChangeRefusal) -> Value

  /// The constraints and moving ranges that do not hold for the values that result when these override template and defaults, without
  /// players' settings.
  /// - Parameters:
  ///   - forced: the values in force at that instant; of keys that are not bound with a changed one, none need be there.
  ///   - player: the player whose values are meant; nil for the game-wide values.
  func faults(in game: String, forced: OverriddenValues, player: String?, at instant: Instant) -> [ConstraintFault]

  /// The same for many players, over one set of overridden values of the game: what they have in common is made ready once.
  func finder(in game: String, over gameWide: [String: Value], at instant: Instant) -> FaultFinder
}

/// Finds the constraints that do not hold for a player, or for the game where that is nil, with the overrides of that player.
public typealias FaultFinder = (_ player: String?, _ own: [String: Value]) -> [ConstraintFault]

extension OverrideChecking {
  /// Not known.
  public func revision(of game: String) -> Int64? { nil }

  /// Not known.
  public func snapshot(of game: String) -> GameSnapshot? { nil }

  /// Asks ``faults(in:forced:player:at:)`` each time.
  public func finder(in game: String, over gameWide: [String: Value], at instant: Instant) -> FaultFinder {
    { player, own in faults(in: game, forced: OverriddenValues(game: gameWide, player: own), player: player, at: instant) }
  }
}

/// The overridden values at an instant.
public struct OverriddenValues: Sendable, Hashable {
  /// For the whole game, by key.
  public var game: [String: Value]
  /// For one player, by key; they win over the game's.
  public var player: [String: Value]

  /// Overridden values; default none.
  public init(game: [String: Value] = [:], player: [String: Value] = [:]) {
    self.game = game
    self.player = player
  }
}
