// The public interface of JsonLogic expressions, which are compiled once and evaluated many times.

/// A compiled JsonLogic expression with flagd's semantics.
///
/// For cases that the test suites of JsonLogic do not cover, an expression follows the evaluator of the OpenFeature project. An empty text
/// is not a number, and a remainder has the sign of its divisor. Null compared with a text is the text `null`.
///
/// ```swift
/// let beta = try LogicExpression(compiling: ["in": [["var": "country"], ["SE", "NO"]]])
/// beta.holds(LogicInput(context: ["country": "SE"], flagKey: "beta", now: now), parameters: NoParameters())
/// ```
public struct LogicExpression: Sendable, Hashable {
  let program: LogicProgram

  /// The JSON source of the expression.
  public var source: Value { program.source }
  /// The attributes, parameters and time that the expression's result may depend on.
  public var reads: LogicDependencies { program.reads }

  /// Compiles an expression from its JSON source.
  /// - Throws: ``LogicFault`` for an unknown operator, a wrong number of arguments or an exceeded limit.
  public init(compiling source: Value, options: LogicOptions = LogicOptions()) throws(LogicFault) {
    program = try LogicCompiler.program(of: source, options: options)
  }

  /// Evaluates the expression for one input, without ever throwing. The value is null if the evaluation exceeds a limit. An operator of
  /// flagd, such as `sem_ver`, returns null for an operand of a wrong type.
  public func evaluate(_ input: LogicInput, parameters: some ParameterLookup) -> Value {
    outcome(input, parameters: parameters).value
  }

  /// Evaluates the expression for one input. The result has the value, and the limit if the evaluation exceeded one.
  public func outcome(_ input: LogicInput, parameters: some ParameterLookup) -> LogicOutcome {
    var run = LogicEvaluator(input.budget)
    let value = program.value(program.root, input, &run) { parameters.value(ofParameter: $0) }
    run.settle()
    return run.outcome(value)
  }

  /// True if the value of the expression is truthy for an input. False if the evaluation exceeds a limit.
  public func holds(_ input: LogicInput, parameters: some ParameterLookup) -> Bool {
    var run = LogicEvaluator(input.budget)
    let truth = program.truth(program.root, input, &run) { parameters.value(ofParameter: $0) }
    run.settle()
    return truth && run.exceeded == nil
  }

  /// Evaluates the expression as JsonLogic itself does: `var` reads `data`, which may be any value, instead of the caller's context.
  public func outcome(data: Value, input: LogicInput, parameters: some ParameterLookup) -> LogicOutcome {
    var run = LogicEvaluator(input.budget)
    run.data = data
    let value = program.value(program.root, input, &run) { parameters.value(ofParameter: $0) }
    run.settle()
    return run.outcome(value)
  }

  /// True if both expressions were compiled from the same source with the same options.
  public static func == (left: Self, right: Self) -> Bool {
    left.program === right.program || (left.source == right.source && left.program.options == right.program.options)
  }

  /// Hashes the source only, although `==` also compares the options.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The value that an evaluation returns, or the limit that the evaluation exceeded.
public struct LogicOutcome: Sendable, Hashable {
  /// The value of the expression; null if a limit was exceeded.
  public var value: Value
  /// The limit that the evaluation exceeded; nil if it stayed within its limits.
  public var exceeded: LogicBound?

  /// Creates the result of an evaluation, by default of one within its limits.
  public init(value: Value, exceeded: LogicBound? = nil) {
    self.value = value
    self.exceeded = exceeded
  }
}

/// The extensions of JsonLogic that an expression may use, and the version of the operator `fractional`.
public struct LogicOptions: Sendable, Hashable {
  /// The version of the operator `fractional`, which determines how it hashes.
  public var fractional: FractionalVersion
  /// The shared evaluators by name, to which `$ref` refers, as in flagd's `$evaluators`.
  public var evaluators: ObjectValue
  /// True if the expression may contain `{parameter: key}`.
  public var admitsParameters: Bool
  /// True if the expression may contain the operators of event checks: `is_on`, `is_unlocked` and `is_listed`.
  public var admitsFacts = false
  /// True if the weights of `fractional` may add up to more than `Int32.max`, as flagd allows. An uploaded template may not have such
  /// weights.
  public var admitsAnyWeights: Bool

  /// Creates options, by default with version v3 of `fractional`, parameters and any weights, but without shared evaluators.
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

/// The data that the result of an expression may depend on.
public struct LogicDependencies: Sendable, Hashable {
  /// The names of the context attributes that are read, `targetingKey` included. Of a path such as `details.mistakes` it is the first
  /// segment.
  public var attributes: Set<String> = []
  /// The paths of the values that are read inside attributes, such as `details.mistakes`.
  public var paths: Set<String> = []
  /// The keys of the parameters that the expression reads.
  public var parameters: Set<String> = []
  /// The keys of the flags that the operator `is_on` reads.
  public var flags: Set<String> = []
  /// The names of the arguments with which the operator `is_unlocked` reads each gate, by the gate's id.
  public var gates: [String: Set<String>] = [:]
  /// True if the result depends on the time, for example by `$flagd.timestamp`, a daily hash or a percentage that changes over time.
  public var time = false
  /// True if any attribute may be read, because a `var` has no name or a computed one.
  public var wholeContext = false

  /// Creates the dependencies of an expression that reads nothing.
  public init() {}

  /// Adds the data that another expression depends on.
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

/// The caller's attributes, the flag's key and the time that an evaluation reads.
public struct LogicInput {
  /// The caller's attributes, with the player's id as `targetingKey` if there is a player.
  public var context: ObjectValue
  /// The key of the evaluated flag: the value of `$flagd.flagKey`. If `fractional` has no value to hash, it hashes this key with the
  /// `targetingKey`.
  public var flagKey: String
  /// The present. `$flagd.timestamp` is this instant in whole seconds since 1970.
  public var now: Instant
  /// The evaluation budget that all evaluations of the request share; nil limits each evaluation separately.
  public var budget: EvaluationBudget?
  /// The source of flags and gates for the operators of event checks; nil outside of event checks.
  var facts: (any FlagAndGateLookup)?

  /// Creates an input, by default without a budget that other evaluations share.
  public init(context: ObjectValue, flagKey: String, now: Instant, budget: EvaluationBudget? = nil) {
    self.context = context
    self.flagKey = flagKey
    self.now = now
    self.budget = budget
  }

  /// The context's `targetingKey`, from which a player's bucket is hashed; nil if it is missing, empty or not a text.
  public var targetingKey: String? {
    guard let at = context.position(of: "targetingKey"), case .string(let key) = context.members[at].value, !key.isEmpty else { return nil }
    return key
  }
}

/// A source of the parameter values to which `{parameter: key}` refers.
public protocol ParameterLookup {
  /// Returns the value of a parameter; nil if there is no parameter with this key.
  func value(ofParameter key: String) -> Value?
  /// True if only certain users may read the parameter's value, so that no trace of an evaluation may quote it.
  func isSecret(parameter key: String) -> Bool
}

extension ParameterLookup {
  /// Returns false: by default no parameter is secret.
  public func isSecret(parameter key: String) -> Bool { false }
}

/// A lookup without parameters, for expressions that read no parameters.
public struct NoParameters: ParameterLookup, Sendable {
  /// Creates a lookup that has no values.
  public init() {}
  /// Returns nil for every key.
  public func value(ofParameter key: String) -> Value? { nil }
}

/// The error for an expression that cannot be compiled.
public struct LogicFault: Error, Sendable, Hashable {
  /// The JSON pointer to the faulty part, in the source of the expression.
  public var pointer: String
  /// A sentence that names the fault and the valid form, for people.
  public var message: String
  /// The names of the shared evaluators that contain the fault, outermost first; empty if the fault is in the expression itself.
  public var evaluators: [String]

  /// Creates a fault, by default one in the expression itself and not in a shared evaluator.
  public init(pointer: String, message: String, evaluators: [String] = []) {
    self.pointer = pointer
    self.message = message
    self.evaluators = evaluators
  }
}
