// The public interface of JsonLogic expressions: compile once, evaluate many times.

/// A compiled JsonLogic expression with flagd's semantics.
///
/// For cases that the test suites of JsonLogic do not cover, it follows the evaluator of the OpenFeature project: an empty text is not a
/// number, a remainder has the sign of its divisor, and null compared with a text is the text `null`.
///
/// ```swift
/// let beta = try LogicExpression(compiling: ["in": [["var": "country"], ["SE", "NO"]]])
/// beta.holds(LogicInput(context: ["country": "SE"], flagKey: "beta", now: now), parameters: NoParameters())
/// ```
public struct LogicExpression: Sendable, Hashable {
  let program: LogicProgram

  /// The JSON source of the expression.
  public var source: Value { program.source }
  /// The inputs that the result may depend on.
  public var reads: LogicDependencies { program.reads }

  /// Compiles an expression.
  /// - Throws: ``LogicFault`` for an unknown operator, a wrong number of arguments or an exceeded limit.
  public init(compiling source: Value, options: LogicOptions = LogicOptions()) throws(LogicFault) {
    program = try LogicCompiler.program(of: source, options: options)
  }

  /// Evaluates to a value. It never throws: a custom operator returns null for invalid input, and so does an evaluation that exceeds a
  /// limit.
  public func evaluate(_ input: LogicInput, parameters: some ParameterLookup) -> Value {
    outcome(input, parameters: parameters).value
  }

  /// Evaluates to a value together with the limit that was exceeded, if any.
  public func outcome(_ input: LogicInput, parameters: some ParameterLookup) -> LogicOutcome {
    var run = LogicEvaluator(input.budget)
    let value = program.value(program.root, input, &run) { parameters.value(ofParameter: $0) }
    run.settle()
    return run.outcome(value)
  }

  /// True if the expression evaluates to a truthy value.
  public func holds(_ input: LogicInput, parameters: some ParameterLookup) -> Bool {
    var run = LogicEvaluator(input.budget)
    let truth = program.truth(program.root, input, &run) { parameters.value(ofParameter: $0) }
    run.settle()
    return truth && run.exceeded == nil
  }

  /// Evaluates with any value as data instead of the context, as JsonLogic itself does.
  public func outcome(data: Value, input: LogicInput, parameters: some ParameterLookup) -> LogicOutcome {
    var run = LogicEvaluator(input.budget)
    run.data = data
    let value = program.value(program.root, input, &run) { parameters.value(ofParameter: $0) }
    run.settle()
    return run.outcome(value)
  }

  /// True if both were compiled from the same source with the same options.
  public static func == (left: Self, right: Self) -> Bool {
    left.program === right.program || (left.source == right.source && left.program.options == right.program.options)
  }

  /// Hashes the source only, although `==` also compares the options.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The value of an evaluation, or the limit that it exceeded.
public struct LogicOutcome: Sendable, Hashable {
  /// The value; null if a limit was exceeded.
  public var value: Value
  /// The exceeded limit, in which case ``value`` is null; nil otherwise.
  public var exceeded: LogicBound?

  /// Creates a result, by default of an evaluation within its limits.
  public init(value: Value, exceeded: LogicBound? = nil) {
    self.value = value
    self.exceeded = exceeded
  }
}

/// The extensions of JsonLogic that an expression may use, and the version of `fractional`.
public struct LogicOptions: Sendable, Hashable {
  /// The version of the operator `fractional`.
  public var fractional: FractionalVersion
  /// The shared evaluators that `$ref` refers to, as in flagd's `$evaluators`.
  public var evaluators: ObjectValue
  /// True if the expression may contain `{parameter: key}`.
  public var admitsParameters: Bool
  /// True if the expression may contain the operators of event checks: `is_on`, `is_unlocked` and `is_listed`.
  public var admitsFacts = false
  /// True if the weights of `fractional` may add up to more than `Int32.max`, as flagd allows. Uploaded templates may not have such
  /// weights.
  public var admitsAnyWeights: Bool

  /// Creates options, by default of version v3 without shared evaluators and with all extensions.
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

/// The inputs that the result of an expression may depend on.
public struct LogicDependencies: Sendable, Hashable {
  /// The first path segments of the attributes that are read, `targetingKey` included.
  public var attributes: Set<String> = []
  /// The full paths of attributes that are read below their first segment, such as `details.mistakes`.
  public var paths: Set<String> = []
  /// The keys of the parameters that are read.
  public var parameters: Set<String> = []
  /// The keys of the flags that `is_on` reads.
  public var flags: Set<String> = []
  /// The ids of the gates that `is_unlocked` reads, each with the names of its arguments.
  public var gates: [String: Set<String>] = [:]
  /// True if the time is read, by `$flagd.timestamp` or a progressive percentage.
  public var time = false
  /// True if any attribute may be read, because a `var` is empty or computed.
  public var wholeContext = false

  /// Creates the dependencies of a constant expression.
  public init() {}

  /// Adds the dependencies of another expression.
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

/// The caller, the flag and the time that an evaluation reads.
public struct LogicInput {
  /// The caller's attributes, with `targetingKey` if there is a player.
  public var context: ObjectValue
  /// The value of `$flagd.flagKey`, which is also part of the implicit seed of `fractional`.
  public var flagKey: String
  /// The present; `$flagd.timestamp` is its value in whole seconds.
  public var now: Instant
  /// The budget of the whole request; nil limits each evaluation separately.
  public var budget: EvaluationBudget?
  /// The source of flags and gates for the operators of event checks. Nil outside event checks.
  var facts: (any LogicFacts)?

  /// Creates an input, by default without a shared budget.
  public init(context: ObjectValue, flagKey: String, now: Instant, budget: EvaluationBudget? = nil) {
    self.context = context
    self.flagKey = flagKey
    self.now = now
    self.budget = budget
  }

  /// The context's `targetingKey`, which buckets are hashed from; nil if it is missing, empty or not a text.
  public var targetingKey: String? {
    guard let at = context.position(of: "targetingKey"), case .string(let key) = context.members[at].value, !key.isEmpty else { return nil }
    return key
  }
}

/// A source of parameter values for `{parameter: key}`.
public protocol ParameterLookup {
  /// Returns the value of a parameter; nil if there is no parameter of this key.
  func value(ofParameter key: String) -> Value?
  /// True if only certain users may read the value, so that no trace of an evaluation may quote it.
  func isSecret(parameter key: String) -> Bool
}

extension ParameterLookup {
  /// By default no parameter is secret.
  public func isSecret(parameter key: String) -> Bool { false }
}

/// A lookup without parameters, for expressions that read none.
public struct NoParameters: ParameterLookup, Sendable {
  /// Creates an empty lookup.
  public init() {}
  /// Returns nil for every key.
  public func value(ofParameter key: String) -> Value? { nil }
}

/// The reason why an expression cannot be compiled.
public struct LogicFault: Error, Sendable, Hashable {
  /// A JSON pointer into the source of the expression.
  public var pointer: String
  /// A sentence that names the fault and the valid form.
  public var message: String
  /// The shared evaluators that contain the fault, outermost first; empty if it is in the expression itself.
  public var evaluators: [String]

  /// Creates a fault, by default in the expression itself.
  public init(pointer: String, message: String, evaluators: [String] = []) {
    self.pointer = pointer
    self.message = message
    self.evaluators = evaluators
  }
}
