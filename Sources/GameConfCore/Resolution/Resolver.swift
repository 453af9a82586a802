// Asks the layers of a key from the highest down; the first that has a value gives it.

extension ParameterTable {
  /// The answer for a key, in the caller's language; nil when the game has no such key.
  public func resolve(_ key: String, for caller: Caller) -> Resolution? {
    guard let at = position(of: key) else { return nil }
    return resolve(at: at, for: caller)
  }

  /// The answer for the key at that position of ``entries``, in the caller's language.
  public func resolve(at position: Int, for caller: Caller) -> Resolution? {
    let entry = entries[position]
    if caller.overrides.isEmpty, let unchanging = entry.unchanging { return unchanging }
    guard var answer = resolve(entry, for: caller) else { return nil }
    if entry.variation.contains(.locale) { answer.value = localized(answer.value, of: entry, for: caller) }
    return answer
  }

  /// The answer before it is put into the caller's language.
  func resolve(_ entry: ParameterEntry, for caller: Caller) -> Resolution? {
    if caller.overrides.isEmpty, let unchanging = entry.unchanging { return unchanging }
    if !caller.overrides.isEmpty, let answer = answer(of: .playerOverride, for: entry, caller: caller) { return answer }
    if entry.layers.override != nil { return answer(of: .gameOverride, for: entry, caller: caller) }
    if !caller.settings.isEmpty, let answer = answer(of: .setting, for: entry, caller: caller) { return answer }
    guard let rules = entry.remoteRules else { return answer(of: .catalogDefault, for: entry, caller: caller) }
    if let answer = answer(of: .remote, for: entry, caller: caller) { return answer }
    guard var answer = answer(of: .catalogDefault, for: entry, caller: caller) else { return nil }
    // That the template has no value now does not mean that it will have none later.
    let missed = decision(of: rules, caller: caller)
    answer.nextChangeAt = earlier(answer.nextChangeAt, missed.nextChangeAt)
    if missed.isTimeDependent { answer.isTimeDependent = true }
    return answer
  }

  /// What one layer says by itself, whatever stands above it; nil when it has no value.
  ///
  /// Parts of the entry are read where they are needed and not put into variables: copying a ``Parameter`` costs more than most rules.
  func answer(of layer: Layer, for entry: ParameterEntry, caller: Caller) -> Resolution? {
    switch layer {
    case .playerOverride:
      if caller.overrides.isEmpty { return nil }
      return caller.overrides[entry.parameter.key].map { Resolution(value: $0, layer: layer, reason: .targetingMatch) }
    case .gameOverride:
      guard let value = entry.layers.override else { return nil }
      return Resolution(value: value, layer: layer, reason: entry.variation.isEmpty ? .static : .targetingMatch)
    case .setting:
      guard entry.parameter.isPlayerSetting, !caller.settings.isEmpty else { return nil }
      return caller.settings[entry.parameter.key].map { Resolution(value: $0, layer: layer, reason: .targetingMatch) }
    case .remote:
      guard let rules = entry.remoteRules else { return nil }
      let decision = decision(of: rules, caller: caller)
      if let index = decision.index {
        return completed(answer(from: rules.rules[index].value, layer: layer, reason: decision.reason, caller: caller), by: decision)
      }
      guard let value = entry.layers.remote?.defaultValue else { return nil }
      return completed(Resolution(value: value, layer: layer, reason: entry.variation.isEmpty ? .static : .default), by: decision)
    case .catalogDefault:
      if let flag = entry.parameter.flagd { return choose(flag, of: entry, layer: layer, caller: caller) }
      let decision = decision(of: entry.rules, caller: caller)
      if let index = decision.index {
        return completed(answer(from: entry.rules.rules[index].value, layer: layer, reason: decision.reason, caller: caller), by: decision)
      }
      return completed(
        answer(from: entry.parameter.defaultValue, layer: layer, reason: entry.variation.isEmpty ? .static : .default, caller: caller),
        by: decision)
    }
  }

  /// What the rules say, without the value.
  private func decision(of rules: RuleSet, caller: Caller) -> RuleDecision {
    if rules.rules.isEmpty { return RuleDecision() }
    let input = LogicInput(context: caller.context, flagKey: rules.key, now: caller.now)
    // The lookup keeps a copy of the caller, which costs more than most rules do; it is made only for rules that look.
    if rules.reads.parameters.isEmpty { return rules.decide(input, parameters: NoParameters()) }
    return rules.decide(input, parameters: CallerLookup(table: self, caller: caller))
  }

  /// The answer with the reason of the rule that gave it, and with what the rules that were looked at say about time.
  private func completed(_ answer: Resolution?, by decision: RuleDecision) -> Resolution? {
    guard var answer else { return nil }
    if decision.index != nil { answer.reason = decision.reason }
    answer.nextChangeAt = earlier(answer.nextChangeAt, decision.nextChangeAt)
    if decision.isTimeDependent { answer.isTimeDependent = true }
    return answer
  }

  /// The variant that a flag's targeting names, else its default one, else the parameter's own default.
  private func choose(_ flag: FlagDefinition, of entry: ParameterEntry, layer: Layer, caller: Caller) -> Resolution? {
    let input = LogicInput(context: caller.context, flagKey: entry.parameter.key, now: caller.now)
    let outcome =
      flag.reads.parameters.isEmpty
      ? flag.evaluate(input, parameters: NoParameters()) : flag.evaluate(input, parameters: CallerLookup(table: self, caller: caller))
    guard case .value(let value, let variant, let reason) = outcome, let value = value.coerced(to: entry.parameter.type) else {
      let reason: EvaluationReason = entry.variation.isEmpty ? .static : .default
      var answer = answer(from: entry.parameter.defaultValue, layer: layer, reason: reason, caller: caller)
      if flag.reads.time { answer?.isTimeDependent = true }
      return answer
    }
    return Resolution(value: value, layer: layer, reason: reason, variant: variant, isTimeDependent: flag.reads.time)
  }

  private func answer(from source: ValueSource, layer: Layer, reason: EvaluationReason, caller: Caller) -> Resolution? {
    switch source {
    case .value(let value):
      return Resolution(value: value, layer: layer, reason: reason)
    case .parameter(let key):
      guard let at = position(of: key), var answer = resolve(entries[at], for: caller) else { return nil }
      answer.layer = layer
      answer.variant = nil
      if answer.reason == .static { answer.reason = reason }
      return answer
    case .dailyHash(let salt):
      let day = DailyHash.day(of: caller.now)
      return Resolution(
        value: .string(DailyHash.digits(salt: salt, day: day)), layer: layer, reason: reason, nextChangeAt: day.end)
    }
  }

  private func localized(_ value: Value, of entry: ParameterEntry, for caller: Caller) -> Value {
    guard !caller.locales.isEmpty else { return value }
    if entry.parameter.type != .localized { return entry.parameter.schema?.localizing(value, by: caller.locales) ?? value }
    guard let texts = value.objectValue else { return value }
    for locale in caller.locales {
      if let text = texts[locale] { return text }
    }
    return texts.members.first?.value ?? value
  }

  private func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}

/// Gives expressions the values of parameters as resolved for one caller.
public struct CallerLookup: ParameterLookup {
  let table: ParameterTable
  let caller: Caller

  /// A lookup for this caller.
  public init(table: ParameterTable, caller: Caller) {
    self.table = table
    self.caller = caller
  }

  /// The parameter's value for the caller, in the caller's language.
  public func value(ofParameter key: String) -> Value? { table.resolve(key, for: caller)?.value }
}
