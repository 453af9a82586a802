// Generates random expressions and contexts, valid and invalid ones.

import GameConfCore
import TestSupport

/// A generator of expressions with all operators and all kinds and numbers of arguments.
struct RandomExpressions {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  static let operators = [
    "var", "missing", "missing_some", "if", "?:", "and", "or", "!", "!!", "==", "!=", "===", "!==", "<", "<=", ">", ">=", "+", "-", "*",
    "/",
    "%", "min", "max", "cat", "substr", "in", "merge", "map", "filter", "reduce", "all", "some", "none", "starts_with", "ends_with",
    "sem_ver", "fractional", "parameter", "$ref",
  ]
  private static let counts: [String: ClosedRange<Int>] = [
    "missing_some": 2...2, "==": 2...2, "!=": 2...2, "===": 2...2, "!==": 2...2, "<": 2...3, "<=": 2...3, ">": 2...3, ">=": 2...3,
    "/": 2...2,
    "%": 2...2, "substr": 2...3, "in": 2...2, "map": 2...2, "filter": 2...2, "reduce": 3...3, "all": 2...2, "some": 2...2, "none": 2...2,
    "starts_with": 2...2, "ends_with": 2...2, "sem_ver": 3...3, "!": 1...1, "!!": 1...1,
  ]
  private static let scalars: [Value] = [
    nil, true, false, 0, 1, -1, 5, 2.5, -0.0, 1e300, -1e-300, .integer(.max), .integer(.min), "", "a", "0", "12", " 7 ", "1e400", "1.2.3",
    "v2", "<", "^", "😀é", "e\u{301}", "accumulator", "current", "a.b", "list.0", "targetingKey", "$flagd", "$flagd.timestamp",
    "$flagd.flagKey", "__proto__", "length",
  ]

  mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }
  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[Int.random(in: 0..<choices.count, using: &random)] }

  mutating func value(_ depth: Int) -> Value {
    if depth <= 0 || chance(5) { return pick(Self.scalars) }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return .list((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth - 1) })
    case 1: return variable(depth)
    default: return expression(depth)
    }
  }

  private mutating func variable(_ depth: Int) -> Value {
    let names: [Value] = [
      "a", "b", "list", "object.a", "object.list.1", "text", "targetingKey", "", "current", "accumulator", "list.length", 1,
    ]
    return chance(4) ? ["var": [pick(names), value(depth - 1)]] : ["var": pick(names)]
  }

  mutating func expression(_ depth: Int) -> Value {
    let name = pick(Self.operators)
    switch name {
    case "var": return variable(depth)
    case "parameter": return ["parameter": pick(["p", "q"])]
    case "$ref": return ["$ref": pick(["one", "two"])]
    case "fractional":
      var arguments: [Value] = chance(2) ? [value(depth - 1)] : []
      for _ in 0..<Int.random(in: 1...3, using: &random) { arguments.append([value(depth - 1), chance(2) ? 10 : value(depth - 1)]) }
      return ["fractional": .list(arguments)]
    default:
      let counts = Self.counts[name] ?? 1...3
      let count = chance(40) ? Int.random(in: 0...4, using: &random) : Int.random(in: counts, using: &random)
      var arguments = (0..<count).map { _ in value(depth - 1) }
      if ["map", "filter", "reduce", "all", "some", "none"].contains(name), !arguments.isEmpty, !chance(3) {
        arguments[0] = ["var": "list"]
      }
      return .object(ObjectValue([(name, count == 1 && chance(3) ? arguments[0] : .list(arguments))]))
    }
  }

  mutating func context() -> ObjectValue {
    var context = ObjectValue()
    for name in ["a", "b", "list", "object", "text", "targetingKey", "current", "extra"] where !chance(4) { context[name] = data(3) }
    if chance(2) { context["list"] = .list((0..<Int.random(in: 0...5, using: &random)).map { _ in data(1) }) }
    if chance(2) { context["targetingKey"] = .string("p\(UInt16.random(in: 0...999, using: &random))") }
    return context
  }

  private mutating func data(_ depth: Int) -> Value {
    if depth <= 0 || chance(2) { return pick(Self.scalars) }
    if chance(2) { return .list((0..<Int.random(in: 0...3, using: &random)).map { _ in data(depth - 1) }) }
    return .object(ObjectValue([("a", data(depth - 1)), ("list", data(depth - 1)), ("b", data(0))]))
  }
}
