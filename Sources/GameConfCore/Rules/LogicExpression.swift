// A rule's condition for everybody else: compiled once, evaluated as often as one likes.

/// A JsonLogic expression as flagd understands it, compiled once.
///
/// Where JsonLogic's suites are silent, it answers as the OpenFeature project's own evaluator of flagd rules does: an empty text is not a
/// number, a remainder has the sign of its divisor, null beside a text compares as the text `null`.
///
/// ```swift
/// let beta = try LogicExpression(compiling: ["in": [["var": "country"], ["SE", "NO"]]])
/// beta.holds(LogicInput(context: ["country": "SE"], flagKey: "beta", now: now), parameters: NoParameters())
/// ```
public struct LogicExpression: Sendable, Hashable {
  let program: LogicProgram

  /// The JSON that it was compiled from.
  public var source: Value { program.source }
  /// The inputs that its answer can depend on.
  public var reads: LogicDependencies { program.reads }

  /// Compiles an expression.
  /// - Throws: ``LogicFault`` with a JSON pointer into `source`: an unknown operator, a wrong count of arguments, a bound exceeded.
  public init(compiling source: Value, options: LogicOptions = LogicOptions()) throws(LogicFault) {
    program = try LogicCompiler.program(of: source, options: options)
  }

  /// Evaluates to a value; never throws: custom operators give null on bad input, and so does an evaluation that exceeds its bounds.
  public func evaluate(_ input: LogicInput, parameters: some ParameterLookup) -> Value {
    outcome(input, parameters: parameters).value
  }

  /// Evaluates to a value, and says whether a bound cut it short.
  public func outcome(_ input: LogicInput, parameters: some ParameterLookup) -> LogicOutcome {
    var run = LogicEvaluator(input.budget)
    let value = program.value(program.root, input, &run) { parameters.value(ofParameter: $0) }
    run.settle()
    return run.outcome(value)
  }

  /// True if it evaluates to something truthy.
  public func holds(_ input: LogicInput, parameters: some ParameterLookup) -> Bool {
    var run = LogicEvaluator(input.budget)
    let truth = program.truth(program.root, input, &run) { parameters.value(ofParameter: $0) }
    run.settle()
    return truth && run.exceeded == nil
  }

  /// Evaluates against any value in the place of a context, as JsonLogic itself allows.
  public func outcome(data: Value, input: LogicInput, parameters: some ParameterLookup) -> LogicOutcome {
    var run = LogicEvaluator(input.budget)
    run.data = data
    let value = program.value(program.root, input, &run) { parameters.value(ofParameter: $0) }
    run.settle()
    return run.outcome(value)
  }

  /// Equal when compiled from the same source in the same way.
  public static func == (left: Self, right: Self) -> Bool {
    left.program === right.program || (left.source == right.source && left.program.options == right.program.options)
  }

  /// Hashes the source that it was compiled from.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The outcome of an evaluation.
public struct LogicOutcome: Sendable, Hashable {
  /// The value; null when a bound was exceeded.
  public var value: Value
  /// The bound that was exceeded, when one was.
  public var exceeded: LogicBound?

  /// An outcome.
  public init(value: Value, exceeded: LogicBound? = nil) {
    self.value = value
    self.exceeded = exceeded
  }
}

/// The options of compiling an expression.
public struct LogicOptions: Sendable, Hashable {
  /// The version of `fractional`.
  public var fractional: FractionalVersion
  /// flagd's `$evaluators`, which `$ref` names.
  public var evaluators: ObjectValue
  /// True if `{parameter: key}` may be used.
  public var admitsParameters: Bool
  /// True if the words of checks may be used: `is_on`, `is_unlocked`, `is_listed`.
  public var admitsFacts = false
  /// True if the weights of `fractional` may come to more than Int32.max, as flagd admits them; a template that is pushed may not have such.
  public var admitsAnyWeights: Bool

  /// v3, no evaluators, parameters and any weights admitted.
  public init(
    fractional: FractionalVersion = .v3, evaluators: ObjectValue = ObjectValue(), admitsParameters: Bool = true,
    admitsAnyWeights: Bool = true
  ) {
    self.fractional = fractional
    self.evaluators = evaluators
    self.admitsParameters = admitsParameters
    self.admitsAnyWeights = admitsAnyWeights
  }
}

/// The inputs that an expression's answer can depend on.
public struct LogicDependencies: Sendable, Hashable {
  /// First path segments of the attributes it reads by name (`targetingKey` among them).
  public var attributes: Set<String> = []
  /// The whole paths of the attributes that it reads below their first segment, such as `details.mistakes`.
  public var paths: Set<String> = []
  /// The parameters it reads.
  public var parameters: Set<String> = []
  /// The flags that `is_on` names.
  public var flags: Set<String> = []
  /// The gates that `is_unlocked` names, each with the arguments that it is given.
  public var gates: [String: Set<String>] = [:]
  /// True if it reads the time (`$flagd.timestamp`, a progressive percentage).
  public var time = false
  /// True if it may read any attribute (a computed or empty `var`).
  public var wholeContext = false

  /// Depends on nothing.
  public init() {}

  /// Adds what another reads.
  public mutating func formUnion(_ other: LogicDependencies) {
    attributes.formUnion(other.attributes)
    paths.formUnion(other.paths)
    parameters.formUnion(other.parameters)
    flags.formUnion(other.flags)
    gates.merge(other.gates) { $0.union($1) }
    time = time || other.time
    wholeContext = wholeContext || other.wholeContext
  }
}

/// The input of an expression's evaluation.
public struct LogicInput {
  /// The caller's attributes, `targetingKey` among them.
  public var context: ObjectValue
  /// The answer of `$flagd.flagKey`, and the beginning of the implicit seed.
  public var flagKey: String
  /// The answer of `$flagd.timestamp` (whole seconds), and the time that is measured by.
  public var now: Instant
  /// The budget of the whole request; nil bounds each evaluation alone.
  public var budget: EvaluationBudget?
  /// The facts that the words of checks ask for; nil outside checks.
  var facts: (any LogicFacts)?

  /// An input.
  public init(context: ObjectValue, flagKey: String, now: Instant, budget: EvaluationBudget? = nil) {
    self.context = context
    self.flagKey = flagKey
    self.now = now
    self.budget = budget
  }

  /// The key for buckets: the context's `targetingKey` when it is a text that is not empty.
  public var targetingKey: String? {
    guard let at = context.position(of: "targetingKey"), case .string(let key) = context.members[at].value, !key.isEmpty else { return nil }
    return key
  }
}

/// Gives `{parameter: key}` its value for the same caller.
public protocol ParameterLookup {
  /// The parameter's value, or nil when there is none of that key.
  func value(ofParameter key: String) -> Value?
  /// True if the parameter's value is shown to its readers only: no report of an evaluation may quote it.
  func isSecret(parameter key: String) -> Bool
}

extension ParameterLookup {
  /// Nothing is secret where values are not a game's.
  public func isSecret(parameter key: String) -> Bool { false }
}

/// For expressions that read no parameters.
public struct NoParameters: ParameterLookup, Sendable {
  /// Knows none.
  public init() {}
  /// None.
  public func value(ofParameter key: String) -> Value? { nil }
}

/// The reason why an expression cannot be compiled.
public struct LogicFault: Error, Sendable, Hashable {
  /// JSON pointer into the expression's source.
  public var pointer: String
  /// The fault, and the state that would be right.
  public var message: String
  /// The shared evaluators that the fault stands in, outermost first; empty when it stands in the expression itself.
  public var evaluators: [String]

  /// A fault.
  public init(pointer: String, message: String, evaluators: [String] = []) {
    self.pointer = pointer
    self.message = message
    self.evaluators = evaluators
  }
}
