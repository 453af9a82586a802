// Evaluates the targeting rules of one parameter. The first rule that matches determines the value.

/// The compiled rules of one parameter: everything about them that does not depend on the caller is precomputed.
public struct RuleSet: Sendable, Hashable {
  /// The rules, in the order in which they are evaluated.
  public let rules: [Rule]
  /// The parameter's key, which is the default seed of percentages.
  public let key: String
  /// The parameter's foreign name, which is the value of `$flagd.flagKey` and is hashed by `fractional`.
  public let flagKey: String
  /// The attributes, parameters and time that the rules' result may depend on, through conditions, percentages and `{parameter}`
  /// references.
  public let reads: LogicDependencies
  let readsParameters: Bool
  private let steps: [CompiledRule]

  private struct CompiledRule: Sendable {
    let condition: LogicExpression?
    let named: TemplateCondition?
    /// The number of evaluation steps that are needed to find the next change of the named condition, which is a condition of a Firebase
    /// template. It is nil if time does not affect the condition.
    let namedTimeCost: Int?
    /// The hash state of the rule's percentage; nil if the rule has no percentage.
    let seed: PercentSeed?
    /// The number of buckets that the rule's percentage includes; nil if the rule has no percentage, or one that changes over time.
    let fixedShare: Int64?
  }

  /// Compiles the rules of a parameter.
  /// - Parameter flagKey: The parameter's foreign name; nil if the parameter has no alias, so that the name is its key.
  public init(_ rules: [Rule], key: String, flagKey: String? = nil) {
    self.rules = rules
    self.key = key
    self.flagKey = flagKey ?? key
    var reads = LogicDependencies()
    for rule in rules {
      if let condition = rule.condition { reads.formUnion(condition.reads) }
      if let named = rule.named { reads.formUnion(named.condition.reads) }
      if let percent = rule.percent {
        reads.attributes.insert("targetingKey")
        if percent.progress != nil { reads.time = true }
      }
      switch rule.value {
      case .parameter(let key): reads.parameters.insert(key)
      case .dailyHash: reads.time = true
      case .value, .absent: break
      }
    }
    self.reads = reads
    readsParameters = rules.contains { $0.condition?.program.readsParameters == true }
    steps = rules.map { rule in
      let named = rule.named?.condition
      return CompiledRule(
        condition: rule.condition, named: named, namedTimeCost: named.flatMap { $0.reads.time ? $0.size : nil },
        seed: rule.percent.map { PercentSeed($0.seed ?? key) },
        fixedShare: rule.percent.flatMap { $0.progress == nil ? $0.from : nil })
    }
  }

  /// Finds the first rule that matches a caller, and the next instant at which that may change.
  /// - Parameter input: The evaluation input, whose `flagKey` should be ``flagKey``.
  public func decide(_ input: LogicInput, parameters: some ParameterLookup) -> RuleDecision {
    var decision = RuleDecision()
    if steps.isEmpty { return decision }
    decision.reason = .default
    for at in steps.indices {
      if let budget = input.budget {
        budget.spend(1)
        if budget.isExceeded { return decision }
      }
      guard matches(at, input, parameters, &decision) else { continue }
      decision.index = at
      let isShare = steps[at].seed != nil && steps[at].named == nil || steps[at].seed == nil && steps[at].named?.isSplit == true
      decision.reason = steps[at].condition == nil && isShare ? .split : .targetingMatch
      return decision
    }
    return decision
  }

  /// Returns the value of the rule that matched; nil if no rule matched.
  public func value(of decision: RuleDecision) -> ValueSource? { decision.index.map { rules[$0].value } }

  @inline(__always)
  private func matches(_ at: Int, _ input: LogicInput, _ parameters: some ParameterLookup, _ decision: inout RuleDecision) -> Bool {
    let step = steps[at]
    if let named = step.named {
      if let cost = step.namedTimeCost {
        input.budget?.spend(cost)
        decision.noteChange(at: named.change(after: input.now))
      }
      if !named.holds(input) { return false }
    }
    guard let seed = step.seed else { return holds(step.condition, input, parameters, &decision) }
    guard let targetingKey = input.targetingKey else {
      decision.needsTargetingKey = true
      return false
    }
    let bucket = seed.bucket(targetingKey: targetingKey)
    if let share = step.fixedShare { return bucket < share && holds(step.condition, input, parameters, &decision) }
    guard let percent = rules[at].percent else { return false }
    let isIn = bucket < percent.share(at: input.now)
    let change = percent.nextChange(bucket: bucket, now: input.now)
    guard isIn || change != nil, holds(step.condition, input, parameters, &decision) else { return false }
    decision.noteChange(at: change)
    return isIn
  }

  @inline(__always)
  private func holds(
    _ condition: LogicExpression?, _ input: LogicInput, _ parameters: some ParameterLookup, _ decision: inout RuleDecision
  ) -> Bool {
    guard let condition else { return true }
    if condition.program.readsTime {
      let change = condition.change(after: input.now)
      decision.noteChange(at: change.at)
      if change.isUnknown { decision.isTimeDependent = true }
    }
    return condition.holds(input, parameters: parameters)
  }

  /// True if both have equal rules, keys and foreign names.
  public static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && left.flagKey == right.flagKey && left.rules == right.rules
  }

  /// Hashes the key, the foreign name and the rules.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(flagKey)
    hasher.combine(rules)
  }
}

/// The result of evaluating a parameter's rules for one caller at one instant.
public struct RuleDecision: Sendable, Hashable {
  /// The index of the rule that matched; nil if no rule matched.
  public var index: Int?
  /// The reason in OpenFeature's terms. It is TARGETING_MATCH, SPLIT if a percentage alone decided, DEFAULT if no rule matched, or STATIC
  /// if there are no rules.
  public var reason = EvaluationReason.static
  /// The next instant at which a changing percentage or a time condition may change the result; nil if there is no such instant or it is
  /// unknown.
  public var nextChangeAt: Instant?
  /// True if a condition that was evaluated depends on time in a way whose next change is unknown.
  public var isTimeDependent = false
  /// True if a rule was skipped because its percentage needs a `targetingKey`, which the context does not have.
  public var needsTargetingKey = false

  /// Creates the result for a parameter without rules.
  public init() {}

  mutating func noteChange(at instant: Instant?) {
    guard let instant else { return }
    nextChangeAt = nextChangeAt.map { min($0, instant) } ?? instant
  }
}
