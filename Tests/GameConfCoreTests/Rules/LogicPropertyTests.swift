// Tests properties of random expressions: no crash, and correct dependencies and traces.

import GameConfCore
import TestSupport
import Testing

@Suite("Random expressions")
struct LogicPropertyTests {
  private struct Parameters: ParameterLookup {
    var p: Value
    func value(ofParameter key: String) -> Value? { key == "p" ? p : nil }
  }

  private static let options = LogicOptions(
    evaluators: .of(["one": ["==": [["var": "a"], ["var": "b"]]], "two": ["cat": [["$ref": "one"], ["var": "text"]]]]))

  @Test(
    "a random expression is rejected with a position or evaluates to a finite value",
    arguments: TestLength.seeds(of: 1...4 as ClosedRange<UInt64>))
  func anyExpression(seed: UInt64) throws {
    var expressions = RandomExpressions(seed: seed)
    var compiled = 0
    var exceeded = 0
    var met: Set<String> = []
    for round in 0..<5000 {
      let source = expressions.expression(round % 5 + 1)
      let context = expressions.context()
      let expression: LogicExpression
      do throws(LogicFault) {
        expression = try LogicExpression(compiling: source, options: Self.options)
      } catch {
        #expect(source.value(at: error.pointer) != nil, "\(error.pointer) leads nowhere in \(source)")
        continue
      }
      compiled += 1
      for name in source.objectValue?.names ?? [] { met.insert(name) }
      let input = LogicInput(context: context, flagKey: "flag", now: Instant(milliseconds: 1_700_000_000_123))
      let parameters = Parameters(p: [1, "x"])
      let outcome = expression.outcome(input, parameters: parameters)
      if outcome.exceeded != nil { exceeded += 1 }
      #expect(isFinite(outcome.value))
      check(expression, outcome, input, parameters)
    }
    #expect(compiled > 3000)
    #expect(exceeded < compiled / 10)
    #expect(met.count >= RandomExpressions.operators.count - 1)
  }

  private func check(_ expression: LogicExpression, _ outcome: LogicOutcome, _ input: LogicInput, _ parameters: Parameters) {
    #expect(expression.outcome(input, parameters: parameters) == outcome, "twice the same: \(expression.source)")
    #expect(expression.trace(input, parameters: parameters).outcome == outcome, "a trace changes nothing: \(expression.source)")
    #expect(
      expression.holds(input, parameters: parameters) == (outcome.exceeded == nil && isTruthy(expression, input, parameters)),
      "\(expression.source)")
    let reads = expression.reads
    if !reads.wholeContext {
      var fewer = input
      fewer.context = ObjectValue(input.context.members.filter { reads.attributes.contains($0.name) }.map { ($0.name, $0.value) })
      #expect(expression.outcome(fewer, parameters: parameters) == outcome, "reads more than it says: \(expression.source)")
    }
    if !reads.time {
      var later = input
      later.now = Instant(seconds: 5)
      #expect(expression.outcome(later, parameters: parameters) == outcome, "reads the time unsaid: \(expression.source)")
    }
    if reads.parameters.isEmpty {
      #expect(expression.outcome(input, parameters: Parameters(p: nil)) == outcome, "reads a parameter unsaid: \(expression.source)")
    }
  }

  /// True if the expression's value is truthy before the evaluation replaces NaN (falsy) and infinities (truthy) by null.
  private func isTruthy(_ expression: LogicExpression, _ input: LogicInput, _ parameters: Parameters) -> Bool {
    let doubled = try? LogicExpression(compiling: ["!!": [expression.source]], options: Self.options)
    return doubled?.evaluate(input, parameters: parameters) == true
  }

  private func isFinite(_ value: Value) -> Bool {
    switch value {
    case .double(let number): number.isFinite
    case .list(let elements): elements.allSatisfy(isFinite)
    case .object(let object): object.members.allSatisfy { isFinite($0.value) }
    default: true
    }
  }

  @Test("an explanation of random rules marks the rule that decides", arguments: TestLength.seeds(of: 11...12 as ClosedRange<UInt64>))
  func explanations(seed: UInt64) {
    var expressions = RandomExpressions(seed: seed)
    for _ in 0..<1000 {
      let rules = (0..<3).map { _ in
        Rule(
          condition: expressions.chance(3) ? nil : try? LogicExpression(compiling: expressions.expression(2), options: Self.options),
          percent: expressions.chance(2) ? Percent(from: .random(in: 0...Percent.bucketCount, using: &expressions.random)) : nil,
          value: .value(1))
      }
      let set = RuleSet(rules, key: "k")
      let input = LogicInput(context: expressions.context(), flagKey: "k", now: Instant(seconds: 5))
      let index = set.decide(input, parameters: NoParameters()).index
      #expect(set.explain(input, parameters: NoParameters()).firstIndex { $0.isMatch } == index)
    }
  }
}
