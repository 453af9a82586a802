// A parameter with its game-wide layers, and everything that can be precomputed about its values.

/// A parameter with its game-wide layers and the precomputed data for resolving it.
///
/// Entries are immutable. A change creates a new entry and shares the others of the table.
public final class ParameterEntry: Sendable {
  /// The parameter's declaration in the catalog.
  public let parameter: Parameter
  /// The override and the template's value for the whole game.
  public let layers: GameLayers
  /// The catalog's rules in compiled form.
  let rules: RuleSet
  /// The template's rules in compiled form; nil if no template has the key.
  let remoteRules: RuleSet?
  /// The resolution for each variant of the catalog's flagd flag, in order; empty if the parameter is not such a flag.
  let variants: [Resolution]
  /// The resolution for each variant of the template's flag, in order.
  let remoteVariants: [Resolution]
  /// The ways in which values may differ, also through `{parameter}` references.
  public let variation: Variation
  /// The context attributes that the value may depend on, also through `{parameter}` references.
  public let reads: LogicDependencies
  /// The resolution for all callers, if only a new revision can change it; nil otherwise.
  public let unchanging: Resolution?

  init(parameter: Parameter, layers: GameLayers) {
    self.parameter = parameter
    self.layers = layers
    self.rules = RuleSet(parameter.rules, key: parameter.key, flagKey: parameter.alias)
    self.remoteRules = layers.remote.map { RuleSet($0.rules, key: parameter.key, flagKey: parameter.alias) }
    func answers(_ flag: FlagDefinition?, _ layer: Layer) -> [Resolution] {
      (flag?.variants.members ?? []).map { variant in
        Resolution(value: variant.value.coerced(to: parameter.type) ?? variant.value, layer: layer, reason: .default, variant: variant.name)
      }
    }
    variants = answers(parameter.flagd, .catalogDefault)
    remoteVariants = answers(layers.remote?.flag, .remote)
    variation = []
    reads = LogicDependencies()
    unchanging = nil
  }

  /// Creates an entry from a value that a play pinned, for a key that the catalog no longer has or has with another type.
  public convenience init(_ pinned: PinnedValue) {
    var parameter = Parameter(
      key: pinned.key, type: pinned.type, defaultValue: .value(pinned.value), section: "No longer in the catalog", description: "")
    parameter.isSecret = pinned.isSecret
    self.init(parameter: parameter, layers: GameLayers())
  }

  /// Creates a copy with the results of the dependency analysis.
  init(_ entry: ParameterEntry, variation: Variation, reads: LogicDependencies, unchanging: Resolution?) {
    parameter = entry.parameter
    layers = entry.layers
    rules = entry.rules
    remoteRules = entry.remoteRules
    variants = entry.variants
    remoteVariants = entry.remoteVariants
    self.variation = variation
    self.reads = reads
    self.unchanging = unchanging
  }
}

extension ParameterEntry {
  /// True if a percentage or targeting hashes the parameter's foreign name. Renaming it would then assign players to other values.
  public var drawsByName: Bool {
    let rules = parameter.rules + (layers.remote?.rules ?? [])
    let expressions = rules.map(\.condition) + [parameter.flagd?.targeting, layers.remote?.flag?.targeting]
    return expressions.contains { $0?.program.readsFlagKey == true }
  }

  /// The keys that the value may directly depend on, through the catalog's default and rules and the template's rules.
  var references: Set<String> {
    parameter.references.union(remoteRules?.reads.parameters ?? []).union(layers.remote?.flag?.targeting?.reads.parameters ?? [])
  }

  /// The attributes and the time that the value may directly depend on. Layers below one that always has a value are left out.
  var ownReads: LogicDependencies {
    if layers.override != nil { return LogicDependencies() }
    var reads = remoteRules?.reads ?? LogicDependencies()
    if let flag = layers.remote?.flag, flag.isEnabled { reads.formUnion(flag.reads) }
    if layers.remote?.alwaysHasValue == true { return reads }
    reads.formUnion(rules.reads)
    if let flag = parameter.flagd, flag.isEnabled { reads.formUnion(flag.reads) }
    switch parameter.defaultValue {
    case .value: break
    case .parameter(let key): reads.parameters.insert(key)
    case .dailyHash: reads.time = true
    case .absent: break
    }
    return reads
  }
}

/// The layers of one key that apply to the whole game.
public struct GameLayers: Sendable, Hashable {
  /// The value of the game-wide override; nil without one.
  public var override: Value?
  /// The value and rules of the active template.
  public var remote: RemoteLayer?
  /// True if any player has an override of the key.
  public var hasPlayerOverrides = false
  /// The revision of the game at which one of these layers or the catalog's last changed.
  public var revision: Int64 = 0

  /// Creates layers, by default without overrides and templates.
  public init(override: Value? = nil, remote: RemoteLayer? = nil, hasPlayerOverrides: Bool = false, revision: Int64 = 0) {
    self.override = override
    self.remote = remote
    self.hasPlayerOverrides = hasPlayerOverrides
    self.revision = revision
  }
}

/// A template's layer for one key.
public struct RemoteLayer: Sendable, Hashable {
  /// The targeting rules; the first that matches determines the value.
  public var rules: [Rule]
  /// The value if no rule matches; nil leaves the key to the layer below.
  public var defaultValue: Value?
  /// The flag in flagd's format, which replaces rules and default. It has no value if it is disabled or has no default variant.
  public var flag: FlagDefinition?

  /// True if every caller gets a value from this layer, whatever rule matches.
  var alwaysHasValue: Bool { defaultValue != nil && !rules.contains { $0.value == .absent } }

  /// Creates a layer without a flag, by default without rules.
  public init(rules: [Rule] = [], defaultValue: Value?) {
    self.rules = rules
    self.defaultValue = defaultValue
  }

  /// Creates a layer of a flagd flag.
  public init(flag: FlagDefinition) {
    rules = []
    self.flag = flag
  }
}
