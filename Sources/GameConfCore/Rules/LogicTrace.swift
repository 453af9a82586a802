// What happened in one evaluation, for people who ask why: each condition, its outcome and what it read.

/// A recorded evaluation.
public struct LogicTrace: Sendable, Hashable {
  /// A value that a condition read.
  public struct Input: Sendable, Hashable {
    /// The attribute's path, `$flagd.timestamp`, or `parameter:` and a key.
    public var name: String
    /// What it was; nil when there was none.
    public var value: Value?
  }

  /// A place among weighted buckets.
  public struct Bucket: Sendable, Hashable {
    /// The place, from 0.
    public var position: Int64
    /// How many places there are.
    public var total: Int64
  }

  /// One condition: an operator with its arguments.
  public struct Condition: Sendable, Hashable {
    /// JSON pointer to the operator in the expression's source, `/and/0/===`; inside a shared evaluator, into that.
    public var pointer: String
    /// The condition in words; nil inside a shared evaluator.
    public var phrase: String?
    /// How many conditions it stands in.
    public var depth: Int
    /// What it came to.
    public var outcome: Value
    /// What it read itself, in order.
    public var inputs: [Input] = []
    /// Where `fractional` placed the caller.
    public var bucket: Bucket?
  }

  /// What the expression came to.
  public var outcome: LogicOutcome
  /// Whether that is truthy.
  public var holds: Bool
  /// The conditions that were evaluated, each before those it consists of.
  public var conditions: [Condition]
  /// Whether there were more conditions than are kept.
  public var isCut: Bool
}

extension LogicExpression {
  /// Evaluates and keeps what happened. It allocates; evaluations that are not traced do not pay for it.
  public func trace(_ input: LogicInput, parameters: some ParameterLookup) -> LogicTrace {
    let recorder = LogicRecorder(pointers: LogicCompiler.pointers(of: program))
    var run = LogicRun()
    run.recorder = recorder
    let value = program.value(program.root, input, &run) { parameters.value(ofParameter: $0) }
    let outcome = run.outcome(value)
    if recorder.conditions.isEmpty, !recorder.looseInputs.isEmpty {
      recorder.conditions.append(
        LogicTrace.Condition(pointer: "", phrase: LogicPhrase.text(source), depth: 0, outcome: outcome.value, inputs: recorder.looseInputs))
    }
    var phrases: [String: String?] = [:]
    for at in recorder.conditions.indices where recorder.conditions[at].phrase == nil {
      let pointer = recorder.conditions[at].pointer
      let phrase = phrases[pointer] ?? phrase(at: pointer)
      phrases[pointer] = .some(phrase)
      recorder.conditions[at].phrase = phrase
    }
    let holds = run.exceeded == nil && LogicCoercion.isTruthy(value)
    return LogicTrace(outcome: outcome, holds: holds, conditions: recorder.conditions, isCut: recorder.isCut)
  }
}

/// Collects the conditions of one evaluation.
final class LogicRecorder {
  private let pointers: [String]
  var conditions: [LogicTrace.Condition] = []
  /// What was read outside of any condition: the expression is a lone `var`.
  private(set) var looseInputs: [LogicTrace.Input] = []
  private(set) var isCut = false
  private var open: [Int] = []

  init(pointers: [String]) { self.pointers = pointers }

  /// Begins a condition; nil for nodes that are none, and when enough are kept.
  func open(_ at: Int32, _ node: LogicNode, in program: LogicProgram) -> Int? {
    switch node.operation {
    case .literal, .list, .attribute, .variable, .computedVariable, .wholeContext, .elementVariable, .computedElementVariable,
      .wholeElement, .flagKey,
      .timestamp, .flagd, .parameter:
      return nil
    default: break
    }
    guard conditions.count < LogicLimits.traceEntriesMax else {
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
    open.removeLast()
  }

  func read(_ name: String, _ value: Value?) {
    let input = LogicTrace.Input(name: name, value: value)
    if let condition = open.last {
      // Reductions read once or twice an element of a list that may come from a stranger.
      guard conditions[condition].inputs.count < LogicLimits.traceInputsMax else { return }
      if !conditions[condition].inputs.contains(input) { conditions[condition].inputs.append(input) }
    } else if looseInputs.count < LogicLimits.traceInputsMax {
      looseInputs.append(input)
    }
  }

  func bucket(_ position: Int64, of total: Int64) {
    if let condition = open.last { conditions[condition].bucket = LogicTrace.Bucket(position: position, total: total) }
  }
}
