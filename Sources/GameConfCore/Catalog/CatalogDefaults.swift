// The answer of every parameter when nothing at all has been said: its default, through `{parameter}`.

/// The defaults of a catalog, each looked up once; nil for a key that is unknown or in a cycle.
public struct CatalogDefaults: ParameterLookup {
  private var values: [String: Value] = [:]
  private let secrets: Set<String>

  /// The defaults of a catalog. A daily hash stands as sixteen zeros, since it depends on the day.
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

  /// The default of that key.
  public func value(ofParameter key: String) -> Value? { values[key] }

  /// True if the catalog says so.
  public func isSecret(parameter key: String) -> Bool { secrets.contains(key) }
}

extension FlagDefinition {
  /// The value of the default variant, unless the flag is disabled or has none.
  var enabledDefault: Value? { isEnabled ? defaultVariant.flatMap { variants[$0] } : nil }
}
