// Compares the evaluation of server templates with Google's library firebase-admin, for random templates and contexts.

import GameConfCore
import GameConfFormats
import TestSupport
import Testing

private let firebase = Oracle("firebase_oracle.py", called: "Google's firebase-admin")

@Suite("Comparison with Google's firebase-admin", .enabled(if: firebase.isThere, "GAMECONF_ORACLE_PYTHON is not set"))
struct FirebaseOracleTests {
  @Test("random server templates and contexts evaluate as in Google's firebase-admin")
  func comparison() throws {
    var questions = FirebaseQuestions(seed: Oracle.seed)
    let drawn = (0..<Oracle.cases).map { _ in questions.next() }
    let answers = try firebase.answers(to: drawn.map(\.json))
    try #require(answers.count == drawn.count)
    var (differences, remote) = (0, 0)
    for (question, theirs) in zip(drawn, answers) {
      let template = try TemplateReader.read(question.template, for: TemplateCatalog.catalog())
      for key in ["p0", "p1", "p2"] {
        let ours = try TemplateCatalog.answer(key, template, question.ours)
        let (value, source) = (theirs["values"]?[key]?["s"], theirs["values"]?[key]?["source"])
        if source == "remote" { remote += 1 }
        if ours.value == value, (ours.layer == .remote) == (source == "remote") { continue }
        differences += 1
        if differences == 1 {
          print(
            "first difference, \(key):\n\(JSONWriter.text(question.json, pretty: true))\nours: \(ours)\ntheirs: \(JSONWriter.text(theirs))")
        }
      }
    }
    print("Google's own evaluator: \(drawn.count) templates, \(differences) differences, \(remote) remote values")
    #expect(differences == 0)
    #expect(remote > drawn.count / 2, "the questions should often meet remote values")
  }
}

/// One evaluation for the comparison: a template and a context.
private struct FirebaseQuestion {
  var template: Value
  /// The context of the evaluation, with Firebase's names of attributes.
  var context: ObjectValue

  var json: Value { ["template": template, "defaults": ["p0": "d0", "p1": "d1", "p2": "d2"], "context": .object(context)] }

  /// The same context with the names of attributes that a game's context has.
  var ours: ObjectValue {
    var renamed = ObjectValue()
    for member in context.members { renamed[member.name == "randomization_id" ? "targetingKey" : member.name] = member.value }
    return renamed
  }
}

/// A generator of random templates and contexts. It avoids the known differences that the first lines of the Python program list.
private struct FirebaseQuestions {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }
  private mutating func pick<Element>(_ choices: [Element]) -> Element { choices[Int.random(in: 0..<choices.count, using: &random)] }

  private static let texts = [
    "ios", "android", "premium user", " ios ", "élan", "😀", "1.2.3", "1.2", "10.0", "7", "42", "-3", "3.5", "x.y", "a",
  ]
  private static let patterns = ["^ios$", "o", "[0-9]+", "^1\\.", "a|b", "é", "^.{3}$", "(an)?droid"]
  private static let numerals = ["7", "42", "-3", "3.5", "1e2", " 8 ", "abc", "", "100"]
  private static let versions = ["1.2.3", "1.2", "10.0.1", "1", "2.0.0.1.5", "x", "1..2", "1.2.03"]

  mutating func next() -> FirebaseQuestion {
    let names = (0..<Int.random(in: 1...5, using: &random)).map { "c\($0)" }
    let conditions = names.map { Value.object(ObjectValue([("name", .string($0)), ("condition", condition(3))])) }
    var parameters = ObjectValue()
    for key in ["p0", "p1", "p2"] where !chance(8) { parameters[key] = parameter(names) }
    return FirebaseQuestion(template: ["conditions": .list(conditions), "parameters": .object(parameters)], context: context())
  }

  private mutating func parameter(_ names: [String]) -> Value {
    var members = ObjectValue()
    if !chance(6) { members["defaultValue"] = chance(6) ? ["useInAppDefault": true] : ["value": .string(pick(Self.texts))] }
    var conditional = ObjectValue()
    for name in names.shuffled(using: &random) where !chance(3) {
      conditional[name] = chance(8) ? ["useInAppDefault": true] : ["value": .string("\(name) \(pick(Self.texts))")]
    }
    if !conditional.isEmpty { members["conditionalValues"] = .object(conditional) }
    return .object(members)
  }

  private mutating func condition(_ depth: Int) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
    case 0: return ["percent": percent()]
    case 1: return chance(2) ? ["true": .object(ObjectValue())] : ["false": .object(ObjectValue())]
    case 2...5: return ["customSignal": signal()]
    case 6, 7:
      let inside = (0..<Int.random(in: 0...3, using: &random)).map { _ in condition(depth - 1) }
      return ["orCondition": ["conditions": .list(inside)]]
    default:
      let inside = (0..<Int.random(in: 0...3, using: &random)).map { _ in condition(depth - 1) }
      return ["andCondition": ["conditions": .list(inside)]]
    }
  }

  private mutating func percent() -> Value {
    var members = ObjectValue()
    if !chance(3) { members["seed"] = .string(pick(["", "abcdef", "hêl£o", "1"])) }
    let shares: [Int64] = [0, 1, 10_000_000, 50_000_000, 99_999_999, 100_000_000]
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      members["percentOperator"] = "LESS_OR_EQUAL"
      members["microPercent"] = .integer(pick(shares))
    case 1:
      members["percentOperator"] = "GREATER_THAN"
      members["microPercent"] = .integer(pick(shares))
    default:
      members["percentOperator"] = "BETWEEN"
      members["microPercentRange"] = ["microPercentLowerBound": .integer(pick(shares)), "microPercentUpperBound": .integer(pick(shares))]
    }
    return .object(members)
  }

  private mutating func signal() -> Value {
    let key = pick(["plan", "level", "app", "absent"])
    let relation = pick(["LESS_THAN", "LESS_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_THAN", "GREATER_EQUAL"])
    let (word, choices): (String, [String]) =
      switch Int.random(in: 0..<6, using: &random) {
      case 0: ("STRING_CONTAINS", Self.texts)
      case 1: ("STRING_DOES_NOT_CONTAIN", Self.texts)
      case 2: ("STRING_EXACTLY_MATCHES", Self.texts)
      case 3: ("STRING_CONTAINS_REGEX", Self.patterns)
      case 4: ("NUMERIC_" + relation, Self.numerals.filter { !$0.isEmpty && $0 != "abc" } + ["abc"])
      default: ("SEMANTIC_VERSION_" + relation, Self.versions.filter { $0 != "1..2" })
      }
    let count = word.hasPrefix("STRING") ? Int.random(in: 1...3, using: &random) : 1
    return [
      "customSignalOperator": .string(word), "customSignalKey": .string(key),
      "targetCustomSignalValues": .list((0..<count).map { _ in .string(pick(choices)) }),
    ]
  }

  private mutating func context() -> ObjectValue {
    var context = ObjectValue()
    if !chance(5) {
      context["randomization_id"] = .string(
        pick(["user-0", "user-1", "one", "😊", "wørlÐ", "player-\(UInt8.random(in: 0...255, using: &random))"]))
    }
    if !chance(5) { context["plan"] = .string(pick(Self.texts)) }
    if !chance(5) { context["level"] = chance(2) ? .string(pick(["7", "42", "-3", "3.5", "100"])) : .integer(pick([1, 7, 42, -3, 100])) }
    if !chance(5) { context["app"] = .string(pick(["1.2.3", "1.2", "10.0.1", "1", "x"])) }
    return context
  }
}
