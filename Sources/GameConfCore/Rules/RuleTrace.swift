// Records the evaluation of a parameter's rules, so that an explanation can show it.

/// The recorded evaluation of one rule for one caller.
public struct RuleTrace: Sendable, Hashable {
  /// The recorded evaluation of a rule's percentage, with the caller's bucket.
  public struct PercentTrace: Sendable, Hashable {
    /// The seed with which the caller's id was hashed.
    public var seed: String
    /// The caller's bucket, from 0 to 10⁸ − 1; nil if the context has no `targetingKey`, so that no percentage includes the caller.
    public var bucket: Int64?
    /// The number of buckets, of 10⁸, that the percentage includes at present.
    public var share: Int64
    /// True if the percentage includes the caller's bucket at present.
    public var isIn: Bool
    /// The instant at which the percentage will include or exclude the caller; nil if neither will happen.
    public var nextChangeAt: Instant?
  }

  /// The rule's index among the parameter's rules of the same layer, counted from 0.
  public var index: Int
  /// True if the rule matched and determined the value.
  public var isMatch: Bool
  /// True if an earlier rule matched, so that this one was not evaluated.
  public var isUnreached: Bool
  /// The recorded condition; nil if the rule has no condition or was not evaluated.
  public var condition: LogicTrace?
  /// The recorded percentage; nil if the rule has no percentage or was not evaluated.
  public var percent: PercentTrace?
  /// The recorded evaluation of the Firebase template's condition that the rule names; nil if the rule names no such condition or was not
  /// evaluated.
  public var named: TemplateTrace?
}

extension RuleSet {
  /// Evaluates the rules like ``decide(_:parameters:)`` and records each of them. Recording allocates memory, which
  /// ``decide(_:parameters:)`` does not.
  public func explain(_ input: LogicInput, parameters: some ParameterLookup) -> [RuleTrace] {
    var isDecided = false
    // All rules share one limit of recorded conditions, because a parameter may have a thousand rules.
    var entriesLeft = LogicLimits.traceEntriesMax
    return rules.indices.map { at in
      if isDecided { return RuleTrace(index: at, isMatch: false, isUnreached: true) }
      input.budget?.spend(1)
      let rule = rules[at]
      let condition = rule.condition?.trace(input, parameters: parameters, entriesMax: entriesLeft)
      entriesLeft -= condition?.conditions.count ?? 0
      let percent = rule.percent.map { share($0, input) }
      let holds = condition?.holds ?? true
      let named = rule.named?.trace(input)
      isDecided = holds && percent?.isIn ?? true && named?.holds ?? true
      return RuleTrace(index: at, isMatch: isDecided, isUnreached: false, condition: condition, percent: percent, named: named)
    }
  }

  private func share(_ percent: Percent, _ input: LogicInput) -> RuleTrace.PercentTrace {
    let seed = percent.seed ?? key
    let share = percent.share(at: input.now)
    let bucket = input.targetingKey.map { Percent.bucket(seed: seed, targetingKey: $0) }
    return RuleTrace.PercentTrace(
      seed: seed, bucket: bucket, share: share, isIn: bucket.map { $0 < share } ?? false,
      nextChangeAt: bucket.flatMap { percent.nextChange(bucket: $0, now: input.now) })
  }
}
