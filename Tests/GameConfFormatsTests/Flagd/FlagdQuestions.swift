// Generates random flagd documents that flagd's schema accepts, and random contexts for evaluating them.

import GameConfCore
import TestSupport

/// One evaluation for the comparison: a flag of a document, with a context.
struct FlagdQuestion {
  var document: Value
  var key: String
  var type: FlagType
  var fallback: Value
  var context: ObjectValue

  /// The evaluation in the JSON form that the Python evaluator reads.
  var json: Value {
    .object(
      ObjectValue([
        ("flags", document), ("key", .string(key)), ("type", .string(type.rawValue)), ("default", fallback), ("context", .object(context)),
      ]))
  }
}

/// A generator of random evaluations. It avoids the known differences that the first lines of the Python program list. It also avoids
/// booleans inside texts, which Python writes as `True`.
struct FlagdQuestions {
  private var random: SeededGenerator
  /// The words from which texts are made. They are ASCII if the document has shared evaluators, because flagd's Python evaluator inserts
  /// those by a regular expression that fails on other characters.
  private var words = allWords

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }
  private mutating func pick(_ choices: [Value]) -> Value { choices[Int.random(in: 0..<choices.count, using: &random)] }
  private mutating func pickAny<Element>(_ choices: [Element]) -> Element { choices[Int.random(in: 0..<choices.count, using: &random)] }
  private mutating func integer(_ range: ClosedRange<Int64>) -> Value { .integer(.random(in: range, using: &random)) }
  private func rule(_ name: String, _ arguments: Value...) -> Value { .object(ObjectValue([(name, .list(arguments))])) }
  private func variable(_ name: String) -> Value { ["var": .string(name)] }

  private static let plainWords: [Value] = [
    "ios", "android", "mac", "SE", "NO", "DE", "player-1", "a@b.se", "", "10", " 7 ", "1e2", "abc", "z",
  ]
  private static let allWords: [Value] = plainWords + ["café", "cafe\u{301}", "😀", "\u{FFFD}"]
  private static let versions: [Value] = [
    "1.0.0", "1.2.3", "1.2.4-alpha", "1.2.4-alpha.1", "1.2.4-beta", "2.0.0", "10.0.0", "1.2.3+build.5", "1.10.0",
  ]
  private static let spelledVersions: [Value] = [
    "v1.2.3", "1", "1.2", "V2.0", "1.2.3.4", "x", "", 1, 2, 1.5, "01.2.3", "1.2.3-01", nil, true,
  ]

  mutating func next() -> FlagdQuestion {
    let kind = pickAny(["boolean", "string", "number", "float", "object"])
    let variants = variants(kind)
    var flags = ObjectValue()
    flags["asked"] = flag(variants)
    if chance(3) { flags["other"] = flag(self.variants("string")) }
    var document = ObjectValue([("flags", .object(flags))])
    if chance(2) { document["metadata"] = ["flagSetId": "dots", "version": "1"] }
    words = Self.plainWords
    document["$evaluators"] =
      chance(4)
      ? ["shared": ["and": [["$ref": "deeper"], condition(1)]], "deeper": condition(1)] : ["shared": condition(2), "deeper": condition(1)]
    words = Self.allWords
    let type: FlagType =
      switch kind {
      case "boolean": pickAny([.boolean, .boolean, .boolean, .boolean, .boolean, .string, .integer])
      case "string": pickAny([.string, .string, .string, .string, .string, .string, .boolean])
      case "number": pickAny([.integer, .integer, .integer, .float, .float, .string])
      case "float": pickAny([.float, .float, .float, .float, .float, .integer])
      default: pickAny([.object, .object, .object, .object, .string])
      }
    let fallback: Value =
      switch type {
      case .boolean: true
      case .string: "fallback"
      case .integer: 7
      case .float: 7.25
      case .object: ["fallback": true]
      }
    return FlagdQuestion(
      document: .object(document), key: chance(50) ? "absent" : "asked", type: type, fallback: fallback, context: context())
  }

  private mutating func variants(_ kind: String) -> ObjectValue {
    switch kind {
    case "boolean": ObjectValue([("on", true), ("off", false), ("true", true), ("false", false)])
    case "string": ObjectValue([("on", "first"), ("off", "second"), ("true", "third"), ("3", "fourth")])
    case "number": ObjectValue([("on", integer(-50...50)), ("off", 0), ("true", 1)])
    case "float": ObjectValue([("on", 2.5), ("off", -0.25), ("false", 1e-3)])
    default:
      ObjectValue([("on", Value.object(ObjectValue([("a", Value.list([1, 2.5, nil]))]))), ("off", Value.object(ObjectValue()))])
    }
  }

  private mutating func flag(_ variants: ObjectValue) -> Value {
    var flag = ObjectValue([("state", chance(15) ? "DISABLED" : "ENABLED"), ("variants", .object(variants))])
    switch Int.random(in: 0..<10, using: &random) {
    case 0: flag["defaultVariant"] = nil
    case 1: flag["defaultVariant"] = Value.null
    case 2: flag["defaultVariant"] = "missing"
    default: flag["defaultVariant"] = .string(pickAny(variants.names))
    }
    if !chance(8) { flag["targeting"] = targeting(variants.names) }
    if chance(3) { flag["metadata"] = ["owner": "ui", "version": 2, "rate": 0.5, "live": true] }
    return .object(flag)
  }

  private mutating func variant(_ names: [String]) -> Value {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: nil
    case 1: "unknown"
    case 2: true
    case 3: false
    case 4: 3
    default: .string(pickAny(names))
    }
  }

  private mutating func targeting(_ names: [String]) -> Value {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return chance(3) ? rule("+", text(1), number(1)) : [:]
    case 1, 2: return fractional(names)
    case 3:
      return names.contains("true") && chance(2)
        ? condition(3) : ["if": [["$ref": "shared"], variant(names), ["$ref": "deeper"], variant(names)]]
    case 4: return ["if": [condition(3), variant(names)]]
    case 5: return ["if": [condition(2), variant(names), ["$ref": "shared"], fractional(names), variant(names)]]
    case 6: return ["or": [["if": [condition(2), variant(names)]], variant(names)]]
    default: return ["if": [condition(4), variant(names), condition(2), variant(names), variant(names)]]
    }
  }

  private mutating func fractional(_ names: [String]) -> Value {
    var arguments: [Value] = []
    switch Int.random(in: 0..<5, using: &random) {
    case 0: arguments.append(variable(pickAny(["targetingKey", "age", "score", "country", "profile", "absent", "beta", "tags"])))
    case 1: arguments.append(rule("cat", variable("$flagd.flagKey"), text(1)))
    case 2: arguments.append(rule("cat", "salt", variable("targetingKey")))
    default: break
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let chosen = chance(5) ? ["if": [condition(1), variant(names), variant(names)]] : variant(names)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: arguments.append([chosen])
      case 1: arguments.append([chosen, ["-": [variable("age"), 20]]])
      case 2: arguments.append([chosen, ["if": [condition(1), integer(0...100), "none"]]])
      case 3: arguments.append([chosen, integer(0...0x7fff_ffff)])
      default: arguments.append([chosen, integer(0...100)])
      }
    }
    return .object(ObjectValue([("fractional", .list(arguments))]))
  }

  private mutating func condition(_ depth: Int) -> Value {
    guard depth > 0 else { return simpleCondition() }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return rule("and", condition(depth - 1), condition(depth - 1))
    case 1: return rule("or", condition(depth - 1), condition(depth - 1), condition(depth - 1))
    case 2: return rule(pickAny(["!", "!!"]), anything(depth - 1))
    case 3: return ["if": [anything(depth - 1), condition(depth - 1), condition(depth - 1)]]
    case 4:
      return rule(
        pickAny(["all", "some", "none"]), list(depth - 1), rule(pickAny(["<", ">=", "==", "!="]), variable(""), pick(["SE", "ios", ""])))
    case 5:
      return rule(
        pickAny(["all", "some", "none"]), variable("profile.items"), rule(pickAny([">", "<="]), variable("qty"), integer(-2...6)))
    case 6: return rule(pickAny(["<", "<="]), number(depth - 1), number(depth - 1), number(depth - 1))
    case 7: return rule(pickAny(["<", "<=", ">", ">="]), anything(depth - 1), anything(depth - 1))
    case 8: return rule("in", text(depth - 1), list(depth - 1))
    default: return simpleCondition()
    }
  }

  private mutating func simpleCondition() -> Value {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return rule(pickAny(["==", "!=", "===", "!=="]), text(1), text(1))
    case 1: return rule(pickAny(["==", "!=", "===", "!=="]), number(1), number(1))
    case 2: return rule(pickAny(["==", "!="]), number(1), text(1))
    case 3: return rule(pickAny(["==", "!=", "===", "!=="]), variable("beta"), pick([true, false]))
    case 4:
      return rule(
        pickAny(["<", "<=", ">", ">="]), variable(pickAny(["age", "score", "platform", "absent", "version"])), pick([18, 2.5, "ios", "20"]))
    case 5: return rule("in", text(1), .list([pick(words), pick(words), pick(words)]))
    case 6: return rule("in", text(1), text(1))
    case 7:
      return rule(
        pickAny(["starts_with", "ends_with"]), variable(pickAny(["platform", "email", "absent", "age", "country"])), pick(words))
    case 8, 9:
      return rule(
        "sem_ver", chance(6) ? pick(Self.versions) : variable("version"), pick(["=", "!=", "<", "<=", ">", ">=", "^", "~"]),
        pick(Self.versions))
    case 10: return rule(pickAny(["<", ">"]), variable("$flagd.timestamp"), pick([1_000_000_000, 9_999_999_999]))
    default: return rule("===", variable("absent"), nil)
    }
  }

  private mutating func anything(_ depth: Int) -> Value {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: nil
    case 1: condition(depth)
    case 2: list(depth)
    case 3: variable(pickAny(["absent", "profile", "profile.none", "tags", "tags.9", "", "beta", "nothing"]))
    case 4: pick([true, false, 0, "", [], "0"])
    case 5: number(depth)
    default: text(depth)
    }
  }

  private mutating func number(_ depth: Int) -> Value {
    guard depth > 0 else { return simpleNumber() }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return rule("+", number(depth - 1), number(depth - 1), text(0))
    case 1: return rule("-", number(depth - 1), number(depth - 1))
    case 2: return rule("-", number(depth - 1))
    case 3: return rule("*", number(depth - 1), simpleNumber())
    case 4: return rule("/", number(depth - 1), pick([2, 4, -8, 0.5]))
    case 5: return rule("%", number(depth - 1), pick([3, 7, -4, 2.5]))
    case 6: return rule(pickAny(["min", "max"]), number(depth - 1), number(depth - 1), simpleNumber())
    case 7:
      return rule(
        "reduce", variable("profile.items"), rule(pickAny(["+", "max"]), variable("accumulator"), variable("current.qty")), integer(0...3))
    default: return simpleNumber()
    }
  }

  private mutating func simpleNumber() -> Value {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: integer(-30...60)
    case 1: pick([0.5, 2.5, -1.25, 1e6])
    case 2: variable("score")
    case 3: variable(pickAny(["profile.level", "tags.length", "platform.length"]))
    case 4: ["var": [.string(pickAny(["absent", "nothing.at.all"])), integer(0...9)]]
    default: variable("age")
    }
  }

  private mutating func text(_ depth: Int) -> Value {
    guard depth > 0 else { return chance(2) ? pick(words) : variable(pickAny(["platform", "country", "email"])) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return rule("cat", text(depth - 1), integer(0...9), text(0))
    case 1: return rule("substr", text(depth - 1), integer(-6...6))
    case 2: return rule("substr", text(depth - 1), integer(-40...40), integer(-6...6))
    case 3: return ["var": [.string(pickAny(["absent", "profile.name", "tags.0", "profile.items.0.sku", "platform.1"])), pick(words)]]
    case 4: return variable("$flagd.flagKey")
    default: return text(0)
    }
  }

  private mutating func list(_ depth: Int) -> Value {
    guard depth > 0 else { return variable("tags") }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return rule("merge", variable("tags"), text(0), [pick(words)])
    case 1: return rule("filter", variable("tags"), rule("in", variable(""), text(0)))
    case 2: return rule("map", variable("profile.items"), variable("sku"))
    case 3: return ["missing": ["age", "absent", "profile.none", "nothing"]]
    case 4: return ["missing_some": [integer(0...3), ["age", "absent", "country", "email"]]]
    case 5: return ["missing": [.string(pickAny(["beta", "absent"]))]]
    default: return variable("tags")
    }
  }

  private static let tagLists: [Value] = [[], ["SE"], ["ios", "SE", "café"], ["10"], ["", "z"]]

  private mutating func context() -> ObjectValue {
    var context = ObjectValue()
    context["age"] = integer(-5...70)
    context["score"] = pick([0.5, 2.25, -7.75, 100.125])
    context["platform"] = pick(["ios", "android", "mac", "café"])
    context["country"] = pick(words)
    context["beta"] = pick([true, false])
    context["email"] = pick(["a@b.se", "x@y.com", "SE@SE"])
    context["nothing"] = Value.null
    context["version"] = chance(3) ? pick(Self.spelledVersions) : pick(Self.versions)
    context["tags"] = pick(Self.tagLists)
    let one: Value = ["qty": 1, "sku": "ios"]
    let some: Value = ["qty": integer(0...5), "sku": "SE"]
    let items: Value = pick([[], [one], [some, ["qty": 2, "sku": "z"]]])
    context["profile"] = ["level": integer(0...12), "name": pick(["Ann", "Bo"]), "items": items]
    if !chance(8) {
      context["targetingKey"] = chance(20) ? "" : .string("player-\(Int.random(in: 0..<1_000_000, using: &random))")
    }
    return context
  }
}
