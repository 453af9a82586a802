// Checks that a game's values fit together: constraints and moving ranges.

/// Two or more values that do not fit together.
public struct ConstraintFault: Error, Sendable, Hashable {
  /// The constraint's id; for a moving range the parameter's key.
  public var id: String
  /// The keys it names.
  public var keys: Set<String>
  /// The message of the constraint.
  public var message: String
  /// True if a moving range does not hold.
  public var isOfRange = false

  /// A fault.
  public init(id: String, keys: Set<String>, message: String) {
    self.id = id
    self.keys = keys
    self.message = message
  }
}

extension [ConstraintFault] {
  /// The faults without the ranges of keys that a constraint among them names: both have one cause, and the constraint says it.
  public var byCause: [ConstraintFault] {
    filter { fault in !fault.isOfRange || !contains { !$0.isOfRange && $0.keys.contains(fault.id) } }
  }
}

/// Checks constraints and moving ranges against one set of values.
public struct ConstraintCheck {
  private let catalog: Catalog
  private let now: Instant

  /// A check of that catalog's constraints at an instant.
  public init(catalog: Catalog, now: Instant) {
    self.catalog = catalog
    self.now = now
  }

  /// Every constraint and moving range that does not hold.
  /// - Parameters:
  ///   - lookup: the values to hold them against.
  ///   - keys: only what names one of these is checked; nil checks all.
  public func faults(in lookup: some ParameterLookup, naming keys: Set<String>? = nil) -> [ConstraintFault] {
    var faults: [ConstraintFault] = []
    for constraint in catalog.constraints where concerns(constraint.require.reads.parameters, keys) {
      let input = LogicInput(context: ObjectValue(), flagKey: constraint.id, now: now)
      if constraint.require.holds(input, parameters: lookup) { continue }
      faults.append(ConstraintFault(id: constraint.id, keys: constraint.require.reads.parameters, message: constraint.message))
    }
    for parameter in catalog.parameters {
      guard let range = parameter.range, !range.references.isEmpty, concerns(range.references.union([parameter.key]), keys) else {
        continue
      }
      guard let value = lookup.value(ofParameter: parameter.key) else { continue }
      for fault in ParameterAdmission.rangeFaults(of: value, range, of: parameter, lookup: lookup) {
        var moving = ConstraintFault(
          id: parameter.key, keys: range.references.union([parameter.key]), message: "\(parameter.key): \(fault.message)")
        moving.isOfRange = true
        faults.append(moving)
      }
    }
    return faults
  }

  private func concerns(_ named: Set<String>, _ keys: Set<String>?) -> Bool { keys.map { !$0.isDisjoint(with: named) } ?? true }
}

extension NumericRange {
  /// The parameters its bounds are.
  public var references: Set<String> {
    var keys = Set<String>()
    for bound in [min, max, above, below] {
      if case .parameter(let key)? = bound { keys.insert(key) }
    }
    return keys
  }
}

/// The values of the game-wide layers, rules aside: override, else template default, else catalog default.
public struct GameWideLookup: ParameterLookup {
  private let table: ParameterTable
  private let overrides: [String: Value]?
  private let now: Instant

  /// The game-wide values of a table.
  /// - Parameter overrides: stands in for the table's own overrides; nil takes the table's.
  public init(table: ParameterTable, overrides: [String: Value]? = nil, now: Instant) {
    self.table = table
    self.overrides = overrides
    self.now = now
  }

  /// The key's value for the whole game.
  public func value(ofParameter key: String) -> Value? {
    guard let entry = table.entry(key) else { return nil }
    if let forced = overrides.map({ $0[key] }) ?? entry.layers.override { return forced }
    if let remote = entry.layers.remote?.defaultValue { return remote }
    switch entry.parameter.defaultValue {
    case .value(let value): return value
    case .parameter(let other): return value(ofParameter: other)
    case .dailyHash(let salt): return .string(DailyHash.digits(salt: salt, day: DailyHash.day(of: now)))
    case .absent: return nil
    }
  }

  /// True if the catalog says so.
  public func isSecret(parameter key: String) -> Bool { table.isSecret(parameter: key) }
}
