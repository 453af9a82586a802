// The mutable state of one evaluation: the remaining steps, the scope of `var`, and the recorder of a trace.

/// Returns the value of a `{parameter: key}` reference.
typealias ParameterReader = (String) -> Value?

/// The mutable state of one evaluation.
struct LogicEvaluator {
  /// The number of steps that the evaluation may still take.
  private(set) var stepsLeft = LogicLimits.evaluationStepsMax
  /// The budget of the whole request; nil limits this evaluation only.
  private let budget: EvaluationBudget?
  /// The remaining steps of the evaluation's own limit, and how many of them it had borrowed from the budget, both as of the last
  /// ``settle()``.
  private var (own, lent) = (LogicLimits.evaluationStepsMax, LogicLimits.evaluationStepsMax)
  /// The limit that was exceeded first. From then on every value is null.
  var exceeded: LogicBound?
  /// The data that replaces the context, if any.
  var data: Value?
  /// The data that `var` reads at the present node.
  var scope = VariableData()
  var recorder: LogicRecorder?

  /// The data that `var` reads: the context, or an element of a list.
  struct VariableData {
    /// True if `var` reads the context.
    var isContext = true
    /// The present element of `map`, `filter`, `all`, `some`, `none` or `reduce`.
    var element: Value = .null
    /// The intermediate result of `reduce`; nil outside of it.
    var accumulator: Value?
  }

  /// Starts an evaluation and borrows its steps from the budget, if there is one.
  init(_ budget: EvaluationBudget?) {
    self.budget = budget
    if budget != nil { borrow() }
  }

  /// Subtracts the steps that were taken from the budget. Called at the end, and before another evaluation uses the same budget.
  mutating func settle() {
    guard let budget else { return }
    let taken = lent - max(0, stepsLeft)
    own -= taken
    budget.spend(taken)
    if exceeded == .evaluationSteps, own > 0 { budget.exceed() }
    lent = max(0, stepsLeft)
  }

  /// Borrows as many steps from the budget as both the budget and the evaluation's own limit allow.
  mutating func borrow() {
    guard let budget, exceeded == nil else { return }
    lent = min(own, budget.left)
    stepsLeft = lent
  }

  /// Makes a list element the data that `var` reads.
  @inline(__always)
  mutating func enter(_ element: Value, accumulator: Value? = nil) {
    scope = VariableData(isContext: false, element: element, accumulator: accumulator)
  }

  /// Takes steps.
  /// - Returns: False if the limit is exceeded, so that the evaluation must stop.
  @inline(__always)
  mutating func spend(_ steps: Int = 1) -> Bool {
    stepsLeft &-= steps
    if stepsLeft >= 0 { return true }
    return exhaust()
  }

  /// Takes one step for each 32 bytes of a text that is scanned.
  @inline(__always)
  mutating func spend(bytes: Int) -> Bool { spend(bytes >> 5) }

  @inline(never)
  private mutating func exhaust() -> Bool {
    exceed(.evaluationSteps)
    return false
  }

  /// Stops the evaluation because of a limit.
  mutating func exceed(_ bound: LogicBound) {
    if exceeded == nil {
      exceeded = bound
      settle()
      lent = 0
    }
    stepsLeft = -1
  }

  /// Takes a step for every part of a value. Otherwise nested lists that share their elements could grow exponentially for few steps.
  mutating func spend(for value: Value) -> Bool {
    guard spend() else { return false }
    switch value {
    case .list(let elements):
      for element in elements where !spend(for: element) { return false }
    case .object(let object):
      for member in object.members where !spend(for: member.value) { return false }
    default: break
    }
    return true
  }

  /// Returns a list that an operator produced; null if it is too long.
  mutating func list(_ elements: [Value]) -> Value {
    guard elements.count <= LogicLimits.producedListCountMax else {
      exceed(.producedList)
      return .null
    }
    for element in elements where !spend(for: element) { return .null }
    return .list(elements)
  }

  /// Returns the result of the evaluation, with non-finite numbers replaced by null; null if a limit was exceeded.
  func outcome(_ value: Value) -> LogicOutcome {
    exceeded == nil ? LogicOutcome(value: Self.finite(value)) : LogicOutcome(value: .null, exceeded: exceeded)
  }

  /// Returns the value with NaN and infinities replaced by null.
  private static func finite(_ value: Value) -> Value {
    switch value {
    case .double(let number): number.isFinite ? value : .null
    case .list(let elements): .list(elements.map(finite))
    default: value
    }
  }
}
