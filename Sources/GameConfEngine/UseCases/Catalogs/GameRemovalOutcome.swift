// The result of removing a game, with the data that stays.

/// The outcome of removing a game; for a dry run, the expected outcome without a revision.
public struct GameRemovalOutcome: Sendable, Hashable {
  /// The game's id.
  public var game: String
  /// True if the game was served or had a catalog, accepted or invalid.
  public var isKnown: Bool
  /// The game's new revision; nil if nothing was removed, and for a dry run.
  public var revision: Int64?
  /// The number of the game's overrides, which stay for a future catalog of that name.
  public var overrides: Int
  /// The reason why this host could not remove its copy of the accepted catalog, so that the game returns at the next start; nil if it
  /// could.
  public var leftBehind: String?
}
