// The rules of one parameter, one by one, for people who ask why.

/// The trace of one rule.
public struct RuleTrace: Sendable, Hashable {
  /// A percentage and where the caller stands in it.
  public struct Share: Sendable, Hashable {
    /// The salt of the hash.
    public var seed: String
    /// The caller's bucket of 10⁸; nil when the context has no `targetingKey`, which no percentage lets in.
    public var bucket: Int64?
    /// The number of 10⁸ buckets that are in now.
    public var share: Int64
    /// True if the caller is in.
    public var isIn: Bool
    /// The instant when the caller comes in or goes out; nil when neither will happen.
    public var nextChangeAt: Instant?
  }

  /// The rule's place.
  public var index: Int
  /// True if it won.
  public var isMatch: Bool
  /// True if an earlier rule had won already, so that this one was not looked at.
  public var isUnreached: Bool
  /// Its condition; nil when it has none or was not looked at.
  public var condition: LogicTrace?
  /// Its percentage; nil when it has none or was not looked at.
  public var percent: Share?
  /// A template's condition; nil when it has none or was not looked at.
  public var named: TemplateTrace?
}

extension RuleSet {
  /// Decides as ``decide(_:parameters:)`` does and keeps what became of each rule. It allocates.
  public func explain(_ input: LogicInput, parameters: some ParameterLookup) -> [RuleTrace] {
    var isDecided = false
    // Each trace has its bound, and a parameter may have a thousand rules.
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

  private func share(_ percent: Percent, _ input: LogicInput) -> RuleTrace.Share {
    let seed = percent.seed ?? key
    let share = percent.share(at: input.now)
    let bucket = input.targetingKey.map { Percent.bucket(seed: seed, targetingKey: $0) }
    return RuleTrace.Share(
      seed: seed, bucket: bucket, share: share, isIn: bucket.map { $0 < share } ?? false,
      nextChangeAt: bucket.flatMap { percent.nextChange(bucket: $0, now: input.now) })
  }
}
