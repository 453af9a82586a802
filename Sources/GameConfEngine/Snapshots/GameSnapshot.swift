// One game at one revision: what every read of it is answered from.

public import GameConfCore
public import GameConfStorage

/// A game as it stands at a revision; immutable, shared by all who read it.
public final class GameSnapshot: PrecomputedGame {
  /// Every key with its game-wide layers.
  public let table: ParameterTable
  /// All overrides.
  public let overrides: OverrideIndex
  /// The game's revision; rises with every change and never repeats.
  public let revision: Int64
  /// The game's simulated clock; the host's own unless it was set.
  public let clock: SimulatedClock
  /// The template in force; nil when there is none.
  public let template: ActiveTemplate?
  /// A version of the template that is to come into force later; nil when none is.
  public let scheduledTemplate: TemplateActivation?
  /// The faults of the game, if any; it is served all the same.
  public let degraded: [Degradation]
  /// The warnings of the catalog's reader, which do not refuse it.
  public let warnings: [String]

  /// A game's state.
  public init(
    table: ParameterTable, overrides: OverrideIndex = OverrideIndex(), revision: Int64, clock: SimulatedClock = .host,
    template: ActiveTemplate? = nil, scheduledTemplate: TemplateActivation? = nil, degraded: [Degradation] = [], warnings: [String] = []
  ) {
    self.table = table
    self.template = template
    self.scheduledTemplate = scheduledTemplate
    self.overrides = overrides
    self.revision = revision
    self.clock = clock
    self.degraded = degraded
    self.warnings = warnings
  }

  /// A game of this catalog.
  /// - Parameters:
  ///   - keyRevisions: the revision that last changed a key; keys without one take the game's, and none is older than what it refers to.
  public convenience init(
    catalog: Catalog, overrides: OverrideIndex = OverrideIndex(), revision: Int64, keyRevisions: [String: Int64] = [:],
    clock: SimulatedClock = .host, template: ActiveTemplate? = nil, scheduledTemplate: TemplateActivation? = nil,
    degraded: [Degradation] = [], warnings: [String] = []
  ) {
    var layers: [String: GameLayers] = [:]
    let newest = Self.newest(catalog, keyRevisions, game: revision)
    for parameter in catalog.parameters {
      layers[parameter.key] = GameLayers(
        override: overrides.game[parameter.key]?.inForce?.value, remote: template?.template.layers[parameter.key],
        hasPlayerOverrides: overrides.hasPlayerValue(at: parameter.key),
        revision: newest[parameter.key] ?? revision)
    }
    self.init(
      table: ParameterTable(catalog: catalog, layers: layers, revision: revision), overrides: overrides, revision: revision,
      clock: clock, template: template, scheduledTemplate: scheduledTemplate, degraded: degraded, warnings: warnings)
  }

  /// For each key the newest revision of itself and of all that it refers to.
  private static func newest(_ catalog: Catalog, _ own: [String: Int64], game revision: Int64) -> [String: Int64] {
    var references: [String: Set<String>] = [:]
    for parameter in catalog.parameters { references[parameter.key] = parameter.references }
    var newest: [String: Int64] = [:]
    func settle(_ key: String) -> Int64 {
      if let known = newest[key] { return known }
      var found = own[key] ?? revision
      newest[key] = found
      for other in references[key] ?? [] where references[other] != nil { found = max(found, settle(other)) }
      newest[key] = found
      return found
    }
    for key in references.keys { _ = settle(key) }
    return newest
  }

  /// The revision that last changed a key's answer for a player: a game-wide layer of it, or an override of that player's, of the key or
  /// of what it refers to.
  public func revision(at key: String, for player: String?) -> Int64 {
    guard let entry = table.entry(key) else { return revision }
    let own = player.map { overrides.player($0).revisions } ?? [:]
    if own.isEmpty { return entry.layers.revision }
    var newest = entry.layers.revision
    var seen: Set<String> = [key]
    var open = [key]
    while let next = open.popLast() {
      newest = max(newest, own[next] ?? 0)
      for other in table.entry(next)?.parameter.references ?? [] where seen.insert(other).inserted { open.append(other) }
    }
    return newest
  }

  /// The game's id.
  public var game: String { table.catalog.game }

  /// The game's catalog.
  public var catalog: Catalog { table.catalog }

  /// The same game with another list of what is wrong.
  public func degraded(by degraded: [Degradation]) -> GameSnapshot {
    GameSnapshot(
      table: table, overrides: overrides, revision: revision, clock: clock, template: template, scheduledTemplate: scheduledTemplate,
      degraded: degraded, warnings: warnings)
  }
}
