// Tests the rules of a parameter: the rule that matches, the reason, the next change and the explanation.

import GameConfCore
import Testing

@Suite("Rule sets")
struct RuleSetTests {
  private let ios: LogicExpression
  private let later = Percent(
    from: 0, progress: .init(to: Percent.bucketCount, start: Instant(seconds: 1000), end: Instant(seconds: 2000)))

  init() throws { ios = try #require(try MatchCompiler.condition(match: ["platform": "ios"], when: nil)) }

  private func decide(_ rules: [Rule], _ context: Value, seconds: Int64 = 0) -> RuleDecision {
    RuleSet(rules, key: "k").decide(.with(context, key: "k", seconds: seconds), parameters: NoParameters())
  }

  @Test("the first matching rule wins, and the reason says whether a condition or a percentage decided")
  func reasons() {
    let all = Percent(from: Percent.bucketCount)
    let rules = [
      Rule(condition: ios, percent: all, value: .value(1)), Rule(condition: ios, value: .value(2)), Rule(percent: all, value: .value(3)),
      Rule(value: .value(4)),
    ]
    func answer(_ context: Value) -> [String] {
      let decision = decide(rules, context)
      return ["\(decision.index ?? -1)", decision.reason.rawValue]
    }
    #expect(answer(["platform": "ios", "targetingKey": "p"]) == ["0", "TARGETING_MATCH"])
    #expect(answer(["platform": "ios"]) == ["1", "TARGETING_MATCH"])
    #expect(answer(["targetingKey": "p"]) == ["2", "SPLIT"])
    #expect(answer([:]) == ["3", "TARGETING_MATCH"])
    #expect(decide([], [:]).reason == .static)
    #expect(decide([rules[0]], [:]).reason == .default)
    #expect(RuleSet(rules, key: "k").value(of: decide(rules, [:])) == .value(4))
  }

  @Test("without a targetingKey no percentage includes the caller, and the decision reports this")
  func noTargetingKey() {
    for context in [[:], ["targetingKey": ""], ["targetingKey": nil], ["targetingKey": 5], ["targetingKey": ["p"]]] as [Value] {
      let decision = decide([Rule(percent: Percent(from: Percent.bucketCount), value: .value(1))], context)
      #expect(decision.index == nil)
      #expect(decision.needsTargetingKey)
    }
    #expect(!decide([Rule(percent: Percent(from: 0), value: .value(1))], ["targetingKey": "p"]).needsTargetingKey)
  }

  @Test("the next change of a growing percentage is that of the caller's own bucket")
  func nextChange() throws {
    let rules = [Rule(condition: ios, percent: later, value: .value(1)), Rule(percent: later, value: .value(2))]
    for id in 0..<50 {
      let context: Value = ["platform": "ios", "targetingKey": .string("p\(id)")]
      let before = decide(rules, context, seconds: 500)
      let change = try #require(before.nextChangeAt)
      #expect(before.index == nil)
      let input = LogicInput(context: context.objectValue ?? ObjectValue(), flagKey: "k", now: change)
      #expect(RuleSet(rules, key: "k").decide(input, parameters: NoParameters()).index == 0)
      let decided = RuleSet(rules, key: "k").decide(input, parameters: NoParameters())
      #expect(decided.nextChangeAt == nil)
    }
    #expect(decide([rules[0]], ["platform": "mac", "targetingKey": "p"], seconds: 500).nextChangeAt == nil)
    #expect(decide(rules, ["targetingKey": "p"], seconds: 2000).nextChangeAt == nil)
  }

  @Test("a time condition makes a decision time-dependent only if it was evaluated")
  func timeDependence() throws {
    let clock = try LogicExpression(compiling: [">": [["%": [["var": "$flagd.timestamp"], 60]], 30]])
    #expect(decide([Rule(condition: clock, value: .value(1))], [:]).isTimeDependent)
    #expect(
      !decide([Rule(condition: ios, value: .value(0)), Rule(condition: clock, value: .value(1))], ["platform": "ios"]).isTimeDependent)
    #expect(!decide([Rule(condition: clock, percent: Percent(from: 0), value: .value(1))], ["targetingKey": "p"]).isTimeDependent)
  }

  @Test(
    "a condition that compares the time with a constant has its next change at that constant",
    arguments: [
      ([">": [["var": "$flagd.timestamp"], 5000]], 5000, 5001), ([">=": [["var": "$flagd.timestamp"], 5000]], 4999, 5000),
      (["<": [5000, ["var": "$flagd.timestamp"]]], 4000, 5001), (["<=": [5000, ["var": "$flagd.timestamp"]]], 4000, 5000),
      (["<": [4000, ["var": "$flagd.timestamp"], 5000.5]], 4500, 5001), (["<": [4000, ["var": "$flagd.timestamp"], 5000.5]], 0, 4001),
      (["<": [["var": "$flagd.timestamp"], 5000]], 5000, nil), (["<": [["var": "$flagd.timestamp"], 1e300]], 5000, nil),
    ] as [(Value, Int64, Int64?)])
  func timeEdges(condition: Value, seconds: Int64, expected: Int64?) throws {
    let decision = decide([Rule(condition: try LogicExpression(compiling: condition), value: .value(1))], [:], seconds: seconds)
    #expect(decision.nextChangeAt == expected.map { Instant(seconds: $0) })
    #expect(!decision.isTimeDependent)
  }

  @Test("the dependencies of rules are those of their conditions, percentages and values")
  func reads() throws {
    let set = RuleSet([Rule(condition: ios, percent: later, value: .parameter("other")), Rule(value: .dailyHash(salt: "s"))], key: "k")
    #expect(set.reads.attributes == ["platform", "targetingKey"])
    #expect(set.reads.parameters == ["other"])
    #expect(set.reads.time)
    #expect(RuleSet([Rule(value: .value(1))], key: "k").reads == LogicDependencies())
  }

  @Test("an explanation has each condition with its result and inputs, and the bucket of a percentage")
  func explanation() throws {
    let when: Value = ["in": [["var": "country"], ["SE", "NO"]]]
    let condition = try #require(try MatchCompiler.condition(match: ["platform": "ios", "app_version": "<1.4.0"], when: when))
    let set = RuleSet(
      [
        Rule(condition: condition, percent: Percent(seed: "s", from: 10_000_000), value: .value(1)),
        Rule(percent: Percent(from: Percent.bucketCount), value: .value(2)), Rule(value: .value(3)),
      ], key: "k")
    let traces = set.explain(
      .with(["platform": "ios", "app_version": "1.3.0", "country": "DE", "targetingKey": "p"], key: "k"), parameters: NoParameters())
    #expect(traces.map(\.isMatch) == [false, true, false])
    #expect(traces.map(\.isUnreached) == [false, false, true])
    let conditions = try #require(traces[0].condition).conditions
    #expect(conditions.map(\.pointer) == ["/and", "/and/0/===", "/and/1/sem_ver", "/and/2/in"])
    #expect(conditions.map(\.outcome) == [false, true, true, false])
    #expect(conditions[3].inputs.map(\.name) == ["country"])
    #expect(conditions[3].inputs.map(\.value) == ["DE"])
    #expect(traces[0].percent?.bucket == Percent.bucket(seed: "s", targetingKey: "p"))
    #expect(traces[0].percent?.seed == "s")
    #expect(traces[1].percent?.seed == "k")
    let anonymous = set.explain(.with(["platform": "ios"], key: "k"), parameters: NoParameters())
    #expect(anonymous.map(\.isMatch) == [false, false, true])
    #expect(anonymous[1].percent?.bucket == nil)
    #expect(anonymous[1].percent?.isIn == false)
  }

  @Test("a trace shows the bucket of fractional and is limited in length")
  func traces() throws {
    let split = try LogicExpression(compiling: ["fractional": [["a", 30], ["b", 70]]])
    let trace = split.trace(.with(["targetingKey": "p"]), parameters: NoParameters())
    #expect(trace.conditions.count == 1)
    #expect(trace.conditions[0].bucket?.total == 100)
    #expect(trace.conditions[0].inputs.map(\.name) == ["targetingKey"])
    #expect(trace.outcome.value == split.evaluate(.with(["targetingKey": "p"]), parameters: NoParameters()))
    let many = try LogicExpression(compiling: ["map": [["var": "list"], ["!": [["var": ""]]]]])
    let cut = many.trace(.with(["list": .list(Array(repeating: 1, count: 5000))]), parameters: NoParameters())
    #expect(cut.isCut)
    #expect(cut.conditions.count == LogicLimits.traceEntriesMax)
    let lone = try LogicExpression(compiling: ["var": "beta"]).trace(.with(["beta": true]), parameters: NoParameters())
    #expect(lone.conditions.map(\.inputs).first?.map(\.name) == ["beta"])
  }
}
