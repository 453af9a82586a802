// Our answers beside those of the OpenFeature project's own Python evaluator, over random documents and contexts.

import GameConfCore
import GameConfFormats
import Glibc
import Testing

/// How the comparison is started: `GAMECONF_ORACLE_PYTHON` is a Python with the oracles' requirements, `GAMECONF_CONFORMANCE` the data;
/// `GAMECONF_ORACLE_CASES` (20 000) and `GAMECONF_ORACLE_SEED` (1) may be set.
private enum Oracle {
  static func setting(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  static let command: String? = {
    guard let python = setting("GAMECONF_ORACLE_PYTHON"), let folder = setting("GAMECONF_CONFORMANCE") else {
      print("GAMECONF_ORACLE_PYTHON or GAMECONF_CONFORMANCE is not set: the comparison with flagd's own evaluator is NOT run")
      return nil
    }
    return "PYTHONUTF8=1 '\(python)' '\(folder)/oracles/flagd_oracle.py'"
  }()
}

@Suite("flagd's own evaluator", .enabled(if: Oracle.command != nil, "GAMECONF_ORACLE_PYTHON is not set"))
struct FlagdOracleTests {
  @Test("random documents and contexts are answered as flagd's own evaluator answers them")
  func comparison() throws {
    let cases = Oracle.setting("GAMECONF_ORACLE_CASES").flatMap(Int.init) ?? 20_000
    var questions = FlagdQuestions(seed: Oracle.setting("GAMECONF_ORACLE_SEED").flatMap(UInt64.init) ?? 1)
    let asked = (0..<cases).map { _ in questions.next() }
    let answers = try oracleAnswers(asked)
    try #require(answers.count == cases)
    var differences = 0
    var kinds: [String: Int] = [:]
    for (index, question) in asked.enumerated() {
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

  private func oracleAnswers(_ questions: [FlagdQuestion]) throws -> [Value] {
    var template = Array("/tmp/gameconf-oracle-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { for name in ["/in", "/out", ""] { remove(folder + name) } }
    let file = try #require(fopen(folder + "/in", "w"))
    for question in questions {
      var line: [UInt8] = []
      JSONWriter.append(question.json, to: &line)
      line.append(UInt8(ascii: "\n"))
      try #require(fwrite(line, 1, line.count, file) == line.count)
    }
    try #require(fclose(file) == 0)
    try #require(system("\(Oracle.command ?? "false") < \(folder)/in > \(folder)/out") == 0)
    return try lines(of: folder + "/out").map { try JSONReader.value(from: $0) }
  }

  private func lines(of path: String) throws -> [[UInt8]] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
  }
}
