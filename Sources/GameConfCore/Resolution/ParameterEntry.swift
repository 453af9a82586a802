// One key of a game with all that is the same for every caller.

/// A parameter, its game-wide layers, and what is known about its answers before anyone asks.
///
/// Immutable: a change makes another entry and shares the rest of the table.
public final class ParameterEntry: Sendable {
  /// The parameter as the catalog has it.
  public let parameter: Parameter
  /// The game-wide layers.
  public let layers: GameLayers
  /// The catalog's rules, prepared.
  let rules: RuleSet
  /// The template's rules, prepared; nil when no template names the key.
  let remoteRules: RuleSet?
  /// The answer of each of a flag's variants, in their order; empty when the parameter is no flag in flagd's spelling.
  let variants: [Resolution]
  /// The same of the template's flag.
  let remoteVariants: [Resolution]
  /// In which ways answers may differ, through `{parameter}` too.
  public let variation: Variation
  /// The attributes of a caller's context that answers may read, through `{parameter}` too.
  public let reads: LogicDependencies
  /// The one answer, when nothing but a change of revision can change it.
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

  /// A key as a play knows it, for one that the catalog has no more or has otherwise.
  public convenience init(_ pinned: PinnedValue) {
    var parameter = Parameter(
      key: pinned.key, type: pinned.type, defaultValue: .value(pinned.value), section: "No longer in the catalog", description: "")
    parameter.isSecret = pinned.isSecret
    self.init(parameter: parameter, layers: GameLayers())
  }

  /// The same key with what was found out about its answers.
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
  /// True if who gets which value hangs on the parameter's foreign name, in the catalog's rules or the template's.
  public var drawsByName: Bool {
    let rules = parameter.rules + (layers.remote?.rules ?? [])
    let expressions = rules.map(\.condition) + [parameter.flagd?.targeting, layers.remote?.flag?.targeting]
    return expressions.contains { $0?.program.readsFlagKey == true }
  }

  /// The keys its answer can depend on directly: through the catalog's default and rules, and through the template's rules.
  var references: Set<String> {
    parameter.references.union(remoteRules?.reads.parameters ?? []).union(layers.remote?.flag?.targeting?.reads.parameters ?? [])
  }

  /// The attributes of the caller and the time that answers can read directly, in the layers that are not hidden by one that always has a value.
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

/// The layers of one key that hold for the whole game.
public struct GameLayers: Sendable, Hashable {
  /// The override of admins for the game.
  public var override: Value?
  /// The value of the template in force.
  public var remote: RemoteLayer?
  /// True if some player has an override of this key.
  public var hasPlayerOverrides = false
  /// The game's revision at which one of these, or the catalog's own layer, last changed.
  public var revision: Int64 = 0

  /// Nothing but the catalog.
  public init(override: Value? = nil, remote: RemoteLayer? = nil, hasPlayerOverrides: Bool = false, revision: Int64 = 0) {
    self.override = override
    self.remote = remote
    self.hasPlayerOverrides = hasPlayerOverrides
    self.revision = revision
  }
}

/// The layer of a template for one key.
public struct RemoteLayer: Sendable, Hashable {
  /// The first that matches gives the value.
  public var rules: [Rule]
  /// The value when none does; nil leaves the key to the layer below.
  public var defaultValue: Value?
  /// A flag in flagd's spelling, which then says everything; without a value where it is disabled or has no default variant.
  public var flag: FlagDefinition?

  /// True if it has a value for everybody, whatever the rules say.
  var alwaysHasValue: Bool { defaultValue != nil && !rules.contains { $0.value == .absent } }

  /// A template's word on a key.
  public init(rules: [Rule] = [], defaultValue: Value?) {
    self.rules = rules
    self.defaultValue = defaultValue
  }

  /// A flag's word on a key.
  public init(flag: FlagDefinition) {
    rules = []
    self.flag = flag
  }
}
