// Tests the step budget of a template's conditions: long texts and slow patterns exhaust it, as in rules.

import GameConfCore
import Testing

@Suite("Step budget of template conditions")
struct TemplateBudgetTests {
  private static let long = String(repeating: "a", count: 100_000)

  private static func pattern(_ source: String) throws -> TemplateCondition {
    .attribute(AttributeTest(.attribute("text"), .matches([try Pattern(compiling: source)])))
  }

  private static func conditions() throws -> [TemplateCondition] {
    let many = (0..<20).map { "b\($0)" }
    return [
      try pattern("(a|b)*c"), .attribute(AttributeTest(.attribute("text"), .contains(many))),
      .attribute(AttributeTest(.attribute("text"), .isOne(many))),
      .percent(TemplatePercent(seed: String(repeating: "s", count: 1_000_000), share: .atMost(0))),
      .any([TemplateCondition](repeating: .constant(false), count: 50_000)),
      .attribute(AttributeTest(.attribute("text"), .contains([String(repeating: "a", count: 3_000_000) + "b"]))),
    ]
  }

  private func input(_ budget: EvaluationBudget?) -> LogicInput {
    LogicInput(
      context: ["text": .string(Self.long), "targetingKey": "p1"], flagKey: "flag", now: Instant(seconds: 0), budget: budget)
  }

  @Test("a slow condition exceeds the step budget on an event loop and fits into the budget of a request", arguments: 0..<6)
  func edges(at: Int) throws {
    let condition = try Self.conditions()[at]
    let small = EvaluationBudget(steps: LogicLimits.loopStepsMax)
    #expect(!condition.holds(input(small)))
    #expect(small.isExceeded)
    let large = EvaluationBudget(steps: LogicLimits.requestStepsMax)
    #expect(!condition.holds(input(large)))
    #expect(!large.isExceeded)
    #expect(!condition.holds(input(nil)))
  }

  @Test("the steps of a rule's condition are counted, also those that only compute the next change")
  func rules() {
    let late = TemplateCondition.time(TimeTest(.greater, Instant(seconds: 1_000)))
    let named = NamedCondition(name: "late", condition: .any([.constant(true)] + [TemplateCondition](repeating: late, count: 40_000)))
    let rules = RuleSet([Rule(named: named, value: .value(1))], key: "flag")
    let small = EvaluationBudget(steps: LogicLimits.loopStepsMax)
    _ = rules.decide(input(small), parameters: NoParameters())
    #expect(small.isExceeded)
    let large = EvaluationBudget(steps: LogicLimits.requestStepsMax)
    let decision = rules.decide(input(large), parameters: NoParameters())
    #expect(decision.index == 0 && decision.nextChangeAt == Instant(milliseconds: 1_000_001) && !large.isExceeded)
  }

  @Test("a pattern that reaches its own limit does not match, and the request's budget is not exceeded")
  func ownBound() throws {
    let budget = EvaluationBudget(steps: LogicLimits.requestStepsMax)
    var input = self.input(budget)
    input.context["text"] = .string(String(repeating: Self.long, count: 20) + "c")
    #expect(try !Self.pattern("(a|b)*c").holds(input))
    #expect(!budget.isExceeded)
    #expect(TemplateCondition.attribute(AttributeTest(.attribute("targetingKey"), .isOne(["p1"]))).holds(input))
  }

  @Test(
    "a substring is found at every position, also after a partial match of itself",
    arguments: [
      ("aabaabaaab", "aabaaab", true), ("aaab", "aab", true), ("abab", "abb", false), ("ab", "abc", false), ("", "", true),
      ("x", "", true), ("abcabcabd", "abcabd", true), ("åäö", "ä", true), ("åäö", "a", false), ("e\u{301}", "e", true),
    ])
  func parts(text: String, part: String, isIn: Bool) {
    let test = TemplateCondition.attribute(AttributeTest(.attribute("text"), .contains([part])))
    #expect(test.holds(LogicInput(context: ["text": .string(text)], flagKey: "flag", now: Instant(seconds: 0))) == isIn)
  }
}
