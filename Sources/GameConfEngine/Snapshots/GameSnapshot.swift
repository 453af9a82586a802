// One game at one revision: what every read of it is answered from.

public import GameConfCore

/// A game as it stands at a revision; immutable, shared by all who read it.
public final class GameSnapshot: Sendable {
  /// Every key with its game-wide layers.
  public let table: ParameterTable
  /// Everything that is forced.
  public let overrides: OverrideBoard
  /// The game's revision; rises with every change and never repeats.
  public let revision: Int64
  /// What is wrong with the game, if anything; it is served all the same.
  public let degraded: [Degradation]
  /// What the reader of the catalog had to say without refusing it.
  public let warnings: [String]

  /// A game's state.
  public init(
    table: ParameterTable, overrides: OverrideBoard = OverrideBoard(), revision: Int64, degraded: [Degradation] = [],
    warnings: [String] = []
  ) {
    self.table = table
    self.overrides = overrides
    self.revision = revision
    self.degraded = degraded
    self.warnings = warnings
  }

  /// A game of this catalog.
  /// - Parameters:
  ///   - keyRevisions: the revision that last changed a key; keys without one take the game's.
  public convenience init(
    catalog: Catalog, overrides: OverrideBoard = OverrideBoard(), revision: Int64, keyRevisions: [String: Int64] = [:],
    degraded: [Degradation] = [], warnings: [String] = []
  ) {
    var layers: [String: GameLayers] = [:]
    for parameter in catalog.parameters {
      layers[parameter.key] = GameLayers(
        override: overrides.game[parameter.key]?.inForce?.value, hasPlayerOverrides: overrides.hasPlayerValue(at: parameter.key),
        revision: keyRevisions[parameter.key] ?? revision)
    }
    self.init(
      table: ParameterTable(catalog: catalog, layers: layers, revision: revision), overrides: overrides, revision: revision,
      degraded: degraded, warnings: warnings)
  }

  /// The game's id.
  public var game: String { table.catalog.game }

  /// The game's catalog.
  public var catalog: Catalog { table.catalog }

  /// The same game with another list of what is wrong.
  public func degraded(by degraded: [Degradation]) -> GameSnapshot {
    GameSnapshot(table: table, overrides: overrides, revision: revision, degraded: degraded, warnings: warnings)
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
    /// The catalog is in force, but its bytes could not be kept for the next start.
    case catalogNotKept = "catalog_not_kept"
  }

  /// What is wrong.
  public var what: What
  /// When it was first seen, by the host's clock.
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
