// The trace of one evaluation, for people who ask why: each condition, its outcome and what it read.

/// A recorded evaluation.
public struct LogicTrace: Sendable, Hashable {
  /// A value that a condition read.
  public struct Input: Sendable, Hashable {
    /// The attribute's path, `$flagd.timestamp`, or `parameter:` and a key.
    public var name: String
    /// The value; nil when there was none.
    public var value: Value?
    /// True if the value is a secret parameter's, or may be made of one.
    public var isSecret = false
    /// True if the name may be made of one too: `var` can be given a name that was computed.
    public var isNameSecret = false
  }

  /// A place among weighted buckets.
  public struct Bucket: Sendable, Hashable {
    /// The place, from 0.
    public var position: Int64
    /// The number of places there are.
    public var total: Int64
  }

  /// One condition: an operator with its arguments.
  public struct Condition: Sendable, Hashable {
    /// JSON pointer to the operator in the expression's source, `/and/0/===`; inside a shared evaluator, into that.
    public var pointer: String
    /// The condition in words; nil inside a shared evaluator.
    public var phrase: String?
    /// The number of conditions that it stands in.
    public var depth: Int
    /// The outcome.
    public var outcome: Value
    /// True if what it came to is made of a secret parameter's value, by way of more than a comparison.
    public var isSecret = false
    /// The values that it read itself, in order.
    public var inputs: [Input] = []
    /// The bucket in which `fractional` placed the caller.
    public var bucket: Bucket?
  }

  /// The outcome of the expression.
  public var outcome: LogicOutcome
  /// True if what it came to is made of a secret parameter's value, by way of more than a comparison.
  public var isSecret = false
  /// True if that is truthy.
  public var holds: Bool
  /// The conditions that were evaluated, each before those it consists of.
  public var conditions: [Condition]
  /// True if there were more conditions than are kept.
  public var isCut: Bool
}

extension LogicExpression {
  /// Evaluates and keeps what happened. It allocates; evaluations that are not traced do not pay for it.
  /// - Parameter entriesMax: how many conditions it keeps.
  public func trace(
    _ input: LogicInput, parameters: some ParameterLookup, entriesMax: Int = LogicLimits.traceEntriesMax
  ) -> LogicTrace {
    let recorder = LogicRecorder(pointers: entriesMax > 0 ? LogicCompiler.pointers(of: program) : [], entriesMax: entriesMax) {
      parameters.isSecret(parameter: $0)
    }
    var run = LogicEvaluator(input.budget)
    run.recorder = recorder
    let value = program.value(program.root, input, &run) { parameters.value(ofParameter: $0) }
    run.settle()
    let outcome = run.outcome(value)
    if recorder.conditions.isEmpty, entriesMax > 0, !recorder.looseInputs.isEmpty {
      recorder.conditions.append(
        LogicTrace.Condition(
          pointer: "", phrase: LogicPhrase.text(source), depth: 0, outcome: outcome.value,
          isSecret: recorder.tells(of: outcome.value), inputs: recorder.looseInputs))
    }
    var phrases: [String: String?] = [:]
    for at in recorder.conditions.indices where recorder.conditions[at].phrase == nil {
      let pointer = recorder.conditions[at].pointer
      let phrase = phrases[pointer] ?? phrase(at: pointer)
      phrases[pointer] = .some(phrase)
      recorder.conditions[at].phrase = phrase
    }
    let holds = run.exceeded == nil && LogicCoercion.isTruthy(value)
    return LogicTrace(
      outcome: outcome, isSecret: recorder.tells(of: outcome.value), holds: holds, conditions: recorder.conditions, isCut: recorder.isCut)
  }
}

/// Collects the conditions of one evaluation.
final class LogicRecorder {
  private let pointers: [String]
  var conditions: [LogicTrace.Condition] = []
  /// The values that were read outside of any condition: the expression is a lone `var`.
  private(set) var looseInputs: [LogicTrace.Input] = []
  private(set) var isCut = false
  private var open: [Int] = []

  private let entriesMax: Int
  private let isSecret: (String) -> Bool
  /// True if a secret was read so far; `secretive` has the conditions that are kept in which one was.
  private var hasReadSecret = false
  private var secretive: Set<Int> = []

  /// - Parameter isSecret: whether a parameter is.
  init(pointers: [String], entriesMax: Int, isSecret: @escaping (String) -> Bool) {
    self.pointers = pointers
    self.entriesMax = entriesMax
    self.isSecret = isSecret
  }

  /// Begins a condition; nil for nodes that are none, and when enough are kept.
  func open(_ at: Int32, _ node: LogicNode, in program: LogicProgram) -> Int? {
    switch node.operation {
    case .literal, .list, .attribute, .variable, .computedVariable, .wholeContext, .elementVariable, .computedElementVariable,
      .wholeElement, .flagKey,
      .timestamp, .flagd, .parameter:
      return nil
    default: break
    }
    guard conditions.count < entriesMax else {
      isCut = true
      return nil
    }
    let pointer = Int(at) < pointers.count ? pointers[Int(at)] : ""
    conditions.append(LogicTrace.Condition(pointer: pointer, phrase: nil, depth: open.count, outcome: .null))
    open.append(conditions.count - 1)
    return conditions.count - 1
  }

  func close(_ opened: Int?, _ node: LogicNode, _ value: Value, in program: LogicProgram) {
    guard let opened else { return }
    conditions[opened].outcome = value
    conditions[opened].isSecret = secretive.contains(opened) && Self.canTell(value)
    open.removeLast()
  }

  /// Keeps what an attribute, or the time, was.
  /// - Parameter isDerived: whether the name, or what is read from, was computed: then both may be made of a secret that was read before.
  func read(_ name: String, _ value: Value?, isDerived: Bool = false) {
    let mayTell = isDerived && hasReadSecret
    if mayTell { heedSecret() }
    keep(LogicTrace.Input(name: name, value: value, isSecret: mayTell, isNameSecret: mayTell))
  }

  /// Heeds that an element of a list was read as a whole, which may be a secret's.
  func readElement() { if hasReadSecret { heedSecret() } }

  /// Keeps what a parameter was.
  func read(parameter key: String, _ value: Value?) {
    let isSecret = isSecret(key)
    if isSecret { heedSecret() }
    keep(LogicTrace.Input(name: "parameter:" + key, value: value, isSecret: isSecret))
  }

  /// True if a value that the whole came to may be made of a secret: true and false reveal no more of one than a comparison may.
  func tells(of outcome: Value) -> Bool { hasReadSecret && Self.canTell(outcome) }

  private static func canTell(_ value: Value) -> Bool {
    switch value {
    case .null, .bool: false
    default: true
    }
  }

  /// Values go up: what is made of a secret is so in every condition that is open.
  private func heedSecret() {
    hasReadSecret = true
    secretive.formUnion(open)
  }

  private func keep(_ input: LogicTrace.Input) {
    if let condition = open.last {
      // Reductions read once or twice an element of a list that may come from a stranger.
      guard conditions[condition].inputs.count < LogicLimits.traceInputsMax else { return }
      if !conditions[condition].inputs.contains(input) { conditions[condition].inputs.append(input) }
    } else if looseInputs.count < LogicLimits.traceInputsMax {
      looseInputs.append(input)
    }
  }

  func bucket(_ position: Int64, of total: Int64) {
    if let condition = open.last, !secretive.contains(condition) {
      conditions[condition].bucket = LogicTrace.Bucket(position: position, total: total)
    }
  }
}
