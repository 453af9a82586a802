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
    if entry.variation.contains(.locale) { answer.value = localize(answer.value, of: entry.parameter, for: caller) }
    return answer
  }

  /// The answer before it is put into the caller's language.
  func resolve(_ entry: ParameterEntry, for caller: Caller) -> Resolution? {
    if caller.overrides.isEmpty, let unchanging = entry.unchanging { return unchanging }
    for layer in Layer.allCases {
      if let answer = answer(of: layer, for: entry, caller: caller) { return answer }
    }
    return nil
  }

  /// What one layer says by itself, whatever stands above it; nil when it has no value.
  func answer(of layer: Layer, for entry: ParameterEntry, caller: Caller) -> Resolution? {
    let parameter = entry.parameter
    switch layer {
    case .playerOverride:
      if caller.overrides.isEmpty { return nil }
      return caller.overrides[parameter.key].map { Resolution(value: $0, layer: layer, reason: .targetingMatch) }
    case .gameOverride:
      guard let value = entry.layers.override else { return nil }
      return Resolution(value: value, layer: layer, reason: entry.variation.isEmpty ? .static : .targetingMatch)
    case .setting:
      guard parameter.isPlayerSetting, !caller.settings.isEmpty else { return nil }
      return caller.settings[parameter.key].map { Resolution(value: $0, layer: layer, reason: .targetingMatch) }
    case .remote:
      guard let remote = entry.layers.remote, let rules = entry.remoteRules else { return nil }
      return choose(rules, else: remote.defaultValue.map(ValueSource.value), of: entry, layer: layer, caller: caller)
    case .catalogDefault:
      if let flag = parameter.flagd { return choose(flag, of: entry, layer: layer, caller: caller) }
      return choose(entry.rules, else: parameter.defaultValue, of: entry, layer: layer, caller: caller)
    }
  }

  /// The value of the first rule that matches, else of the default.
  private func choose(
    _ rules: RuleSet, else defaultValue: ValueSource?, of entry: ParameterEntry, layer: Layer, caller: Caller
  ) -> Resolution? {
    let plain: EvaluationReason = entry.variation.isEmpty ? .static : .default
    guard !rules.rules.isEmpty else { return defaultValue.flatMap { answer(from: $0, layer: layer, reason: plain, caller: caller) } }
    let input = LogicInput(context: caller.context, flagKey: entry.parameter.key, now: caller.now)
    let decision = rules.decide(input, parameters: CallerLookup(table: self, caller: caller))
    let matched = rules.value(of: decision)
    guard let source = matched ?? defaultValue,
      var chosen = answer(from: source, layer: layer, reason: plain, caller: caller)
    else { return nil }
    if matched != nil { chosen.reason = decision.reason }
    chosen.nextChangeAt = earlier(chosen.nextChangeAt, decision.nextChangeAt)
    if decision.isTimeDependent { chosen.isTimeDependent = true }
    return chosen
  }

  /// The variant that a flag's targeting names, else its default one, else the parameter's own default.
  private func choose(_ flag: FlagDefinition, of entry: ParameterEntry, layer: Layer, caller: Caller) -> Resolution? {
    let input = LogicInput(context: caller.context, flagKey: entry.parameter.key, now: caller.now)
    let outcome = flag.evaluate(input, parameters: CallerLookup(table: self, caller: caller))
    guard case .value(let value, let variant, let reason) = outcome, let value = value.coerced(to: entry.parameter.type) else {
      let reason: EvaluationReason = entry.variation.isEmpty ? .static : .default
      return answer(from: entry.parameter.defaultValue, layer: layer, reason: reason, caller: caller)
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

  private func localize(_ value: Value, of parameter: Parameter, for caller: Caller) -> Value {
    guard !caller.locales.isEmpty else { return value }
    if parameter.type != .localized { return parameter.schema?.localizing(value, by: caller.locales) ?? value }
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
