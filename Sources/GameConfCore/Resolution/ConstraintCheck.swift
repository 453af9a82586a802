// Evaluates the catalog's constraints between parameters, and ranges whose bounds are other parameters.

/// A violation of a constraint, or of a range whose bounds are other parameters.
public struct ConstraintFault: Error, Sendable, Hashable {
  /// The constraint's id in the catalog, or the parameter's key if the parameter's range is violated.
  public var id: String
  /// The keys of all parameters in the constraint. For a range, these are its parameter's key and the keys of the parameters that are its
  /// bounds.
  public var keys: Set<String>
  /// The message that the catalog declares for the constraint, or a sentence about the range.
  public var message: String
  /// True if ``id`` is the key of a parameter whose range is violated.
  public var isOfRange = false

  /// Creates a violation of a constraint. For a violated range, the caller then sets ``isOfRange``.
  public init(id: String, keys: Set<String>, message: String) {
    self.id = id
    self.keys = keys
    self.message = message
  }
}

extension [ConstraintFault] {
  /// Returns the violations, but omits the range of a parameter that a violated constraint also reads. The range and the constraint then
  /// have the same cause, which the constraint's message names.
  public var byCause: [ConstraintFault] {
    filter { fault in !fault.isOfRange || !contains { !$0.isOfRange && $0.keys.contains(fault.id) } }
  }
}

/// Evaluates the catalog's constraints, and ranges whose bounds are other parameters, on one set of values.
public struct ConstraintCheck {
  private let catalog: Catalog
  private let now: Instant

  /// Creates a check of a catalog's constraints.
  /// - Parameter now: The instant at which conditions on the time and daily hashes are evaluated.
  public init(catalog: Catalog, now: Instant) {
    self.catalog = catalog
    self.now = now
  }

  /// Returns every violated constraint and range.
  /// - Parameters:
  ///   - lookup: The values of the parameters.
  ///   - keys: Only constraints and ranges that read one of these keys are evaluated; nil evaluates all.
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
  /// The keys of the parameters that are bounds of the range.
  public var references: Set<String> {
    var keys = Set<String>()
    for bound in [min, max, above, below] {
      if case .parameter(let key)? = bound { keys.insert(key) }
    }
    return keys
  }
}

/// The values that apply to the whole game if rules, players' overrides and settings are ignored. Each is the game's override, else the
/// template's default, else the catalog's default.
public struct GameWideLookup: ParameterLookup {
  private let table: ParameterTable
  private let overrides: [String: Value]?
  private let now: Instant

  /// Creates a lookup of a table's game-wide values.
  /// - Parameter overrides: The overrides of the game by key, which replace those of the table. Callers pass them to check a change before
  ///   it is made; nil uses the table's.
  public init(table: ParameterTable, overrides: [String: Value]? = nil, now: Instant) {
    self.table = table
    self.overrides = overrides
    self.now = now
  }

  /// Returns the game-wide value of a parameter; nil if the catalog does not declare the key, or declares no value.
  public func value(ofParameter key: String) -> Value? {
    guard let entry = table.entry(key) else { return nil }
    if let overridden = overrides.map({ $0[key] }) ?? entry.layers.override { return overridden }
    if let remote = entry.layers.remote?.defaultValue { return remote }
    switch entry.parameter.defaultValue {
    case .value(let value): return value
    case .parameter(let other): return value(ofParameter: other)
    case .dailyHash(let salt): return .string(DailyHash.digits(salt: salt, day: DailyHash.day(of: now)))
    case .absent: return nil
    }
  }

  /// True if the catalog declares the parameter secret.
  public func isSecret(parameter key: String) -> Bool { table.isSecret(parameter: key) }
}
