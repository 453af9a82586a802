// Tests hostile rules and contexts: evaluation neither hangs nor crashes, and reports the exceeded limit.

import GameConfCore
import Testing

@Suite("Limits of expressions")
struct LogicBoundsTests {
  private func outcome(_ rule: Value, _ context: Value = [:]) throws -> LogicOutcome {
    try LogicExpression(compiling: rule).outcome(.with(context), parameters: NoParameters())
  }

  private func nested(_ depth: Int) -> Value { (0..<depth).reduce(true) { inner, _ in ["!": inner] } }

  @Test("an expression up to the depth limit compiles and a deeper one is rejected")
  func depth() throws {
    #expect(throws: Never.self) { try LogicExpression(compiling: nested(31)) }
    for depth in [LogicLimits.depthMax, 1000] {
      let fault = try #require(throws: LogicFault.self) { try LogicExpression(compiling: nested(depth)) }
      #expect(fault.message.contains("more than \(LogicLimits.depthMax) deep"))
    }
    let lists = (0..<1000).reduce(Value.integer(1)) { inner, _ in [inner] }
    #expect(throws: LogicFault.self) { try LogicExpression(compiling: ["in": [1, lists]]) }
  }

  @Test("an expression up to the limit of parts compiles and a larger one is rejected")
  func parts() throws {
    let ids = Value.list((0..<LogicLimits.nodesMax).map { .integer(Int64($0)) })
    #expect(throws: LogicFault.self) { try LogicExpression(compiling: ["in": [["var": "id"], ids]]) }
    let fewer = Value.list((0..<(LogicLimits.nodesMax - 10)).map { .integer(Int64($0)) })
    let rule = try LogicExpression(compiling: ["in": [["var": "id"], fewer]])
    #expect(rule.holds(.with(["id": 19_000]), parameters: NoParameters()))
  }

  @Test("fractional with up to 1 000 buckets compiles and one with 10 000 is rejected")
  func buckets() throws {
    func rule(_ count: Int) -> Value { ["fractional": .list((0..<count).map { [.string("v\($0)"), 1] })] }
    let most = try LogicExpression(compiling: rule(LogicLimits.bucketsMax))
    #expect(most.evaluate(.with(["targetingKey": "p"]), parameters: NoParameters()) != nil)
    let fault = try #require(throws: LogicFault.self) { try LogicExpression(compiling: rule(10_000)) }
    #expect(fault.message.contains("\(LogicLimits.bucketsMax)"))
  }

  @Test("fractional returns null if its weights overflow")
  func weights() throws {
    for weight in [Value.integer(.max), 2_147_483_648, 1e300, .double(0x1p63)] {
      #expect(try outcome(["fractional": [["a", weight], ["b", weight]]], ["targetingKey": "p"]) == LogicOutcome(value: .null))
    }
  }

  @Test("cyclic and unknown evaluators are rejected by the compiler")
  func references() throws {
    let options = LogicOptions(
      evaluators: .of(["a": ["!": ["$ref": "b"]], "b": ["!": ["$ref": "a"]], "self": ["!": ["$ref": "self"]]]))
    for name in ["a", "b", "self"] {
      let fault = try #require(throws: LogicFault.self) { try LogicExpression(compiling: ["!": ["$ref": .string(name)]], options: options) }
      #expect(fault.pointer == "/!/$ref")
      #expect(fault.message.contains("circle"))
    }
    #expect(throws: LogicFault.self) { try LogicExpression(compiling: ["$ref": "c"], options: options) }
  }

  @Test("evaluators that refer to each other twice are compiled once, and their evaluation stops at the step limit")
  func doubling() throws {
    var evaluators = ObjectValue.of(["e0": ["+": [["var": "n"], 1]]])
    for level in 1...18 {
      let below: Value = ["$ref": .string("e\(level - 1)")]
      evaluators["e\(level)"] = ["+": [below, below]]
    }
    let rule = try LogicExpression(compiling: ["$ref": "e18"], options: LogicOptions(evaluators: evaluators))
    let outcome = rule.outcome(.with(["n": 0]), parameters: NoParameters())
    #expect(outcome == LogicOutcome(value: .null, exceeded: .evaluationSteps))
    evaluators["e19"] = ["and": [["$ref": "e18"], ["$ref": "e18"], ["$ref": "e18"]]]
    #expect(throws: Never.self) { try LogicExpression(compiling: ["$ref": "e19"], options: LogicOptions(evaluators: evaluators)) }
  }

  @Test(
    "lists and texts that grow exponentially stop at a limit",
    arguments: [
      (["reduce": [["var": "many"], ["cat": [["var": "accumulator"], ["var": "accumulator"]]], "x"]], .producedText),
      (["reduce": [["var": "many"], ["merge": [["var": "accumulator"], ["var": "accumulator"]]], [1]]], .producedList),
      (["reduce": [["var": "many"], [["var": "accumulator"], ["var": "accumulator"]], 1]], .evaluationSteps),
      (["map": [["var": "many"], ["map": [[1, 2, 3, 4, 5, 6, 7, 8, 9], ["var": ""]]]]], .evaluationSteps),
      (["map": [["var": "tenThousandAndOne"], 1]], .producedList),
      (["cat": [["var": "long"], ["var": "long"]]], .producedText),
      (["in": [["cat": [["var": "as"], "b"]], ["var": "long"]]], .evaluationSteps),
    ] as [(Value, LogicBound)])
  func blowUps(rule: Value, bound: LogicBound) throws {
    let context: Value = [
      "many": .list(Array(repeating: 1, count: 9_000)), "tenThousandAndOne": .list(Array(repeating: 1, count: 10_001)),
      "long": .string(String(repeating: "a", count: 60_000)), "as": .string(String(repeating: "a", count: 30_000)),
    ]
    #expect(try outcome(rule, context) == LogicOutcome(value: .null, exceeded: bound))
  }

  @Test("expressions over a context of one mebibyte are evaluated")
  func largeContext() throws {
    let context: Value = [
      "text": .string(String(repeating: "x", count: 1 << 20)), "list": .list((0..<60_000).map { .string("entry\($0)") }),
      "targetingKey": "p",
    ]
    #expect(try outcome(["==": [["var": "text"], "x"]], context).value == false)
    #expect(try outcome(["in": ["entry59999", ["var": "list"]]], context).value == true)
    #expect(try outcome(["substr": [["var": "text"], -3]], context).value == "xxx")
    #expect(try outcome(["fractional": [["var": "text"], ["a", 1]]], context).value == "a")
    #expect(try outcome(["var": "text.length"], context).value == .integer(1 << 20))
    #expect(try outcome(["in": ["y", ["var": "list"]]], context).value == false)
  }

  @Test("a targetingKey of ten thousand characters is hashed to a bucket")
  func longTargetingKey() throws {
    let key = String(repeating: "å", count: 10_000)
    #expect((0..<Percent.bucketCount).contains(Percent.bucket(seed: "s", targetingKey: key)))
    #expect(try outcome(["fractional": [["a", 1]]], ["targetingKey": .string(key)]).value == "a")
  }

  @Test("an attribute named like __proto__ is treated like any other")
  func prototypeNames() throws {
    for name in ["__proto__", "constructor", "toString", "hasOwnProperty"] {
      #expect(try outcome(["var": .string(name)]).value == nil)
      #expect(try outcome(["var": .string("a.\(name)")], ["a": [:]]).value == nil)
      #expect(try outcome(["var": .string(name)], [name: 5]).value == 5)
      #expect(throws: LogicFault.self) { try LogicExpression(compiling: [name: [1]]) }
    }
  }

  @Test(
    "division and remainder by zero return null",
    arguments: [["/": [1, 0]], ["/": [0, 0]], ["%": [5, 0]], ["%": [5.5, 0]], ["/": [-1, 0.0]], ["%": [1, nil]], ["%": [1, "x"]]] as [Value]
  )
  func zero(rule: Value) throws {
    #expect(try outcome(rule) == LogicOutcome(value: .null))
    #expect(try outcome([rule]) == LogicOutcome(value: [nil]))
  }

  @Test(
    "substr with positions outside of the text returns the part inside",
    arguments: [
      (.integer(.max), nil, ""), (.integer(.min), nil, "abc"), (1e300, nil, ""), (-1e300, 2, "ab"), (0, .integer(.max), "abc"),
      (1, .integer(.min), ""), ("x", nil, "abc"), (0, "x", ""), (nil, nil, "abc"), ([], 1e300, "abc"),
    ] as [(Value, Value, Value)])
  func substring(start: Value, count: Value, expected: Value) throws {
    #expect(try outcome(["substr": ["abc", start, count]]).value == expected)
  }

  @Test(
    "a custom operator returns null for invalid arguments",
    arguments: [
      ["starts_with": [1, "a"]], ["ends_with": ["a", nil]], ["starts_with": [["a"], "a"]], ["sem_ver": ["1.2.3", "==", "1.2.3"]],
      ["sem_ver": ["1.2.3.4.5.6.7.8.9", "=", "1.0.0"]], ["sem_ver": [[:], "=", "1.0.0"]], ["sem_ver": ["", "=", ""]],
      ["sem_ver": ["1.0.0", 5, "1.0.0"]], ["fractional": [nil, ["a", 1]]], ["fractional": ["x"]], ["fractional": ["x", "y"]],
      ["fractional": ["x", ["a", true]]], ["fractional": ["x", ["a", 1.5]]],
    ] as [Value])
  func customOperators(rule: Value) throws {
    #expect(try outcome(rule, ["targetingKey": "p"]) == LogicOutcome(value: .null))
  }

  @Test(
    "an expression that exceeds a limit is never true",
    arguments: [["!": [["var": "x"]]], ["none": [["var": "x"], 1]], ["!=": [["var": "x"], 1]]] as [Value])
  func exceededIsFalse(rule: Value) throws {
    let costly: Value = ["all": [["var": "many"], ["all": [["var": ""], true]]]]
    let expression = try LogicExpression(compiling: ["or": [["and": [costly, false]], rule]])
    let context: Value = ["many": .list(Array(repeating: .list(Array(repeating: 1, count: 400)), count: 400))]
    #expect(!expression.holds(.with(context), parameters: NoParameters()))
    #expect(expression.outcome(.with(context), parameters: NoParameters()).exceeded == .evaluationSteps)
  }

  @Test(
    "a trace over a very long list records a limited number of conditions and values",
    arguments: [
      ["reduce": [["var": "many"], ["+": [["var": "current"], ["var": "accumulator"]]], 0]],
      ["map": [["var": "many"], ["merge": [["var": "many"], ["var": "many"]]]]], ["some": [["var": "many"], ["==": [["var": ""], -1]]]],
      ["missing": ["var": "many"]],
    ] as [Value])
  func traces(rule: Value) throws {
    let many: Value = .list((0..<100_000).map { .integer($0) })
    let trace = try LogicExpression(compiling: rule).trace(.with(["many": many]), parameters: NoParameters())
    #expect(trace.conditions.count <= LogicLimits.traceEntriesMax)
    #expect(trace.conditions.allSatisfy { $0.inputs.count <= LogicLimits.traceInputsMax })
    #expect(trace.outcome.exceeded != nil)
  }
}
