// The defaults of all parameters, with `{parameter}` references resolved.

/// A lookup table of a catalog's defaults. It has no value for a key that is unknown or part of a cycle.
public struct CatalogDefaults: ParameterLookup {
  private var values: [String: Value] = [:]
  private let secrets: Set<String>

  /// Resolves the defaults of a catalog. A daily hash is represented by sixteen zeros, because it depends on the day.
  public init(_ catalog: Catalog) {
    secrets = Set(catalog.parameters.filter(\.isSecret).map(\.key))
    let sources = Dictionary(catalog.parameters.map { ($0.key, $0.defaultValue) }, uniquingKeysWith: { first, _ in first })
    for parameter in catalog.parameters {
      var source = parameter.defaultValue
      var steps = 0
      while case .parameter(let key) = source, steps <= sources.count, let next = sources[key] {
        source = next
        steps += 1
      }
      switch source {
      case .value where parameter.flagd?.enabledDefault != nil: values[parameter.key] = parameter.flagd?.enabledDefault
      case .value(let value): values[parameter.key] = value.coerced(to: parameter.type)
      case .dailyHash: values[parameter.key] = .string("0000000000000000")
      case .parameter, .absent: break
      }
    }
  }

  /// Returns the default of a parameter, with references to other parameters resolved.
  public func value(ofParameter key: String) -> Value? { values[key] }

  /// True if the parameter is declared `secret`. Its default may then not be shown in messages.
  public func isSecret(parameter key: String) -> Bool { secrets.contains(key) }
}

extension FlagDefinition {
  /// The value of the flag's default variant; nil if the flag is disabled or names no default variant.
  var enabledDefault: Value? { isEnabled ? defaultVariant.flatMap { variants[$0] } : nil }
}
