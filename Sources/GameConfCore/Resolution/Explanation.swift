// The explanation of a key's answer: every layer in order, the one that won and those that lost.

/// The part of one layer in the answer for a key.
public struct LayerExplanation: Sendable, Hashable {
  /// The layer.
  public var layer: Layer
  /// Its own answer; nil when it has no value.
  public var answer: Resolution?
  /// True if it gave the answer.
  public var isApplied: Bool
  /// The reason why it did or did not, in a sentence.
  public var why: String
  /// The traces of its rules, in order; empty where there are none.
  public var rules: [RuleTrace]
  /// The trace of a flag in flagd's spelling; nil where there is none.
  public var flag: FlagTrace?

  /// A layer's part in an answer.
  public init(layer: Layer, answer: Resolution?, isApplied: Bool, why: String, rules: [RuleTrace] = [], flag: FlagTrace? = nil) {
    self.layer = layer
    self.answer = answer
    self.isApplied = isApplied
    self.why = why
    self.rules = rules
    self.flag = flag
  }
}

/// A key's answer for a caller, layer by layer.
public struct Explanation: Sendable, Hashable {
  /// The key.
  public var key: String
  /// The answer.
  public var resolution: Resolution
  /// In which ways the answer could differ.
  public var variation: Variation
  /// Every layer, highest first.
  public var layers: [LayerExplanation]

  /// The reason of the layer that gives the answer.
  public static let highest = "the highest layer that has a value"
}

extension ParameterTable {
  /// Explains a key's answer; nil when the game has no such key.
  /// - Parameter skipped: stored settings that are not in force, as ``ParameterTable/effectiveSettings(of:unlockedThemes:)`` gave them.
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
        // A flag's cause names a variant, and variants are called like their values.
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

  /// The rule of a layer that gave its value, in a clause.
  private func cause(_ rules: [RuleTrace], _ flag: FlagTrace?) -> String? {
    if let flag { return flag.sentence }
    if rules.isEmpty { return nil }
    let lacking =
      rules.contains { $0.percent.map { $0.bucket == nil } ?? false }
      ? "; no percentage includes a caller without a targetingKey" : ""
    if let matched = rules.first(where: \.isMatch) { return "rule \(matched.index + 1) matched" + lacking }
    return "no rule matched, so the default answers" + lacking
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
  /// The layer in a sentence.
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
