// The model of a catalog: everything that the YAML file of one game declares.

/// The catalog of a game.
///
/// Every list has the order of the file. Parts refer to each other by id, such as a milestone to a parameter. ``CatalogCheck`` validates
/// these references before a catalog is accepted.
public struct Catalog: Sendable, Hashable {
  /// The game's id, which is also the name of the file. It matches `^[a-z][a-z0-9-]{0,62}$`.
  public var game: String
  /// The game's display name.
  public var title: String
  /// The app's bundle id at the store, which prefixes the store ids of products.
  public var bundle: String?
  /// The languages of the game's texts as BCP 47 tags, at least one. The first is the fallback.
  public var locales: [String]
  /// The game modes that an event with a score may name.
  public var modes: [String] = []
  /// The event types that the game may send.
  public var events: [EventDefinition] = []
  /// True if the game is for children. Its catalog must then declare no ad placements.
  public var childDirected = false
  /// The kind of caller that may make simulated purchases.
  public var purchases: PurchaseSimulation = .off
  /// A boolean, or the key of a boolean parameter. While it is false, games cannot make simulated purchases.
  public var storeEnabled = Placement.NumberSource.number(.bool(true))
  /// The version of flagd's `fractional` operator that the game's rules and flags are evaluated with.
  public var fractional: FractionalVersion = .v3
  /// The product behind the `premium` switch of the tools; nil if the game has no such switch. The switch is on while a single purchase or
  /// grant gives the player all entitlements of the product.
  public var premium: String?
  /// True if OFREP also serves template keys that the catalog does not declare.
  public var extraFlags = false
  /// The file that templates come from, and whether a new template is activated automatically.
  public var source = TemplateSource()
  /// The typed keys that the game reads, each with a default.
  public var parameters: [Parameter] = []
  /// The conditions over several parameters that game-wide values must satisfy.
  public var constraints: [Constraint] = []
  /// The thresholds on a player's counters, such as scores and event counts.
  public var milestones: [Milestone] = []
  /// The schema that the attributes of every theme must match.
  public var themeSchema: ValueSchema?
  /// The visual themes, each with the condition that unlocks it.
  public var themes: [Theme] = []
  /// The products of the simulated store.
  public var products: [Product] = []
  /// The offerings: named groups of products that are sold together on one screen.
  public var offerings: [Offering] = []
  /// The presentation of offerings: the current one, and the texts and layouts of each.
  public var paywalls = Paywalls()
  /// The places in the game where an ad may be shown, each with its frequency rules.
  public var placements: [Placement] = []
  /// The pieces of content that may be locked for a player.
  public var gates: [Gate] = []
  /// The leaderboards, which rank the best scores of all players.
  public var leaderboards: [Leaderboard] = []
  /// True if the daemon also logs each event of this game.
  public var logsEvents = false
  /// The drop-in files that change fields of the catalog, in the order in which they were applied.
  public var dropIns: [CatalogDropIn] = []
  /// The top-level fields that begin with `x-`. They are stored and returned but have no effect.
  public var extensions = ObjectValue()

  /// Creates a catalog without parameters, products or any other part.
  public init(game: String, title: String, locales: [String]) {
    self.game = game
    self.title = title
    self.locales = locales
  }
}

/// A file that changes fields of a catalog, as drop-ins of systemd change a unit.
public struct CatalogDropIn: Sendable, Hashable {
  /// The path relative to the folder of catalogs, such as `wheresthedot.d/10-local.yaml`.
  public var file: String
  /// The names of the changed fields, by the key of the parameter. If a later drop-in changes a field again, only the later one lists it.
  public var fields: [String: [String]]
  /// The names of the top-level catalog fields that the file changes.
  public var header: [String]

  /// Creates a drop-in; by default it changes no field.
  public init(file: String, fields: [String: [String]] = [:], header: [String] = []) {
    self.file = file
    self.fields = fields
    self.header = header
  }
}

extension Catalog {
  /// Returns the drop-ins that change a parameter, each with the changed fields.
  public func dropIns(at key: String) -> [(file: String, fields: [String])] {
    dropIns.compactMap { dropIn in dropIn.fields[key].map { (dropIn.file, $0) } }
  }
}

/// The kind of caller that may make simulated purchases: any game, only admins, or no caller.
public enum PurchaseSimulation: String, Sendable, Hashable, CaseIterable { case games, admin, off }

/// The version of flagd's `fractional` operator, which assigns callers to variants by a hash. If an expression names no value to
/// hash, v3 hashes the deterministic CBOR of `[flagKey, targetingKey]`, and v2 hashes the UTF-8 of one string.
public enum FractionalVersion: String, Sendable, Hashable, CaseIterable { case v2, v3 }

/// The origin of a game's templates, and how a new template is activated.
public struct TemplateSource: Sendable, Hashable {
  /// The file that the daemon reads templates from; nil if clients upload them.
  public var file: String?
  /// True if an admin activates each new template. Otherwise it is activated on arrival.
  public var activatesByHand = false

  /// Creates a source; by default clients upload templates, which are activated on arrival.
  public init(file: String? = nil, activatesByHand: Bool = false) {
    self.file = file
    self.activatesByHand = activatesByHand
  }
}
