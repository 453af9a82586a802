// Records the evaluation of an expression for an explanation: each condition with its result and the values that it read.

/// The recorded evaluation of one expression: its result, and each condition that was evaluated.
public struct LogicTrace: Sendable, Hashable {
  /// A value that a condition read during the evaluation.
  public struct Input: Sendable, Hashable {
    /// The path of the attribute that was read, `$flagd.timestamp`, or `parameter:` with the parameter's key.
    public var name: String
    /// The value that was read; nil if there was no such attribute or parameter.
    public var value: Value?
    /// True if the value is the value of a secret parameter, or may be derived from one, so that it must not be shown.
    public var isSecret = false
    /// True if the name itself may be derived from the value of a secret parameter, because `var` may have a computed name.
    public var isNameSecret = false
  }

  /// The position of a caller among the weighted buckets of the operator `fractional`.
  public struct Bucket: Sendable, Hashable {
    /// The caller's position within the total weight, counted from 0.
    public var position: Int64
    /// The total weight of all buckets of the operator.
    public var total: Int64
  }

  /// A recorded condition of an expression: an operator with its result and the values that it read.
  public struct Condition: Sendable, Hashable {
    /// A JSON pointer to the operator in the expression, `/and/0/===`. For an operator inside a shared evaluator, the pointer begins at
    /// that evaluator.
    public var pointer: String
    /// The condition as text for people; nil if the expression uses shared evaluators.
    public var phrase: String?
    /// The number of recorded conditions that contain this one.
    public var depth: Int
    /// The value that the condition evaluated to.
    public var outcome: Value
    /// True if the condition's value may reveal more of a secret parameter than the result of a comparison does.
    public var isSecret = false
    /// The values that the condition read itself, in the order of reading. Values of the conditions inside it are not included.
    public var inputs: [Input] = []
    /// The caller's position among the buckets of a `fractional`; nil for another condition, or if it may reveal a secret parameter.
    public var bucket: Bucket?
  }

  /// The result of the whole expression, and the limit if it exceeded one.
  public var outcome: LogicOutcome
  /// True if the expression's result may reveal more of a secret parameter than the result of a comparison does.
  public var isSecret = false
  /// True if the result of the expression is truthy.
  public var holds: Bool
  /// The conditions that were evaluated, each before the conditions inside it.
  public var conditions: [Condition]
  /// True if there were more conditions than the trace could record.
  public var isCut: Bool
}

extension LogicExpression {
  /// Evaluates the expression and records each condition. Recording allocates memory, which an evaluation without a trace does not.
  /// - Parameter entriesMax: The largest number of conditions to record.
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
          isSecret: recorder.reveals(of: outcome.value), inputs: recorder.looseInputs))
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
      outcome: outcome, isSecret: recorder.reveals(of: outcome.value), holds: holds, conditions: recorder.conditions, isCut: recorder.isCut)
  }
}

/// Records the conditions of one evaluation, and tracks which values may be derived from secret parameters (taint tracking).
final class LogicRecorder {
  private let pointers: [String]
  var conditions: [LogicTrace.Condition] = []
  /// The values that were read outside of any condition, because the whole expression is a single `var` or `parameter`.
  private(set) var looseInputs: [LogicTrace.Input] = []
  private(set) var isCut = false
  private var open: [Int] = []

  private let entriesMax: Int
  private let isSecret: (String) -> Bool
  /// True after the evaluation has read a secret parameter. ``secretive`` has the indexes of the conditions in which it was read.
  private var hasReadSecret = false
  private var secretive: Set<Int> = []

  /// Creates a recorder for one evaluation.
  /// - Parameter isSecret: Returns true for the key of a secret parameter.
  init(pointers: [String], entriesMax: Int, isSecret: @escaping (String) -> Bool) {
    self.pointers = pointers
    self.entriesMax = entriesMax
    self.isSecret = isSecret
  }

  /// Begins to record a node, and returns the index of its condition; nil if the node is not a condition or the limit is reached.
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
    conditions[opened].isSecret = secretive.contains(opened) && Self.canReveal(value)
    open.removeLast()
  }

  /// Records the value of an attribute or of the time.
  /// - Parameter isDerived: True if the name was computed or the value comes from a list. The name or the value may then be derived
  ///   from a secret parameter that was read before.
  func read(_ name: String, _ value: Value?, isDerived: Bool = false) {
    let mayReveal = isDerived && hasReadSecret
    if mayReveal { taintOpenConditions() }
    keep(LogicTrace.Input(name: name, value: value, isSecret: mayReveal, isNameSecret: mayReveal))
  }

  /// Records that an operator read a whole list element, which may be a part of a secret parameter's value.
  func readElement() { if hasReadSecret { taintOpenConditions() } }

  func read(parameter key: String, _ value: Value?) {
    let isSecret = isSecret(key)
    if isSecret { taintOpenConditions() }
    keep(LogicTrace.Input(name: "parameter:" + key, value: value, isSecret: isSecret))
  }

  /// True if the value of the whole expression may reveal a secret parameter. A boolean may not, because every comparison is allowed to
  /// reveal that much.
  func reveals(of outcome: Value) -> Bool { hasReadSecret && Self.canReveal(outcome) }

  private static func canReveal(_ value: Value) -> Bool {
    switch value {
    case .null, .bool: false
    default: true
    }
  }

  /// Marks as secret all conditions in whose evaluation a value was just read, because the value flows into their results.
  private func taintOpenConditions() {
    hasReadSecret = true
    secretive.formUnion(open)
  }

  private func keep(_ input: LogicTrace.Input) {
    if let condition = open.last {
      // A reduction may read the elements of a long list that an untrusted client sent, so the number of values that a condition records is
      // limited.
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
