// Every key of a game, ready to answer: the resolver's immutable input.

/// Every key of one game with its game-wide layers.
///
/// A table never changes; ``changing(_:)`` makes another one that shares every entry the change does not touch.
/// `{parameter}` must not form cycles, which `CatalogCheck` makes sure of; should one slip in, its keys are treated as having no value.
public struct ParameterTable: Sendable {
  /// What no change of layers changes; tables that share it have the same keys in the same places.
  private final class Frame: Sendable {
    let catalog: Catalog
    let bonds: ConstraintBonds
    let index: KeyIndex
    /// For each key the positions of those whose answer can depend on it.
    let dependents: [String: [Int]]

    init(_ catalog: Catalog) {
      self.catalog = catalog
      bonds = ConstraintBonds(catalog)
      index = KeyIndex(catalog.parameters.lazy.map(\.key))
      dependents = Frame.dependents(of: catalog, index)
    }

    private static func dependents(of catalog: Catalog, _ index: KeyIndex) -> [String: [Int]] {
      var direct: [String: [Int]] = [:]
      for (at, parameter) in catalog.parameters.enumerated() {
        for key in parameter.references { direct[key, default: []].append(at) }
      }
      var all: [String: [Int]] = [:]
      for key in direct.keys {
        var found = Set<Int>()
        var open = direct[key] ?? []
        while let at = open.popLast() {
          guard found.insert(at).inserted else { continue }
          open.append(contentsOf: direct[catalog.parameters[at].key] ?? [])
        }
        all[key] = found.sorted()
      }
      return all
    }
  }

  private let frame: Frame
  /// The entries, in the catalog's order.
  public private(set) var entries: [ParameterEntry]

  /// The game's catalog.
  public var catalog: Catalog { frame.catalog }

  /// Which keys can break a constraint together.
  public var bonds: ConstraintBonds { frame.bonds }

  /// A table with these layers; keys that are not named have only the catalog's.
  /// - Parameter revision: for keys that `layers` does not name.
  public init(catalog: Catalog, layers: [String: GameLayers] = [:], revision: Int64 = 0) {
    frame = Frame(catalog)
    entries = catalog.parameters.map { parameter in
      ParameterEntry(parameter: parameter, layers: layers[parameter.key] ?? GameLayers(revision: revision))
    }
    refresh(Array(entries.indices))
  }

  /// Whether the other table came from this one, or this from it, by changes of layers only: both have the same keys in the same places.
  public func isSameCatalog(as other: ParameterTable) -> Bool { frame === other.frame }

  /// The entry of that key.
  public func entry(_ key: String) -> ParameterEntry? { position(of: key).map { entries[$0] } }

  /// The position of that key in ``entries``.
  public func position(of key: String) -> Int? { frame.index.position(of: key) }

  /// Another table in which these keys have these layers; keys the catalog does not have are passed over.
  ///
  /// Entries whose answer depends on a changed key are renewed too, and take its revision.
  public func changing(_ layers: [String: GameLayers]) -> ParameterTable {
    var table = self
    var touched = Set<Int>()
    for (key, changed) in layers {
      guard let at = position(of: key) else { continue }
      table.entries[at] = ParameterEntry(parameter: entries[at].parameter, layers: changed)
      touched.insert(at)
      for dependent in frame.dependents[key] ?? [] {
        touched.insert(dependent)
        if layers.keys.contains(entries[dependent].parameter.key) { continue }
        var renewed = table.entries[dependent].layers
        renewed.revision = max(renewed.revision, changed.revision)
        table.entries[dependent] = ParameterEntry(parameter: entries[dependent].parameter, layers: renewed)
      }
    }
    table.refresh(touched.sorted())
    return table
  }

  /// The keys whose answers can change when these change: themselves and all that refer to them.
  public func affected(by keys: some Sequence<String>) -> Set<String> {
    var affected = Set<String>()
    for key in keys where position(of: key) != nil {
      affected.insert(key)
      for dependent in frame.dependents[key] ?? [] { affected.insert(entries[dependent].parameter.key) }
    }
    return affected
  }

  private mutating func refresh(_ touched: [Int]) {
    var pending = Set(touched)
    for at in touched { refresh(at, pending: &pending) }
  }

  /// Renews what an entry refers to before the entry itself.
  private mutating func refresh(_ at: Int, pending: inout Set<Int>) {
    guard pending.remove(at) != nil else { return }
    let entry = entries[at]
    for key in entry.parameter.references {
      if let referred = position(of: key) { refresh(referred, pending: &pending) }
    }
    let variation = variation(of: entry)
    let renewed = ParameterEntry(entry, variation: variation, unchanging: nil)
    entries[at] = renewed
    guard variation.isEmpty else { return }
    let everyone = Caller(locales: [], now: Instant(milliseconds: 0))
    guard var answer = resolve(renewed, for: everyone) else { return }
    answer.reason = .static
    entries[at] = ParameterEntry(renewed, variation: variation, unchanging: answer)
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
      if remote.defaultValue != nil { return variation }
    }
    variation.formUnion(self.variation(of: parameter.rules))
    if let targeting = parameter.flagd?.targeting { variation.formUnion(self.variation(of: targeting)) }
    return variation.union(self.variation(of: parameter.defaultValue))
  }

  private func variation(of rules: [Rule]) -> Variation {
    var variation: Variation = []
    for rule in rules {
      variation.insert(.rule)
      if rule.percent?.progress != nil { variation.insert(.clock) }
      if let condition = rule.condition { variation.formUnion(self.variation(of: condition)) }
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
    case .parameter(let key): (entry(key)?.variation ?? []).subtracting(.locale)
    case .dailyHash: .clock
    }
  }
}

extension Parameter {
  /// The keys its answer can depend on directly: through its default and its rules. (Ranges admit values; they do not give them.)
  public var references: Set<String> {
    var keys = Set<String>()
    if case .parameter(let key) = defaultValue { keys.insert(key) }
    for rule in rules {
      if case .parameter(let key) = rule.value { keys.insert(key) }
      keys.formUnion(rule.condition?.reads.parameters ?? [])
    }
    keys.formUnion(flagd?.targeting?.reads.parameters ?? [])
    return keys
  }
}
