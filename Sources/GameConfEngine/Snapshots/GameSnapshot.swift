// An immutable snapshot of one game at one revision, from which all reads are answered.

public import GameConfCore
public import GameConfStorage

/// A game at a revision. Immutable, and shared by all readers.
public final class GameSnapshot: PrecomputedGame {
  /// The parameter table, which has every key with its game-wide layers.
  public let table: ParameterTable
  /// The state from which the layers are computed, with the other reported facts about the game.
  public let state: GameState

  /// Creates a snapshot from a state and the parameter table that was computed from it.
  public init(table: ParameterTable, _ state: GameState) {
    self.table = table
    self.state = state
  }

  /// Creates a snapshot whose parameter table is computed from a catalog and a state.
  /// - Parameters:
  ///   - keyRevisions: The revision that last changed each key. A key without a revision here gets the game's. A key that refers to newer
  ///     keys gets the newest revision of them.
  public convenience init(catalog: Catalog, keyRevisions: [String: Int64], _ state: GameState) {
    var layers: [String: GameLayers] = [:]
    let newest = Self.newest(catalog, keyRevisions, game: state.revision)
    for parameter in catalog.parameters {
      layers[parameter.key] = state.layers(at: parameter.key, revision: newest[parameter.key] ?? state.revision)
    }
    self.init(table: ParameterTable(catalog: catalog, layers: layers, revision: state.revision), state)
  }

  /// Creates a snapshot from a catalog without any stored state but a revision.
  public convenience init(catalog: Catalog, revision: Int64) {
    self.init(catalog: catalog, keyRevisions: [:], GameState(revision: revision))
  }

  /// Returns for each key the newest revision of itself and of all keys it refers to.
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

  /// Returns the revision that last changed a key's value for a player. It is the revision of a game-wide layer or of a player's override.
  /// The override may be of the key itself, or of a key that it refers to.
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

  /// The catalog from which the table was computed.
  public var catalog: Catalog { table.catalog }

  /// The game-wide and the players' overrides.
  public var overrides: OverrideIndex { state.overrides }

  /// The revision of ``state``, sent as `Gameconf-Revision` with answers about the game.
  public var revision: Int64 { state.revision }

  /// The game's simulated clock, which converts the host's time to the game's.
  public var clock: SimulatedClock { state.clock }

  /// The active template; nil if the game has no template.
  public var template: ActiveTemplate? { state.template }

  /// The version of the template that becomes active at a later time; nil if no version is scheduled.
  public var scheduledTemplate: TemplateActivation? { state.scheduledTemplate }

  /// The game's faults. Their member `game` is nil, because the list belongs to one game.
  public var degraded: [ActiveDegradation] { state.degraded }

  /// The warnings of the catalog's parser.
  public var warnings: [String] { state.warnings }

  /// Returns a copy of the snapshot with other degradations.
  public func degraded(by degraded: [ActiveDegradation]) -> GameSnapshot {
    var state = state
    state.degraded = degraded
    return GameSnapshot(table: table, state)
  }
}
