// Resolves a parameter for a caller: the value of the highest layer that has one.

extension ParameterTable {
  /// Resolves a parameter for a caller, with texts in the caller's language. Returns nil if the catalog does not declare the key.
  public func resolve(_ key: String, for caller: Caller) -> Resolution? {
    guard let at = position(of: key) else { return nil }
    return resolve(at: at, for: caller)
  }

  /// Resolves the parameter at a position of ``entries``, with texts in the caller's language.
  public func resolve(at position: Int, for caller: Caller) -> Resolution? { resolve(at: position, for: caller, memo: nil) }

  /// Resolves the parameter at a position of ``entries``, with texts in the caller's language.
  /// - Parameter memo: The values that were already resolved for the same caller; nil resolves without such a cache.
  func resolve(at position: Int, for caller: Caller, memo: ReferenceCache?) -> Resolution? {
    let entry = entries[position]
    if caller.overrides.isEmpty, let unchanging = entry.unchanging { return unchanging }
    guard var answer = found(entry, at: position, for: caller, memo: memo) else { return nil }
    if answer.isTimeDependent { answer.nextChangeAt = nil }
    if entry.variation.contains(.locale) { answer.value = localize(answer.value, of: entry, for: caller) }
    return answer
  }

  /// Resolves a parameter to which another one refers. The texts of all languages are included, because the language is selected at the
  /// end.
  private func referred(at position: Int, for caller: Caller, memo: ReferenceCache?) -> Resolution? {
    let entry = entries[position]
    if caller.overrides.isEmpty, let unchanging = entry.unchanging { return unchanging }
    return found(entry, at: position, for: caller, memo: memo)
  }

  @inline(__always)
  private func found(_ entry: ParameterEntry, at position: Int, for caller: Caller, memo: ReferenceCache?) -> Resolution? {
    guard let memo else { return first(of: entry, for: caller, memo: nil) }
    return memo.answer(at: position) { first(of: entry, for: caller, memo: memo) }
  }

  /// Returns the resolution of the highest layer that has a value; nil if no layer has one.
  func first(of entry: ParameterEntry, for caller: Caller, memo: ReferenceCache?) -> Resolution? {
    // One call for each layer, instead of a loop, lets the compiler specialize the inlined function for each constant layer.
    if let answer = answer(of: .playerOverride, for: entry, caller: caller, memo: memo) { return answer }
    if let answer = answer(of: .gameOverride, for: entry, caller: caller, memo: memo) { return answer }
    if let answer = answer(of: .setting, for: entry, caller: caller, memo: memo) { return answer }
    if let answer = answer(of: .remote, for: entry, caller: caller, memo: memo) { return answer }
    guard var answer = answer(of: .catalogDefault, for: entry, caller: caller, memo: memo) else { return nil }
    if let flag = entry.layers.remote?.flag { answer.note(flag) }
    // The template's rules did not match now, but they may match later. So the next change of their result also counts.
    if let remote = entry.remoteRules, !remote.rules.isEmpty { answer.addNextChange(decide(remote, for: caller, memo: memo).decision) }
    return answer
  }

  /// Returns the resolution of one layer, without regard to the layers above it; nil if the layer has no value.
  @inline(__always)
  func answer(of layer: Layer, for entry: ParameterEntry, caller: Caller, memo: ReferenceCache? = nil) -> Resolution? {
    // Members of the parameter are read one by one, because copying the whole struct costs more than evaluating most rules.
    switch layer {
    case .play: return nil
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
      guard let remote = entry.layers.remote, let rules = entry.remoteRules else { return nil }
      if let flag = remote.flag {
        return choose(flag, entry.remoteVariants, else: nil, of: entry, layer: layer, caller: caller, memo: memo)
      }
      return choose(rules, else: remote.defaultValue.map(ValueSource.value), of: entry, layer: layer, caller: caller, memo: memo)
    case .catalogDefault:
      if let flag = entry.parameter.flagd {
        return choose(flag, entry.variants, else: entry.parameter.defaultValue, of: entry, layer: layer, caller: caller, memo: memo)
      }
      return choose(entry.rules, else: entry.parameter.defaultValue, of: entry, layer: layer, caller: caller, memo: memo)
    }
  }

  /// Returns the value of the first rule that matches, else the default; nil if there is no value.
  private func choose(
    _ rules: RuleSet, else defaultValue: ValueSource?, of entry: ParameterEntry, layer: Layer, caller: Caller, memo: ReferenceCache?
  ) -> Resolution? {
    let plain: EvaluationReason = entry.variation.isEmpty ? .static : .default
    guard !rules.rules.isEmpty else {
      return defaultValue.flatMap { answer(from: $0, layer: layer, reason: plain, caller: caller, memo: memo) }
    }
    let (decision, memo) = decide(rules, for: caller, memo: memo)
    let matched = rules.value(of: decision)
    guard let source = matched ?? defaultValue,
      var chosen = answer(from: source, layer: layer, reason: plain, caller: caller, memo: memo)
    else { return nil }
    if matched != nil { chosen.reason = decision.reason }
    chosen.addNextChange(decision)
    return chosen
  }

  /// Finds the first rule that matches, without resolving its value. If rules read parameters, the returned memo contains the values of
  /// these.
  @inline(__always)
  private func decide(_ rules: RuleSet, for caller: Caller, memo: ReferenceCache?) -> (decision: RuleDecision, memo: ReferenceCache?) {
    let input = LogicInput(context: caller.context, flagKey: rules.flagKey, now: caller.now, budget: caller.budget)
    guard rules.readsParameters else { return (rules.decide(input, parameters: NoParameters()), memo) }
    let shared = memo ?? ReferenceCache()
    let reads = ReferenceResolver(table: self, caller: caller, memo: shared)
    var decision = rules.decide(input, parameters: reads)
    decision.noteChange(at: reads.nextChangeAt)
    if reads.isTimeDependent { decision.isTimeDependent = true }
    return (decision, shared)
  }

  /// Returns the variant that the flag's targeting selects, else its default variant, else the parameter's own default. Also records when
  /// the targeting's result may change.
  private func choose(
    _ flag: FlagDefinition, _ variants: [Resolution], else defaultValue: ValueSource?, of entry: ParameterEntry, layer: Layer,
    caller: Caller, memo: ReferenceCache?
  ) -> Resolution? {
    let plain: EvaluationReason = entry.variation.isEmpty ? .static : .default
    let input = LogicInput(context: caller.context, flagKey: entry.rules.flagKey, now: caller.now, budget: caller.budget)
    let memo = flag.readsParameters ? memo ?? ReferenceCache() : memo
    let reads = memo.map { ReferenceResolver(table: self, caller: caller, memo: $0) }
    let outcome = reads.map { flag.evaluate(input, parameters: $0) } ?? flag.evaluate(input, parameters: NoParameters())
    var chosen: Resolution
    switch outcome {
    case .value(_, let variant, let reason):
      guard let at = flag.variants.position(of: variant) else { return nil }
      chosen = variants[at]
      chosen.reason = reason == .targetingMatch ? reason : plain
    case .none, .error:
      guard let fallback = defaultValue.flatMap({ answer(from: $0, layer: layer, reason: plain, caller: caller, memo: memo) }) else {
        return nil
      }
      chosen = fallback
      if case .none = outcome { chosen.note(flag) }
      if case .error(_, let message) = outcome { chosen.fault = message }
    }
    guard flag.isEnabled, let targeting = flag.targeting else { return chosen }
    let change = targeting.change(after: caller.now)
    if let known = Instant.earlier(change.at, reads?.nextChangeAt) { chosen.nextChangeAt = Instant.earlier(chosen.nextChangeAt, known) }
    if change.isUnknown || reads?.isTimeDependent == true { chosen.isTimeDependent = true }
    return chosen
  }

  @inline(__always)
  private func answer(
    from source: ValueSource, layer: Layer, reason: EvaluationReason, caller: Caller, memo: ReferenceCache?
  ) -> Resolution? {
    switch source {
    case .value(let value):
      return Resolution(value: value, layer: layer, reason: reason)
    case .parameter(let key):
      guard let at = position(of: key), var answer = referred(at: at, for: caller, memo: memo) else { return nil }
      answer.layer = layer
      answer.variant = nil
      if answer.reason == .static { answer.reason = reason }
      return answer
    case .dailyHash(let salt):
      let day = DailyHash.day(of: caller.now)
      return Resolution(
        value: .string(DailyHash.digits(salt: salt, day: day)), layer: layer, reason: reason, nextChangeAt: day.end)
    case .absent: return nil
    }
  }

  func localize(_ value: Value, of entry: ParameterEntry, for caller: Caller) -> Value {
    guard !caller.locales.isEmpty else { return value }
    if entry.parameter.type != .localized { return entry.parameter.schema?.localizing(value, by: caller.locales) ?? value }
    guard let texts = value.objectValue else { return value }
    for locale in caller.locales {
      if let text = texts[locale] { return text }
    }
    return texts.members.first?.value ?? value
  }
}

extension Resolution {
  /// Sets the reason of a default value that applies because a flag is disabled or has no default variant.
  fileprivate mutating func note(_ flag: FlagDefinition) {
    guard reason == .static || reason == .default else { return }
    if !flag.isEnabled { reason = .disabled } else if flag.defaultVariant == nil { reason = .default }
  }

  fileprivate mutating func addNextChange(_ decision: RuleDecision) {
    if decision.nextChangeAt != nil { nextChangeAt = Instant.earlier(nextChangeAt, decision.nextChangeAt) }
    if decision.isTimeDependent { isTimeDependent = true }
  }
}
