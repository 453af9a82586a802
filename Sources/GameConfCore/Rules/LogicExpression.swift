// STUB of the contract; the rules work replaces this file.

/// A JsonLogic expression as flagd understands it, compiled once.
public struct LogicExpression: Sendable, Hashable {
  /// What it was compiled from, as JSON.
  public let source: Value
  /// What its answer can depend on.
  public let reads: LogicReads

  /// Compiles an expression.
  /// - Throws: ``LogicFault`` with a JSON pointer into `source`: an unknown operator, a wrong count of arguments, a bound exceeded.
  public init(compiling source: Value, options: LogicOptions = LogicOptions()) throws(LogicFault) {
    self.source = source
    self.reads = LogicReads()
  }

  /// Evaluates to a value; never throws: custom operators give null on bad input.
  public func evaluate(_ input: LogicInput, parameters: some ParameterLookup) -> Value { .null }

  public static func == (left: Self, right: Self) -> Bool { left.source == right.source }
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// How an expression is compiled.
public struct LogicOptions: Sendable {
  /// Which `fractional` is meant.
  public var fractional: FractionalVersion
  /// flagd's `$evaluators`, which `$ref` names.
  public var evaluators: ObjectValue
  /// Whether `{parameter: key}` may be used.
  public var admitsParameters: Bool

  /// v3, no evaluators, parameters admitted.
  public init(fractional: FractionalVersion = .v3, evaluators: ObjectValue = ObjectValue(), admitsParameters: Bool = true) {
    self.fractional = fractional
    self.evaluators = evaluators
    self.admitsParameters = admitsParameters
  }
}

/// What an expression's answer can depend on.
public struct LogicReads: Sendable, Hashable {
  /// First path segments of the attributes it reads by name (`targetingKey` among them).
  public var attributes: Set<String> = []
  /// The parameters it reads.
  public var parameters: Set<String> = []
  /// Whether it reads the time (`$flagd.timestamp`, a progressive percentage).
  public var time = false
  /// Whether it may read any attribute (a computed or empty `var`).
  public var wholeContext = false

  /// Depends on nothing.
  public init() {}
}

/// What an expression is evaluated against.
public struct LogicInput: Sendable {
  /// The caller's attributes, `targetingKey` among them.
  public var context: ObjectValue
  /// What `$flagd.flagKey` answers and the implicit seed begins with.
  public var flagKey: String
  /// What `$flagd.timestamp` answers (whole seconds) and time is measured by.
  public var now: Instant

  /// An input.
  public init(context: ObjectValue, flagKey: String, now: Instant) {
    self.context = context
    self.flagKey = flagKey
    self.now = now
  }
}

/// Gives `{parameter: key}` its value for the same caller.
public protocol ParameterLookup {
  /// The parameter's value, or nil when there is none of that key.
  func value(ofParameter key: String) -> Value?
}

/// Why an expression cannot be compiled.
public struct LogicFault: Error, Sendable, Hashable {
  /// JSON pointer into the expression's source.
  public var pointer: String
  /// What is wrong and what would be right.
  public var message: String

  /// A fault.
  public init(pointer: String, message: String) {
    self.pointer = pointer
    self.message = message
  }
}
