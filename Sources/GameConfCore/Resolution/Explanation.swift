// Explains the value of a key: each layer with its value and the reason why it applies or not.

/// The contribution of one layer (such as an override or the template) to the value of a key.
public struct LayerExplanation: Sendable, Hashable {
  /// The layer that is explained, one of ``Layer/ofTable``.
  public var layer: Layer
  /// The value that the layer gives to the caller, without regard to higher layers; nil if the layer has no value for the key.
  public var answer: Resolution?
  /// True if the key's value for the caller comes from this layer.
  public var isApplied: Bool
  /// The reason why the layer applies or not, as a clause without a period.
  public var why: String
  /// The evaluation of the layer's rules, in order; empty if the layer has no rules.
  public var rules: [RuleTrace]
  /// The evaluation of the layer's flag in flagd's format; nil if the layer has no such flag.
  public var flag: FlagTrace?

  /// Creates the explanation of a layer, by default of one without rules and flags.
  public init(layer: Layer, answer: Resolution?, isApplied: Bool, why: String, rules: [RuleTrace] = [], flag: FlagTrace? = nil) {
    self.layer = layer
    self.answer = answer
    self.isApplied = isApplied
    self.why = why
    self.rules = rules
    self.flag = flag
  }
}

/// The explanation of a key's value for one caller: each layer with its value and the reason why it applies or not.
public struct Explanation: Sendable, Hashable {
  /// The key of the explained parameter.
  public var key: String
  /// The value for the caller, with the layer and the reason that determined it.
  public var resolution: Resolution
  /// The ways in which the value may differ for other callers or at other times.
  public var variation: Variation
  /// The layers of the key except a play's pinned value, the highest first.
  public var layers: [LayerExplanation]

  /// The reason that is given for the layer from which the value comes.
  public static let highest = "the highest layer that has a value"
}

extension ParameterTable {
  /// Explains the value of a key for a caller, layer by layer. Returns nil if the catalog does not declare the key.
  /// - Parameter skipped: The caller's stored settings that are not in force, as returned by
  ///   ``ParameterTable/effectiveSettings(of:unlockedThemes:)``.
  public func explain(_ key: String, for caller: Caller, skipped: [SkippedSetting] = []) -> Explanation? {
    guard let entry = entry(key), let resolution = resolve(key, for: caller) else { return nil }
    var layers: [LayerExplanation] = []
    var winner: Layer?
    for layer in Layer.ofTable {
      var answer = self.answer(of: layer, for: entry, caller: caller)
      if let value = answer?.value, entry.variation.contains(.locale) {
        answer?.value = localize(value, of: entry, for: caller)
      }
      let trace = traces(of: layer, for: entry, caller: caller)
      var why: String
      if answer == nil {
        why = absence(of: layer, entry, skipped)
      } else if let winner {
        why = "\(winner.phrase) is above it"
      } else {
        winner = layer
        why = Explanation.highest
        // For a secret parameter, the flag's cause is not shown. It names the variant, and variants are often named after their values.
        if let cause = cause(trace.rules, entry.parameter.isSecret ? nil : trace.flag) { why += ": \(cause)" }
      }
      if layer == .setting, let fault = skipped.first(where: { $0.key == key }) { why = "stored, but not in force: \(fault.why)" }
      layers.append(
        LayerExplanation(
          layer: layer, answer: answer, isApplied: answer != nil && winner == layer, why: why, rules: trace.rules, flag: trace.flag))
    }
    return Explanation(key: key, resolution: resolution, variation: entry.variation, layers: layers)
  }

  private func traces(of layer: Layer, for entry: ParameterEntry, caller: Caller) -> (rules: [RuleTrace], flag: FlagTrace?) {
    let input = LogicInput(context: caller.context, flagKey: entry.rules.flagKey, now: caller.now, budget: caller.budget)
    let lookup = CallerLookup(table: self, caller: caller)
    switch layer {
    case .remote:
      return (entry.remoteRules?.explain(input, parameters: lookup) ?? [], entry.layers.remote?.flag?.explain(input, parameters: lookup))
    case .catalogDefault:
      return (entry.rules.explain(input, parameters: lookup), entry.parameter.flagd?.explain(input, parameters: lookup))
    case .play, .playerOverride, .gameOverride, .setting: return ([], nil)
    }
  }

  /// Returns the cause of a layer's value as a clause: the number of the matching rule, or the flag's variant.
  private func cause(_ rules: [RuleTrace], _ flag: FlagTrace?) -> String? {
    if let flag { return flag.sentence }
    if rules.isEmpty { return nil }
    let remark =
      rules.contains { $0.percent.map { $0.bucket == nil } ?? false }
      ? "; no percentage includes a caller without a targetingKey" : ""
    if let matched = rules.first(where: \.isMatch) { return "rule \(matched.index + 1) matched" + remark }
    return "no rule matched, so the default answers" + remark
  }

  private func absence(of layer: Layer, _ entry: ParameterEntry, _ skipped: [SkippedSetting]) -> String {
    switch layer {
    case .play: "the play has not pinned the key"
    case .playerOverride: "there is no override for this player"
    case .gameOverride: "there is no override for the game"
    case .setting: entry.parameter.isPlayerSetting ? "the player has not chosen" : "the parameter is not a player setting"
    case .remote:
      if let flag = entry.layers.remote?.flag {
        flag.isEnabled ? "the flag names no variant in the template" : "the flag is disabled in the template"
      } else {
        entry.layers.remote == nil ? "no template names the key" : "no rule of the template matched, and it has no default"
      }
    case .catalogDefault: "no rule matched, and there is no default"
    }
  }
}

extension Layer {
  /// The layer as a noun phrase for messages to people, such as “the active template”.
  public var phrase: String {
    switch self {
    case .play: "the play"
    case .playerOverride: "an override for this player"
    case .gameOverride: "an override for the game"
    case .setting: "the player's own setting"
    case .remote: "the active template"
    case .catalogDefault: "the catalog"
    }
  }
}
