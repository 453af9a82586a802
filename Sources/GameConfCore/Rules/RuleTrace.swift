// Records the evaluation of a parameter's rules for explanations.

/// The recorded evaluation of one rule.
public struct RuleTrace: Sendable, Hashable {
  /// A percentage and the caller's position in it.
  public struct PercentTrace: Sendable, Hashable {
    /// The seed of the hash.
    public var seed: String
    /// The caller's bucket among 10⁸; nil if the context has no `targetingKey`, which no percentage includes.
    public var bucket: Int64?
    /// The share at present, in buckets of 10⁸.
    public var share: Int64
    /// True if the bucket is in the share at present.
    public var isIn: Bool
    /// The instant at which the caller enters or leaves the share; nil if neither will happen.
    public var nextChangeAt: Instant?
  }

  /// The rule's position in its list, counted from 0.
  public var index: Int
  /// True if the rule matched and determined the value.
  public var isMatch: Bool
  /// True if an earlier rule matched, so that this one was not evaluated.
  public var isUnreached: Bool
  /// The recorded condition; nil if there is none or it was not evaluated.
  public var condition: LogicTrace?
  /// The recorded percentage; nil if there is none or it was not evaluated.
  public var percent: PercentTrace?
  /// The evaluation of the condition of a Firebase template that the rule names; nil if it names none, or if that was not evaluated.
  public var named: TemplateTrace?
}

extension RuleSet {
  /// Evaluates the rules like ``decide(_:parameters:)`` and records each of them. Unlike it, this allocates memory.
  public func explain(_ input: LogicInput, parameters: some ParameterLookup) -> [RuleTrace] {
    var isDecided = false
    // The limit of a single trace is not enough here, because a parameter may have a thousand rules.
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
