// All parameters of a game with their game-wide layers (override and template). It is the immutable input of resolving values.

/// All parameters of a game with their game-wide layers (override and template).
///
/// A table is immutable. ``changing(_:)`` returns a new table, which shares all unaffected entries. `{parameter}` references must not form
/// a cycle, which `CatalogCheck` ensures.
public struct ParameterTable: Sendable {
  /// The entries of the parameters, in the order of the catalog.
  public private(set) var entries: [ParameterEntry]
  @usableFromInline private(set) var frame: Frame

  /// The game's catalog. Tables that ``changing(_:)`` returns have the same catalog.
  @inlinable public var catalog: Catalog { frame.catalog }
  /// The groups of parameters that constraints connect. A change of one parameter must be checked with its group.
  @inlinable public var bonds: ConstraintGroups { frame.bonds }
  /// The catalog with indexes by name, for the decisions about a player's events, ads and milestones.
  @inlinable public var playerRules: PlayerRules { frame.playerRules }

  /// Creates a table. A key without an element in `layers` has only the catalog's value.
  /// - Parameter revision: The revision of the keys without an element in `layers`.
  public init(catalog: Catalog, layers: [String: GameLayers] = [:], revision: Int64 = 0) {
    let entries = catalog.parameters.map { parameter in
      ParameterEntry(parameter: parameter, layers: layers[parameter.key] ?? GameLayers(revision: revision))
    }
    self.entries = entries
    frame = Frame(catalog, dependents: Self.dependents(of: entries))
    refresh(Array(entries.indices))
  }

  /// True if both tables are for the same catalog, so that each key has the same position in both. Their layers may differ.
  public func isSameCatalog(as other: ParameterTable) -> Bool { frame.index === other.frame.index }

  /// Returns the entry of a key; nil if the catalog does not declare the key.
  public func entry(_ key: String) -> ParameterEntry? { position(of: key).map { entries[$0] } }

  /// Returns the index of a key in ``entries``; nil if the catalog does not declare the key.
  public func position(of key: String) -> Int? { frame.index.position(of: key) }

  /// Returns the entry for a name that another system uses: the parameter with this alias, else the parameter with this key. Returns nil if
  /// there is no such parameter.
  public func entry(named name: String) -> ParameterEntry? { (frame.names.position(of: name) ?? position(of: name)).map { entries[$0] } }

  /// Returns a table in which these keys have new layers. Keys that the catalog does not declare are ignored.
  ///
  /// An entry whose value depends on a changed key is rebuilt too, and gets the changed key's revision.
  public func changing(_ layers: [String: GameLayers]) -> ParameterTable {
    var table = self
    var touched = Set<Int>()
    var areReferencesChanged = false
    for (key, changed) in layers {
      guard let at = position(of: key) else { continue }
      table.entries[at] = ParameterEntry(parameter: entries[at].parameter, layers: changed)
      touched.insert(at)
      if table.entries[at].references != entries[at].references { areReferencesChanged = true }
    }
    if areReferencesChanged { table.frame = Frame(frame, dependents: Self.dependents(of: table.entries)) }
    for (key, changed) in layers {
      for dependent in table.frame.dependents[key] ?? [] {
        touched.insert(dependent)
        // The dependent may be a changed key too. It gets the higher of its own revision and the changed key's revision.
        var renewed = table.entries[dependent].layers
        renewed.revision = max(renewed.revision, changed.revision)
        table.entries[dependent] = ParameterEntry(parameter: entries[dependent].parameter, layers: renewed)
      }
    }
    table.refresh(touched.sorted())
    return table
  }

  /// True if only certain users may read the values of the key.
  func isSecret(parameter key: String) -> Bool { entry(key)?.parameter.isSecret == true }

  /// Returns the keys whose values may change if these keys change: these keys, and all keys whose values depend on them. Keys that the
  /// catalog does not declare are left out.
  public func affected(by keys: some Sequence<String>) -> Set<String> {
    var affected = Set<String>()
    for key in keys where position(of: key) != nil {
      affected.insert(key)
      for dependent in frame.dependents[key] ?? [] { affected.insert(entries[dependent].parameter.key) }
    }
    return affected
  }

  /// The parts of a table that rarely change when layers change. They are behind one reference, so that copying a table is cheap.
  @usableFromInline final class Frame: Sendable {
    @usableFromInline let catalog: Catalog
    @usableFromInline let bonds: ConstraintGroups
    @usableFromInline let playerRules: PlayerRules
    /// The positions of the parameters by key. All tables of the same catalog share it.
    let index: KeyIndex
    /// The positions of the parameters by foreign name (the alias, else the key).
    let names: KeyIndex
    /// For each key, the positions of the other entries whose values may depend on it.
    let dependents: [String: [Int]]

    init(_ catalog: Catalog, dependents: [String: [Int]]) {
      self.catalog = catalog
      bonds = ConstraintGroups(catalog)
      playerRules = PlayerRules(catalog)
      index = KeyIndex(catalog.parameters.map(\.key))
      names = catalog.parameters.contains { $0.alias != nil } ? KeyIndex(catalog.parameters.map(\.foreignName)) : index
      self.dependents = dependents
    }

    init(_ frame: Frame, dependents: [String: [Int]]) {
      catalog = frame.catalog
      bonds = frame.bonds
      playerRules = frame.playerRules
      index = frame.index
      names = frame.names
      self.dependents = dependents
    }
  }

  private mutating func refresh(_ touched: [Int]) {
    var pending = Set(touched)
    for at in touched { refresh(at, pending: &pending) }
  }

  /// Computes the dependencies of an entry, after those of the entries that it refers to (depth-first).
  private mutating func refresh(_ at: Int, pending: inout Set<Int>) {
    guard pending.remove(at) != nil else { return }
    let entry = entries[at]
    for key in entry.references {
      if let referred = position(of: key) { refresh(referred, pending: &pending) }
    }
    let variation = variation(of: entry)
    var reads = entry.ownReads
    for key in reads.parameters { if let referred = self.entry(key) { reads.formUnion(referred.reads) } }
    let renewed = ParameterEntry(entry, variation: variation, reads: reads, unchanging: nil)
    entries[at] = renewed
    guard variation.isEmpty else { return }
    let everyone = Caller(locales: [], now: Instant(milliseconds: 0))
    guard var answer = first(of: renewed, for: everyone, memo: nil) else { return }
    if answer.reason != .disabled, answer.reason != .default { answer.reason = .static }
    entries[at] = ParameterEntry(renewed, variation: variation, reads: reads, unchanging: answer)
  }

  private func variation(of entry: ParameterEntry) -> Variation {
    let parameter = entry.parameter
    var variation: Variation = []
    if parameter.type == .localized || parameter.schema?.isLocalized == true { variation.insert(.locale) }
    if entry.layers.hasPlayerOverrides { variation.insert(.playerOverride) }
    if entry.layers.override != nil { return variation }
    if parameter.isPlayerSetting { variation.insert(.setting) }
    if let remote = entry.layers.remote {
      variation.formUnion(self.variation(of: remote.rules))
      if let flag = remote.flag, flag.isEnabled, let targeting = flag.targeting { variation.formUnion(self.variation(of: targeting)) }
      if remote.alwaysHasValue { return variation }
    }
    variation.formUnion(self.variation(of: parameter.rules))
    if let flag = parameter.flagd, flag.isEnabled, let targeting = flag.targeting { variation.formUnion(self.variation(of: targeting)) }
    return variation.union(self.variation(of: parameter.defaultValue))
  }

  private func variation(of rules: [Rule]) -> Variation {
    var variation: Variation = []
    for rule in rules {
      variation.insert(.rule)
      if rule.percent?.progress != nil { variation.insert(.clock) }
      if let condition = rule.condition { variation.formUnion(self.variation(of: condition)) }
      if rule.named?.condition.reads.time == true { variation.insert(.clock) }
      variation.formUnion(self.variation(of: rule.value))
    }
    return variation
  }

  private func variation(of expression: LogicExpression) -> Variation {
    var variation: Variation = [.rule]
    if expression.reads.time { variation.insert(.clock) }
    for key in expression.reads.parameters { variation.formUnion(entry(key)?.variation ?? []) }
    return variation
  }

  private func variation(of source: ValueSource) -> Variation {
    switch source {
    case .value: []
    case .parameter(let key): entry(key)?.variation ?? []
    case .dailyHash: .clock
    case .absent: []
    }
  }

  private static func dependents(of entries: [ParameterEntry]) -> [String: [Int]] {
    var direct: [String: [Int]] = [:]
    for (at, entry) in entries.enumerated() {
      for key in entry.references { direct[key, default: []].append(at) }
    }
    var all: [String: [Int]] = [:]
    for key in direct.keys {
      var found = Set<Int>()
      var open = direct[key] ?? []
      while let at = open.popLast() {
        guard found.insert(at).inserted else { continue }
        open.append(contentsOf: direct[entries[at].parameter.key] ?? [])
      }
      all[key] = found.sorted()
    }
    return all
  }
}

extension Parameter {
  /// The keys of the parameters that the value may directly depend on, through its default and its rules. Bounds of ranges are not among
  /// them, because they restrict values only.
  public var references: Set<String> {
    var keys = Set<String>()
    if case .parameter(let key) = defaultValue { keys.insert(key) }
    for rule in rules {
      if case .parameter(let key) = rule.value { keys.insert(key) }
      keys.formUnion(rule.condition?.reads.parameters ?? [])
    }
    keys.formUnion(flagd?.targeting?.reads.parameters ?? [])
    // The flag decides whether the player's own setting of this parameter is in force.
    if let settingFlag { keys.insert(settingFlag) }
    return keys
  }
}
