// Checks the values of overrides against the catalogs of the served games.

public import GameConfCore

/// A check of overrides' values against the catalogs of the served games.
public struct WorldChecking: OverrideChecking {
  private let world: @Sendable () -> World

  /// Creates a check against the games as they are served at the time of each call.
  public init(_ present: CurrentWorld) { world = { present.world } }

  /// Creates a check against the games that are served now, in which the candidate replaces one game's snapshot.
  init(_ present: CurrentWorld, candidate: GameSnapshot) {
    let world = present.world.replacing([candidate])
    self.world = { world }
  }

  /// True if the game is served.
  public func has(game: String) -> Bool { world()[game] != nil }

  /// Returns the revision of the game's snapshot; nil if the game is not served.
  public func revision(of game: String) -> Int64? { world()[game]?.revision }

  /// Returns the game's snapshot; nil if the game is not served.
  public func snapshot(of game: String) -> GameSnapshot? { world()[game] }

  /// Returns names similar to an unknown key; nil if the game's catalog has the key.
  public func nearestNames(toUnknown key: String, in game: String) -> [String]? {
    guard let snapshot = world()[game], snapshot.table.entry(key) == nil else { return nil }
    return NearestNames.nearest(to: key, among: snapshot.catalog.parameters.map(\.key))
  }

  /// Returns the keys that share constraints with this one; empty for a game that is not served.
  public func keys(boundWith key: String, in game: String) -> Set<String>? { world()[game]?.table.bonds.keys(with: key) ?? [] }

  /// Returns the value in the form in which it would be served.
  public func admit(_ value: Value, for key: String, player: String?, in game: String) throws(ChangeRefusal) -> Value {
    guard let snapshot = world()[game] else { throw .unknownGame(game) }
    guard let parameter = snapshot.table.entry(key)?.parameter else {
      throw .unknownKey(key, nearest: nearestNames(toUnknown: key, in: game) ?? [])
    }
    // Bounds that are themselves parameters are checked in `faults`, against the values that will be in force.
    let admission = ParameterAdmission.admission(
      of: value, for: parameter, in: snapshot.catalog, use: .gameWide, lookup: NoParameters())
    switch admission {
    case .admitted(let value): return value
    case .refused(let faults): throw .inadmissible(key: key, .joined(faults))
    }
  }

  /// Returns the violated constraints; empty for a game that is not served.
  public func faults(in game: String, values: OverriddenValues, player: String?, at instant: Instant) -> [ConstraintFault] {
    finder(in: game, over: values.game, at: instant)(player, values.player)
  }

  /// Returns a function that finds the violated constraints for each player, over game-wide values that are resolved once.
  public func finder(in game: String, over gameWide: [String: Value], at instant: Instant) -> FaultFinder {
    guard let snapshot = world()[game] else { return { _, _ in [] } }
    let bound = snapshot.table.bonds.all
    if bound.isEmpty { return { _, _ in [] } }
    var layers: [String: GameLayers] = [:]
    for key in bound {
      guard var changed = snapshot.table.entry(key)?.layers, changed.override != gameWide[key] else { continue }
      changed.override = gameWide[key]
      layers[key] = changed
    }
    let table = layers.isEmpty ? snapshot.table : snapshot.table.changing(layers)
    // Time windows follow the host's clock. Rules follow the game's clock, which is read for the same instant.
    let now = snapshot.now(host: instant)
    let check = ConstraintCheck(catalog: snapshot.catalog, now: now)
    return { player, own in
      var faults: [ConstraintFault]
      if let player {
        let caller = Caller(player: player, locales: snapshot.catalog.locales, now: now, overrides: own)
        faults = check.faults(in: CallerLookup(table: table, caller: caller))
      } else {
        faults = check.faults(in: GameWideLookup(table: table, now: now))
      }
      let values = OverriddenValues(game: gameWide, player: own)
      for at in faults.indices { faults[at].keys = Self.givers(of: faults[at].keys, table, values) }
      return faults
    }
  }

  /// Returns the keys and, for keys without an override, the parameters that they refer to, transitively.
  private static func givers(of keys: Set<String>, _ table: ParameterTable, _ values: OverriddenValues) -> Set<String> {
    var givers = keys
    var open = Array(keys)
    while let key = open.popLast() {
      if values.player[key] != nil || values.game[key] != nil { continue }
      for other in table.entry(key)?.parameter.references ?? [] where givers.insert(other).inserted { open.append(other) }
    }
    return givers
  }
}
