// One game as its catalog describes it: what may be asked for, and what each thing is.

/// A game's catalog, read and checked.
///
/// Everything in it stands in the order of the file. References between its parts (a milestone's parameter, a product's entitlement) are
/// names; `CatalogCheck` has made sure that they lead somewhere before a catalog is accepted.
public struct Catalog: Sendable, Hashable {
  /// The game's id: the file's name, `^[a-z][a-z0-9-]{0,62}$`.
  public var game: String
  /// The game's name, for people.
  public var title: String
  /// The store's bundle id, with which the store ids of products begin.
  public var bundle: String?
  /// BCP 47 tags; the first is the fallback. Never empty.
  public var locales: [String]
  /// The modes an event with a score may name.
  public var modes: [String] = []
  /// The events a game may send.
  public var events: [EventDefinition] = []
  /// True if the game is for children: placements are refused then.
  public var childDirected = false
  /// The callers who may make simulated purchases.
  public var purchases: PurchaseSimulation = .off
  /// True, or the parameter that says so, while games may buy.
  public var storeEnabled = Placement.Number.number(.bool(true))
  /// The version of flagd's `fractional` algorithm that rules and flags use.
  public var fractional: FractionalVersion = .v3
  /// The product that the one premium switch buys.
  public var premium: String?
  /// True if template keys that are not in the catalog are served over OFREP.
  public var extraFlags = false
  /// The source of templates.
  public var source = TemplateSource()
  /// Every key the game may ask for.
  public var parameters: [Parameter] = []
  /// The constraints between parameters.
  public var constraints: [Constraint] = []
  /// Thresholds on what a player has done.
  public var milestones: [Milestone] = []
  /// The schema of every theme's attributes.
  public var themeSchema: ValueSchema?
  /// The game's looks and what unlocks each.
  public var themes: [Theme] = []
  /// The products.
  public var products: [Product] = []
  /// Named selections of products.
  public var offerings: [Offering] = []
  /// The presentation of the offerings: which one is current, texts and layouts.
  public var paywalls = Paywalls()
  /// Places where an ad may show.
  public var placements: [Placement] = []
  /// Content that may be locked.
  public var gates: [Gate] = []
  /// The best scores of all players, side by side.
  public var leaderboards: [Leaderboard] = []
  /// True if each event is also a line of the daemon's log.
  public var logsEvents = false
  /// The files beside the catalog's that change fields of it, in the order in which they are applied.
  public var dropIns: [CatalogDropIn] = []
  /// The header's fields that begin with `x-`, kept and never looked at.
  public var extensions = ObjectValue()

  /// An empty catalog for a game.
  public init(game: String, title: String, locales: [String]) {
    self.game = game
    self.title = title
    self.locales = locales
  }
}

/// A file that changes fields of a catalog.
public struct CatalogDropIn: Sendable, Hashable {
  /// Its name within its folder, as `wheresthedot.d/10-local.yaml`.
  public var file: String
  /// The fields of parameters whose values are its, by key; what a later drop-in changes again is not among them.
  public var fields: [String: [String]]
  /// The fields of the header whose values are its.
  public var header: [String]

  /// A drop-in.
  public init(file: String, fields: [String: [String]] = [:], header: [String] = []) {
    self.file = file
    self.fields = fields
    self.header = header
  }
}

extension Catalog {
  /// The drop-ins that say something of a parameter, each with the fields.
  public func dropIns(at key: String) -> [(file: String, fields: [String])] {
    dropIns.compactMap { dropIn in dropIn.fields[key].map { (dropIn.file, $0) } }
  }
}

/// The callers who may make simulated purchases: games and admins, admins only, or nobody.
public enum PurchaseSimulation: String, Sendable, Hashable, CaseIterable { case games, admin, off }

/// flagd's `fractional`: v3 hashes deterministic CBOR with an implicit seed `[flagKey, targetingKey]`, v2 the raw UTF-8 of a string.
public enum FractionalVersion: String, Sendable, Hashable, CaseIterable { case v2, v3 }

/// The source of a game's templates, and whether a new one comes into force by itself.
public struct TemplateSource: Sendable, Hashable {
  /// The file a template is read from; nil when templates are pushed.
  public var file: String?
  /// True if a new template is activated by hand.
  public var activatesByHand = false

  /// Pushed and activated automatically unless said otherwise.
  public init(file: String? = nil, activatesByHand: Bool = false) {
    self.file = file
    self.activatesByHand = activatesByHand
  }
}
