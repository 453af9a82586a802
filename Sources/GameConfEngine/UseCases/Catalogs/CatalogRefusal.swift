// Why a catalog is neither taken back nor let go.

/// Why a change of accepted catalogs is refused. Nothing has changed then.
public enum CatalogRefusal: StoreRefusal, Hashable {
  /// For a reason that changes of overrides are refused for as well.
  case change(OverrideError)
  /// The catalog before is not kept any more, or can no longer be read; in a sentence.
  case formerGone(String)
  /// The game's file is there: `game.yaml`, as its folder has it.
  case fileExists(String)
  /// The store's own trouble.
  case store(StoreError)
}

/// What was let go of a game.
public struct ForgottenGame: Sendable, Hashable {
  /// The game's id.
  public var game: String
  /// Whether anything was known of it.
  public var isKnown: Bool
  /// The game's revision from then on; nil when nothing was known, and of a dry run.
  public var revision: Int64?
  /// How many of its overrides stay, for when a catalog of that name comes again.
  public var overrides: Int
  /// Why what was accepted of it could not be removed, so that it comes back at the next start; nil when it was.
  public var leftBehind: String?
}
