// Records the evaluation of a template's condition for explanations.

/// The recorded evaluation of a named condition for one caller.
public struct TemplateTrace: Sendable, Hashable {
  /// A single test within a condition, with the caller's data that the test read.
  public struct TestTrace: Sendable, Hashable {
    /// The test in words, such as `device.os is one of ios`.
    public var phrase: String
    /// The value that the test read, an attribute of the context or the present instant; nil if there is no such value.
    public var read: String?
    /// The caller's bucket, 0 to 99 999 999; nil if the test is not a percentage or the context has no `targetingKey`.
    public var bucket: Int64?
    /// True if the caller satisfied the test.
    public var holds: Bool
  }

  /// The largest number of tests that a trace records.
  public static let factsMax = 200

  /// The condition's name in the template.
  public var name: String
  /// True if the caller satisfied the condition.
  public var holds: Bool
  /// The tests in the order of the condition, at most ``factsMax``. Tests after the one that decided the result are recorded too.
  public var facts: [TestTrace]
}

extension NamedCondition {
  /// Evaluates the condition and records the result of every test in it.
  public func trace(_ input: LogicInput) -> TemplateTrace {
    var facts: [TemplateTrace.TestTrace] = []
    condition.collect(input, &facts)
    return TemplateTrace(name: name, holds: condition.holds(input), facts: facts)
  }
}

extension TemplateCondition {
  fileprivate func collect(_ input: LogicInput, _ facts: inout [TemplateTrace.TestTrace]) {
    if facts.count >= TemplateTrace.factsMax { return }
    var fact = TemplateTrace.TestTrace(phrase: phrase, holds: holds(input))
    switch self {
    case .any(let conditions), .all(let conditions):
      for each in conditions { each.collect(input, &facts) }
      return
    case .percent(let percent): fact.bucket = input.targetingKey.map { TemplatePercent.bucket(seed: percent.seed, id: $0) }
    case .attribute(let test): fact.read = test.value(in: input.context).map { String($0.prefix(256)) }
    case .time: fact.read = input.now.text
    case .constant, .notUnderstood, .zoneMissing: break
    }
    facts.append(fact)
  }

  private var phrase: String {
    switch self {
    case .any, .all: ""
    case .constant(let holds): holds ? "always" : "never"
    case .zoneMissing(let why): "never on this host: \(why)"
    case .notUnderstood(let why): "not understood, so never: \(why)"
    case .time(let test): "the time \(test.relation.rawValue) \(test.instant.text)"
    case .percent(let percent): "percent\(percent.seed.isEmpty ? "" : " by seed \(percent.seed)") \(percent.share.phrase)"
    case .attribute(let test): test.phrase
    }
  }
}

extension TemplatePercent.Share {
  /// The percentage in words: `above 40 and at most 60`.
  var phrase: String {
    func percent(_ micro: Int64) -> String { AttributeTest.text(.double(Double(micro) / 1_000_000)) ?? "" }
    return switch self {
    case .atMost(let most): "at most \(percent(most))"
    case .above(let least): "above \(percent(least))"
    case .between(let least, let most): "above \(percent(least)) and at most \(percent(most))"
    }
  }
}

extension AttributeTest {
  fileprivate var phrase: String {
    let name =
      switch subject {
      case .attribute(let name): name
      case .language: "language"
      case .country: "country"
      }
    func listed(_ targets: [String]) -> String {
      targets.prefix(12).joined(separator: ", ") + (targets.count > 12 ? ", …" : "")
    }
    return switch test {
    case .contains(let targets): "\(name) contains one of \(listed(targets))"
    case .doesNotContain(let targets): "\(name) does not contain any of \(listed(targets))"
    case .isOne(let targets): "\(name) is one of \(listed(targets))"
    case .isNone(let targets): "\(name) is not one of \(listed(targets))"
    case .matches(let patterns): "\(name) matches one of \(listed(patterns.map(\.source)))"
    case .number(let relation, let target): "\(name) \(relation.rawValue) \(target)"
    case .version(let relation, let target): "version \(name) \(relation.rawValue) \(target)"
    }
  }
}
