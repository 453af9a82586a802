// One game at one revision: what every read of it is answered from.

public import GameConfCore
public import GameConfStorage

/// A game as it stands at a revision; immutable, shared by all who read it.
public final class GameSnapshot: PrecomputedGame {
  /// Every key with its game-wide layers.
  public let table: ParameterTable
  /// The state that the layers are made of, and what else is shown of the game.
  public let state: GameState

  /// A game of a table that is made of the state.
  public init(table: ParameterTable, _ state: GameState) {
    self.table = table
    self.state = state
  }

  /// A game of this catalog.
  /// - Parameters:
  ///   - keyRevisions: the revision that last changed a key; keys without one take the game's, and none is older than what it refers to.
  public convenience init(catalog: Catalog, keyRevisions: [String: Int64], _ state: GameState) {
    var layers: [String: GameLayers] = [:]
    let newest = Self.newest(catalog, keyRevisions, game: state.revision)
    for parameter in catalog.parameters {
      layers[parameter.key] = state.layers(at: parameter.key, revision: newest[parameter.key] ?? state.revision)
    }
    self.init(table: ParameterTable(catalog: catalog, layers: layers, revision: state.revision), state)
  }

  /// A game of this catalog of which nothing is stored but a revision.
  public convenience init(catalog: Catalog, revision: Int64) {
    self.init(catalog: catalog, keyRevisions: [:], GameState(revision: revision))
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

  /// All overrides.
  public var overrides: OverrideIndex { state.overrides }

  /// The game's revision.
  public var revision: Int64 { state.revision }

  /// The game's simulated clock.
  public var clock: SimulatedClock { state.clock }

  /// The template in force; nil when there is none.
  public var template: ActiveTemplate? { state.template }

  /// A version of the template that is to come into force later; nil when none is.
  public var scheduledTemplate: TemplateActivation? { state.scheduledTemplate }

  /// The faults of the game, if any.
  public var degraded: [Degradation] { state.degraded }

  /// The warnings of the catalog's reader.
  public var warnings: [String] { state.warnings }

  /// The same game with another list of what is wrong.
  public func degraded(by degraded: [Degradation]) -> GameSnapshot {
    var state = state
    state.degraded = degraded
    return GameSnapshot(table: table, state)
  }
}
