// A parameter with its game-wide layers (override and template), and everything that can be precomputed about its values.

/// A parameter with its game-wide layers (override and template), and the precomputed data for resolving its value.
///
/// An entry is immutable. A change of layers creates a new entry and a new table, which shares the other entries with the old one.
public final class ParameterEntry: Sendable {
  /// The parameter's declaration in the catalog.
  public let parameter: Parameter
  /// The game-wide override and the active template's value for the parameter.
  public let layers: GameLayers
  /// The catalog's rules in compiled form.
  let rules: RuleSet
  /// The template's rules in compiled form; nil if the active template does not have the key.
  let remoteRules: RuleSet?
  /// The value with layer and reason for each variant of the catalog's flag, in order; empty if the catalog does not declare the parameter
  /// as a flag in flagd's format.
  let variants: [Resolution]
  /// The value with layer and reason for each variant of the template's flag, in order; empty if the template has no flag for the key.
  let remoteVariants: [Resolution]
  /// The ways in which the value may differ between callers or over time, also through `{parameter}` references.
  public let variation: Variation
  /// The context attributes, parameters and time that the value may depend on, also through `{parameter}` references.
  public let reads: LogicDependencies
  /// The resolved value if it is the same for all callers at any time, until the game's revision changes; nil otherwise.
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

  /// Creates an entry from a value that a play pinned. It is used if the catalog no longer has the key, or has it with another type.
  public convenience init(_ pinned: PinnedValue) {
    var parameter = Parameter(
      key: pinned.key, type: pinned.type, defaultValue: .value(pinned.value), section: "No longer in the catalog", description: "")
    parameter.isSecret = pinned.isSecret
    self.init(parameter: parameter, layers: GameLayers())
  }

  /// Creates a copy of an entry with the results of the dependency analysis, which `ParameterTable` makes.
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
  /// True if a percentage or a flag's targeting hashes the parameter's foreign name (its alias, else its key). A new name would then assign
  /// players to other values.
  public var drawsByName: Bool {
    let rules = parameter.rules + (layers.remote?.rules ?? [])
    let expressions = rules.map(\.condition) + [parameter.flagd?.targeting, layers.remote?.flag?.targeting]
    return expressions.contains { $0?.program.readsFlagKey == true }
  }

  /// The keys of the parameters that the value may directly depend on, through the catalog's default and rules and the template's rules.
  var references: Set<String> {
    parameter.references.union(remoteRules?.reads.parameters ?? []).union(layers.remote?.flag?.targeting?.reads.parameters ?? [])
  }

  /// The attributes, parameters and time that the value may directly depend on. Layers below one that always has a value are left out.
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

/// The layers of one parameter's value that apply to the whole game: override and template.
public struct GameLayers: Sendable, Hashable {
  /// The value of the game's override; nil if there is no override.
  public var override: Value?
  /// The value and rules of the active template; nil if the template does not have the key.
  public var remote: RemoteLayer?
  /// True if any player has an override of the key.
  public var hasPlayerOverrides = false
  /// The revision of the game at which the override, the template's value or the catalog's declaration last changed.
  public var revision: Int64 = 0

  /// Creates layers, by default without an override and a template.
  public init(override: Value? = nil, remote: RemoteLayer? = nil, hasPlayerOverrides: Bool = false, revision: Int64 = 0) {
    self.override = override
    self.remote = remote
    self.hasPlayerOverrides = hasPlayerOverrides
    self.revision = revision
  }
}

/// The value and the rules of the active template for one parameter.
public struct RemoteLayer: Sendable, Hashable {
  /// The template's targeting rules for the key; the first rule that matches determines the value.
  public var rules: [Rule]
  /// The value if no rule matches; nil leaves the value to the layer below.
  public var defaultValue: Value?
  /// The template's flag in flagd's format, which replaces rules and default; nil if the template has no flag for the key. The flag has no
  /// value if it is disabled or has no default variant.
  public var flag: FlagDefinition?

  /// True if every caller gets a value from the template, whichever rule matches.
  var alwaysHasValue: Bool { defaultValue != nil && !rules.contains { $0.value == .absent } }

  /// Creates a template's layer without a flag, by default without rules.
  public init(rules: [Rule] = [], defaultValue: Value?) {
    self.rules = rules
    self.defaultValue = defaultValue
  }

  /// Creates a template's layer that consists of a flag in flagd's format.
  public init(flag: FlagDefinition) {
    rules = []
    self.flag = flag
  }
}
