// Compares the evaluation of flagd flags with OpenFeature's Python evaluator, for random documents and contexts.

import GameConfCore
import GameConfFormats
import Glibc
import Testing

private let flagd = Oracle("flagd_oracle.py", called: "flagd's own evaluator")

@Suite("Comparison with flagd's own evaluator", .enabled(if: flagd.isThere, "GAMECONF_ORACLE_PYTHON is not set"))
struct FlagdOracleTests {
  @Test("random flagd documents and contexts evaluate as in flagd's own evaluator")
  func comparison() throws {
    let cases = Oracle.cases
    var questions = FlagdQuestions(seed: Oracle.seed)
    let drawn = (0..<cases).map { _ in questions.next() }
    let answers = try flagd.answers(to: drawn.map(\.json))
    try #require(answers.count == cases)
    var differences = 0
    var kinds: [String: Int] = [:]
    for (index, question) in drawn.enumerated() {
      let theirs = answers[index]
      let ours = answer(question)
      kinds[(theirs["errorCode"] ?? theirs["reason"])?.stringValue ?? "?", default: 0] += 1
      if agree(ours, theirs) { continue }
      differences += 1
      if differences == 1 {
        print("first difference, case \(index):\n\(JSONWriter.text(question.json, pretty: true))")
        print("ours:   \(JSONWriter.text(ours))\ntheirs: \(JSONWriter.text(theirs))")
      }
    }
    print("flagd's own evaluator: \(cases) cases, \(differences) differences; \(kinds.sorted { $0.key < $1.key })")
    #expect(differences == 0)
    #expect(kinds["ORACLE_CRASH"] == nil)
    for kind in ["TARGETING_MATCH", "DEFAULT", "STATIC", "DISABLED", "GENERAL", "TYPE_MISMATCH", "FLAG_NOT_FOUND"] {
      #expect(kinds[kind] ?? 0 > cases / 1000, "the questions should often meet \(kind)")
    }
  }

  private func agree(_ ours: Value, _ theirs: Value) -> Bool {
    if let code = theirs["errorCode"] { return ours["errorCode"] == code }
    return ["value", "variant", "reason", "metadata"].allSatisfy { name in
      guard let mine = ours[name], let other = theirs[name] else { return false }
      return mine.isWorth(other)
    }
  }

  private func answer(_ question: FlagdQuestion) -> Value {
    do {
      let document = try FlagdDocument(question.document)
      guard let flag = document.flags[question.key] else { return ["errorCode": "FLAG_NOT_FOUND"] }
      let input = LogicInput(context: question.context, flagKey: question.key, now: Instant(seconds: Int64(time(nil))))
      switch flag.evaluate(as: question.type, input, parameters: NoParameters()) {
      case .value(let value, let variant, let reason):
        return ["value": value, "variant": .string(variant), "reason": .string(reason.rawValue), "metadata": .object(flag.metadata)]
      case .none(let reason):
        return ["value": question.fallback, "variant": nil, "reason": .string(reason.rawValue), "metadata": .object(flag.metadata)]
      case .error(let code, let message): return ["errorCode": .string(code.rawValue), "error": .string(message)]
      }
    } catch {
      return ["errorCode": "REFUSED", "error": .string("\(error.faults)")]
    }
  }
}
