// The data that remains of a forgotten game.

/// The outcome of removing a game.
public struct GameRemovalOutcome: Sendable, Hashable {
  /// The game's id.
  public var game: String
  /// True if anything was known of it.
  public var isKnown: Bool
  /// The game's revision from then on; nil when nothing was known, and of a dry run.
  public var revision: Int64?
  /// The number of its overrides that stay, for when a catalog of that name comes again.
  public var overrides: Int
  /// The reason why what was accepted of it could not be removed, so that it comes back at the next start; nil when it was.
  public var leftBehind: String?
}
