// The result of removing a game, with the data that stays.

/// Also describes a dry run, for which ``revision`` is nil.
public struct GameRemovalOutcome: Sendable, Hashable {
  /// The game's id.
  public var game: String
  /// True if the store or memory had data of it.
  public var isKnown: Bool
  /// The game's new revision; nil if nothing was removed, and for a dry run.
  public var revision: Int64?
  /// The number of its overrides, which stay for a future catalog of that name.
  public var overrides: Int
  /// The reason why the accepted files could not be removed, so that the game returns at the next start; nil if they were.
  public var leftBehind: String?
}
