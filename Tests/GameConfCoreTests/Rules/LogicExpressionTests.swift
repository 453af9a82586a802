// Tests the compiler's errors, the dependencies of expressions, and the operators beyond JsonLogic.

import GameConfCore
import Testing

@Suite("Logic expressions")
struct LogicExpressionTests {
  private struct Parameters: ParameterLookup {
    let values: [String: Value]
    func value(ofParameter key: String) -> Value? { values[key] }
  }

  private func value(_ rule: Value, _ context: Value = [:]) throws -> Value {
    try LogicExpression(compiling: rule).evaluate(.with(context), parameters: NoParameters())
  }

  @Test(
    "an error of the expression compiler names the position and what would be valid",
    arguments: [
      (["if": [true, ["iff": [1]]]], "/if/1", "Did you mean “if”?"),
      (["!": ["start_with": ["a", "b"]]], "/!", "Did you mean “starts_with”?"),
      (["and": [["==": [1]]]], "/and/0/==", "takes 2 arguments, not 1"),
      (["sem_ver": ["1.0.0", "="]], "/sem_ver", "takes 3 arguments, not 2"),
      (["==": [1, 1], "!=": [1, 1]], "", "one operator"),
      (["fractional": [["a", 1, 2]]], "/fractional/0", "[variant, weight]"),
      (["fractional": []], "/fractional", "takes"),
      (["if": .list(Array(repeating: true, count: 40_001))], "/if", "“if” has 40001 arguments; at most"),
      (["/": [1, ["x/y": 2]]], "/~1/1", "“x/y” is not an operator"),
      (["$ref": "gone"], "/$ref", "no evaluator"),
      (["$ref": 5], "/$ref", "as text"),
      (["parameter": 5], "/parameter", "as text"),
      (["var": "$flagd.flagkey"], "/var", "$flagd.flagKey"),
      (["__proto__": [1]], "", "is not an operator"),
    ] as [(Value, String, String)])
  func faults(rule: Value, pointer: String, part: String) throws {
    let fault = try #require(throws: LogicFault.self) { try LogicExpression(compiling: rule) }
    #expect(fault.pointer == pointer)
    #expect(fault.message.contains(part), "\(fault.message)")
  }

  @Test(
    "weights above flagd's limit are rejected in uploaded templates and accepted elsewhere",
    arguments: [
      [["a", 2_147_483_648], ["b", 1]], [["a", 2_147_483_647], ["b"]], [["a", 1e300]],
    ] as [Value])
  func weights(buckets: Value) throws {
    let rule: Value = ["fractional": buckets]
    _ = try LogicExpression(compiling: rule)
    let fault = try #require(throws: LogicFault.self) {
      try LogicExpression(compiling: rule, options: LogicOptions(admitsAnyWeights: false))
    }
    #expect(fault.pointer == "/fractional" && fault.message.contains("come to more than 2147483647"))
  }

  @Test("a parameter reference is evaluated for the caller and is one of the expression's dependencies")
  func parameters() throws {
    let rule = try LogicExpression(compiling: [
      "<=": [["parameter": "order_length"], ["*": [["parameter": "side"], ["parameter": "side"]]]]
    ])
    #expect(rule.reads.parameters == ["order_length", "side"])
    #expect(rule.holds(.empty, parameters: Parameters(values: ["order_length": 9, "side": 3])))
    #expect(!rule.holds(.empty, parameters: Parameters(values: ["order_length": 10, "side": 3])))
    let flagd = LogicOptions(admitsParameters: false)
    #expect(throws: LogicFault.self) { try LogicExpression(compiling: ["parameter": "side"], options: flagd) }
  }

  @Test("the dependencies of an expression are exactly what it may read")
  func reads() throws {
    func reads(_ rule: Value, evaluators: ObjectValue = ObjectValue()) throws -> LogicDependencies {
      try LogicExpression(compiling: rule, options: LogicOptions(evaluators: evaluators)).reads
    }
    #expect(try reads(["==": [1, 1]]) == LogicDependencies())
    #expect(try reads(["==": [["var": "pie.filling"], ["var": ["crust", 1]]]]).attributes == ["pie", "crust"])
    #expect(try reads(["all": [["var": "items"], [">": [["var": "qty"], 1]]]]).attributes == ["items"])
    #expect(try reads(["missing": ["a.b", "c"]]).attributes == ["a", "c"])
    #expect(try reads(["missing_some": [1, ["a"]]]).attributes == ["a"])
    #expect(try reads(["missing": ["merge": ["a"]]]).wholeContext)
    #expect(try reads(["var": [["cat": ["a", "b"]]]]).wholeContext)
    #expect(try reads(["var": ""]).wholeContext)
    #expect(try reads([">": [["var": "$flagd.timestamp"], 5]]).time)
    #expect(try reads(["var": "$flagd.flagKey"]) == LogicDependencies())
    #expect(try reads(["fractional": [["a", 1]]]).attributes == ["targetingKey"])
    #expect(try reads(["fractional": [["cat": [["var": "country"], "x"]], ["a", 1]]]).attributes == ["country"])
    let shared = ObjectValue.of(["se": ["==": [["var": "country"], "SE"]]])
    #expect(try reads(["if": [["$ref": "se"], 1]], evaluators: shared).attributes == ["country"])
  }

  @Test("shared evaluators are expanded wherever they are referred to, also inside lists")
  func references() throws {
    let evaluators = ObjectValue.of(["big": [">": [["var": "qty"], 3]], "anyBig": ["some": [["var": "items"], ["$ref": "big"]]]])
    let rule = try LogicExpression(
      compiling: ["if": [["$ref": "anyBig"], "items", ["$ref": "big"], "context", "none"]], options: LogicOptions(evaluators: evaluators))
    #expect(rule.reads.attributes == ["items", "qty"])
    #expect(rule.evaluate(.with(["items": [["qty": 5]]]), parameters: NoParameters()) == "items")
    #expect(rule.evaluate(.with(["items": [["qty": 1]], "qty": 4]), parameters: NoParameters()) == "context")
    #expect(rule.evaluate(.with(["items": []]), parameters: NoParameters()) == "none")
  }

  @Test("fractional in version 2 hashes the plain text and concatenates the implicit seed")
  func legacyFractional() throws {
    func chosen(_ rule: Value, _ context: Value) throws -> Value {
      let expression = try LogicExpression(compiling: rule, options: LogicOptions(fractional: .v2))
      return expression.evaluate(.with(context, key: "user"), parameters: NoParameters())
    }
    let buckets = (0..<100).map { Value.list([.integer($0)]) }
    let implicit: Value = ["fractional": .list(buckets)]
    let explicit: Value = ["fractional": .list([["var": "by"]] + buckets)]
    #expect(try chosen(implicit, ["targetingKey": "1"]) == 76)
    #expect(try chosen(explicit, ["by": "user1"]) == 76)
    #expect(try chosen(explicit, ["by": 5]) == nil)
    #expect(try chosen(implicit, [:]) == nil)
  }

  @Test(
    "numbers are converted to text as in JavaScript",
    arguments: [
      (18.0, "18"), (0.1, "0.1"), (-2.5, "-2.5"), (1e21, "1e+21"), (1e20, "100000000000000000000"), (1.5e-7, "1.5e-7"), (1e-6, "0.000001"),
      (123456789012345680.0, "123456789012345680"), (Double.leastNonzeroMagnitude, "5e-324"),
      (1.7976931348623157e308, "1.7976931348623157e+308"), (-0.0, "0"),
    ])
  func numberTexts(number: Double, text: String) throws {
    #expect(try value(["cat": [.double(number)]]) == .string(text))
  }

  @Test("arithmetic on integers is exact and continues with doubles after an overflow")
  func arithmetic() throws {
    #expect(try value(["+": [.integer(.max - 1), 1]]) == .integer(.max))
    #expect(try value(["+": [.integer(.max), 1]]) == .double(0x1p63))
    #expect(try value(["-": [.integer(.min)]]) == .double(0x1p63))
    #expect(try value(["*": [3_037_000_500, 3_037_000_500]]) == .double(9_223_372_037_000_249_344))
    #expect(try value(["/": [.integer(.min), -1]]) == .double(0x1p63))
    #expect(try value(["%": [.integer(.min), -1]]) == 0)
    #expect(try value(["<": [9_007_199_254_740_993, .double(9_007_199_254_740_994)]]) == true)
    #expect(try value(["==": [9_007_199_254_740_993, .double(9_007_199_254_740_992)]]) == false)
    #expect(try value(["==": [.integer(.max), .double(0x1p63)]]) == false)
  }

  @Test("null equals only null, and a boolean in a list equals no number")
  func nullsAndBooleans() throws {
    #expect(try value(["==": [nil, 0]]) == false)
    #expect(try value(["==": [["var": "absent"], false]]) == false)
    #expect(try value(["==": [["var": "absent"], nil]]) == true)
    #expect(try value(["===": [1, true]]) == false)
    #expect(try value(["in": [true, [1, "true"]]]) == false)
    #expect(try value(["cat": ["is ", true]]) == "is true")
  }

  @Test("expressions are equal if they have the same source and options")
  func equality() throws {
    let rule: Value = ["fractional": [["a", 1]]]
    #expect(try LogicExpression(compiling: rule) == LogicExpression(compiling: rule))
    #expect(try LogicExpression(compiling: rule) != LogicExpression(compiling: rule, options: LogicOptions(fractional: .v2)))
  }
}
