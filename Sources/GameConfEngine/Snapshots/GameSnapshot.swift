// One game at one revision: what every read of it is answered from.

public import GameConfCore

/// A game as it stands at a revision; immutable, shared by all who read it.
public final class GameSnapshot: Sendable {
  /// Every key with its game-wide layers.
  public let table: ParameterTable
  /// The game's revision; rises with every change and never repeats.
  public let revision: Int64
  /// What is wrong with the game, if anything; it is served all the same.
  public let degraded: [Degradation]
  /// The keys that lost an override to quarantine, with why; sorted by key.
  public let quarantined: [QuarantinedOverride]
  /// How many overrides stand, for the game and for players.
  public let overrideCount: Int
  /// What the reader of the catalog had to say without refusing it.
  public let warnings: [String]

  /// A game's state.
  public init(
    table: ParameterTable, revision: Int64, degraded: [Degradation] = [], quarantined: [QuarantinedOverride] = [],
    overrideCount: Int = 0, warnings: [String] = []
  ) {
    self.table = table
    self.revision = revision
    self.degraded = degraded
    self.quarantined = quarantined
    self.overrideCount = overrideCount
    self.warnings = warnings
  }

  /// The game's id.
  public var game: String { table.catalog.game }

  /// The game's catalog.
  public var catalog: Catalog { table.catalog }

  /// The same game with another list of what is wrong.
  public func degraded(by degraded: [Degradation]) -> GameSnapshot {
    GameSnapshot(
      table: table, revision: revision, degraded: degraded, quarantined: quarantined, overrideCount: overrideCount, warnings: warnings)
  }
}

/// Something that is wrong and since when; what it touches goes on as it was.
public struct Degradation: Sendable, Hashable {
  /// What is wrong.
  public enum What: String, Sendable, Hashable, CaseIterable {
    /// The catalog's file is bad; the last accepted one is in force.
    case catalogRefused = "catalog"
    /// The catalog's file is gone; the last accepted one is in force.
    case catalogVanished = "catalog_missing"
    /// The database cannot be used; `last-good.json` is served and writes are refused.
    case store
  }

  /// What is wrong.
  public var what: What
  /// When it was first seen.
  public var since: Instant
  /// What exactly, a line each.
  public var details: [String]

  /// Something wrong.
  public init(what: What, since: Instant, details: [String]) {
    self.what = what
    self.since = since
    self.details = details
  }
}

/// An override that the present catalog does not admit: kept, listed, not served.
public struct QuarantinedOverride: Sendable, Hashable {
  /// The key it was set for.
  public var key: String
  /// The player it was set for; nil for the game.
  public var player: String?
  /// Why it is not served.
  public var why: String

  /// An override out of force.
  public init(key: String, player: String?, why: String) {
    self.key = key
    self.player = player
    self.why = why
  }
}
