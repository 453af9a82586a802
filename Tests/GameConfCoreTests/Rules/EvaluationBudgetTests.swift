// Tests the evaluation budget that all rules of a request share.

import GameConfCore
import Testing

@Suite("Evaluation budget of a request")
struct EvaluationBudgetTests {
  /// Returns a table with this many keys and rules. Each rule iterates over a list of the caller, and the last key's rules refer to the
  /// first key.
  private func table(keys: Int, rules: Int) throws -> ParameterTable {
    let sum = try LogicExpression(
      compiling: ["==": [["reduce": [["var": "list"], ["+": [["var": "current"], ["var": "accumulator"]]], 0]], -1]])
    var catalog = Catalog(game: "cave", title: "Cave", locales: ["en"])
    for key in 0..<keys {
      catalog.parameters.append(
        Parameter(key: "key\(key)", type: .integer, defaultValue: .value(0), section: "A", description: "Sums."))
      catalog.parameters[key].rules = (0..<rules).map { _ in Rule(condition: sum, value: .value(1)) }
    }
    return ParameterTable(catalog: catalog, layers: [:], revision: 1)
  }

  private func caller(_ elements: Int, _ budget: EvaluationBudget?) -> Caller {
    let list = Value.list((0..<elements).map { .integer(Int64($0)) })
    var caller = Caller(context: ObjectValue([("list", list)]), locales: ["en"], now: Instant(seconds: 0))
    caller.budget = budget
    return caller
  }

  @Test("a request's evaluations succeed if its budget has exactly the steps they need, and fail with one step less", arguments: [1, 3])
  func edge(rules: Int) throws {
    let table = try table(keys: 2, rules: rules)
    func fits(_ steps: Int) -> Bool {
      let budget = EvaluationBudget(steps: steps)
      let caller = caller(10, budget)
      _ = table.resolve("key0", for: caller)
      _ = table.resolve("key1", for: caller)
      return !budget.isExceeded
    }
    let needed = try #require((1...10_000).first(where: fits))
    #expect(needed > 2 * rules * 10)
    #expect(!fits(needed - 1) && fits(needed + 1))
  }

  @Test("once a request's budget is exceeded, the remaining rules are not evaluated")
  func stops() throws {
    let table = try table(keys: 1, rules: 1_000)
    let budget = EvaluationBudget(steps: 5_000)
    #expect(table.resolve("key0", for: caller(1_000, budget))?.value == 0)
    #expect(budget.isExceeded)
    let after = EvaluationBudget(steps: 0)
    _ = table.resolve("key0", for: caller(1_000, after))
    #expect(after.isExceeded)
  }

  @Test("an evaluation that exceeds its own limit leaves the rest of the budget to others")
  func ownBound() throws {
    let table = try table(keys: 2, rules: 1)
    let budget = EvaluationBudget(steps: 2 * LogicLimits.evaluationStepsMax + 1_000)
    let caller = caller(LogicLimits.evaluationStepsMax, budget)
    #expect(table.resolve("key0", for: caller)?.value == 0)
    #expect(!budget.isExceeded)
    _ = table.resolve("key1", for: caller)
    #expect(!budget.isExceeded)
    _ = table.resolve("key1", for: caller)
    #expect(budget.isExceeded)
  }

  @Test("evaluating a parameter that a rule refers to counts toward the same budget")
  func nested() throws {
    var catalog = try table(keys: 1, rules: 1).catalog
    let reading = try LogicExpression(compiling: [">": [["parameter": "key0"], 5]])
    catalog.parameters.append(Parameter(key: "reader", type: .integer, defaultValue: .value(0), section: "A", description: "Reads."))
    catalog.parameters[1].rules = [Rule(condition: reading, value: .value(1))]
    let table = ParameterTable(catalog: catalog, layers: [:], revision: 1)
    func fits(_ key: String, _ steps: Int) -> Bool {
      let budget = EvaluationBudget(steps: steps)
      _ = table.resolve(key, for: caller(100, budget))
      return !budget.isExceeded
    }
    let alone = try #require((1...10_000).first { fits("key0", $0) })
    let nested = try #require((1...10_000).first { fits("reader", $0) })
    #expect(nested > alone && nested < alone + 20)
  }

  @Test("an explanation of a thousand rules records a limited number of conditions")
  func explanation() throws {
    let table = try table(keys: 1, rules: 1_000)
    let explanation = try #require(table.explain("key0", for: caller(20, nil)))
    let recorded = explanation.layers.flatMap(\.rules).reduce(0) { $0 + ($1.condition?.conditions.count ?? 0) }
    #expect(recorded == LogicLimits.traceEntriesMax)
    #expect(explanation.layers.flatMap(\.rules).last?.condition?.isCut == true)
  }
}
