// The rules of one parameter, ready to be asked: the first that matches wins.

/// A parameter's rules with everything prepared that does not depend on the caller.
public struct RuleSet: Sendable, Hashable {
  /// The rules, in the order they are tried.
  public let rules: [Rule]
  /// The parameter's key: the seed of percentages that name none.
  public let key: String
  /// The name that `$flagd.flagKey` answers and that seeds `fractional`: the parameter's foreign name.
  public let flagKey: String
  /// The inputs that the answer can depend on: conditions, percentages and values that are other parameters'.
  public let reads: LogicDependencies
  /// True if a condition reads parameters.
  let readsParameters: Bool
  private let steps: [Step]

  /// The parts of a rule that trying it takes.
  private struct Step: Sendable {
    let condition: LogicExpression?
    let named: TemplateCondition?
    /// The cost of looking for the next time that matters to it; nil when none does.
    let namedTimeCost: Int?
    /// The rule's percentage, hashed as far as it goes; nil when it has none.
    let seed: PercentSeed?
    /// The number of buckets that are in, when that stands still.
    let fixedShare: Int64?
  }

  /// Prepares the rules of a parameter.
  /// - Parameter flagKey: the parameter's foreign name; nil where it has none but its key.
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
      return Step(
        condition: rule.condition, named: named, namedTimeCost: named.flatMap { $0.reads.time ? $0.size : nil },
        seed: rule.percent.map { PercentSeed($0.seed ?? key) },
        fixedShare: rule.percent.flatMap { $0.progress == nil ? $0.from : nil })
    }
  }

  /// Decides for a caller.
  /// - Parameter input: its `flagKey` should be ``flagKey``.
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

  /// The value source of the rule that won.
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
      decision.lacksTargetingKey = true
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

  /// Equal when they hold the same rules for the same names.
  public static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && left.flagKey == right.flagKey && left.rules == right.rules
  }

  /// By names and rules.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(flagKey)
    hasher.combine(rules)
  }
}

/// The decision of the rules for one caller at one instant.
public struct RuleDecision: Sendable, Hashable {
  /// The rule that won, by its place; nil when none matched.
  public var index: Int?
  /// TARGETING_MATCH, SPLIT when a percentage alone decided, DEFAULT when no rule matched, STATIC when there are none.
  public var reason = EvaluationReason.static
  /// The instant when a moving percentage or a condition on the time may change the answer, if nothing else does before; nil when none will.
  public var nextChangeAt: Instant?
  /// True if a condition that was looked at reads the time in a way that may change the answer at any moment.
  public var isTimeDependent = false
  /// True if a percentage was passed over because the context has no `targetingKey`.
  public var lacksTargetingKey = false

  /// No rules.
  public init() {}

  mutating func noteChange(at instant: Instant?) {
    guard let instant else { return }
    nextChangeAt = nextChangeAt.map { min($0, instant) } ?? instant
  }
}
