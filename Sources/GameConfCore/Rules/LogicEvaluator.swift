// The mutable state of evaluating one expression: the remaining steps, the data that `var` reads, and the recorder of a trace.

/// Returns the value of the parameter that a `{parameter: key}` reference names; nil if there is no such parameter.
typealias ParameterReader = (String) -> Value?

/// The mutable state of evaluating one expression.
struct LogicEvaluator {
  /// The number of steps that the evaluation may still take before it stops.
  private(set) var stepsLeft = LogicLimits.evaluationStepsMax
  /// The budget that all evaluations of the request share; nil limits this evaluation only by its own limit.
  private let budget: EvaluationBudget?
  /// Two counts of steps as of the last ``settle()`` or ``borrow()``: the steps left of the evaluation's own limit, and the steps borrowed
  /// from the request's budget that were not used yet.
  private var (own, lent) = (LogicLimits.evaluationStepsMax, LogicLimits.evaluationStepsMax)
  /// The limit that was exceeded first; nil while the evaluation is within its limits. After that, every value is null.
  var exceeded: LogicBound?
  /// The data that `var` reads instead of the caller's context; nil for the context.
  var data: Value?
  /// The data that `var` reads at the present node of the expression.
  var scope = VariableData()
  var recorder: LogicRecorder?

  /// The data that `var` reads: the caller's context, or an element of a list.
  struct VariableData {
    /// True if `var` reads the caller's context.
    var isContext = true
    /// The list element that `map`, `filter`, `all`, `some`, `none` or `reduce` visits at present.
    var element: Value = .null
    /// The intermediate result of `reduce`; nil outside of its body.
    var accumulator: Value?
  }

  /// Starts an evaluation, and borrows steps for it from the request's budget if there is one.
  init(_ budget: EvaluationBudget?) {
    self.budget = budget
    if budget != nil { borrow() }
  }

  /// Deducts from the request's budget the steps that this evaluation has taken. It is called at the end, and before another evaluation
  /// takes steps from the same budget.
  mutating func settle() {
    guard let budget else { return }
    let taken = lent - max(0, stepsLeft)
    own -= taken
    budget.spend(taken)
    if exceeded == .evaluationSteps, own > 0 { budget.exceed() }
    lent = max(0, stepsLeft)
  }

  /// Borrows as many steps from the request's budget as both the budget and the evaluation's own limit allow.
  mutating func borrow() {
    guard let budget, exceeded == nil else { return }
    lent = min(own, budget.left)
    stepsLeft = lent
  }

  /// Makes a list element the data that `var` reads, with the accumulator if the operator is `reduce`.
  @inline(__always)
  mutating func enter(_ element: Value, accumulator: Value? = nil) {
    scope = VariableData(isContext: false, element: element, accumulator: accumulator)
  }

  /// Counts steps of the evaluation against its limit.
  /// - Returns: False if the limit is exceeded, so that the evaluation must stop.
  @inline(__always)
  mutating func spend(_ steps: Int = 1) -> Bool {
    stepsLeft &-= steps
    if stepsLeft >= 0 { return true }
    return exhaust()
  }

  /// Counts one step for each 32 bytes of a text that is scanned.
  @inline(__always)
  mutating func spend(bytes: Int) -> Bool { spend(bytes >> 5) }

  @inline(never)
  private mutating func exhaust() -> Bool {
    exceed(.evaluationSteps)
    return false
  }

  /// Stops the evaluation because it exceeded a limit.
  mutating func exceed(_ bound: LogicBound) {
    if exceeded == nil {
      exceeded = bound
      settle()
      lent = 0
    }
    stepsLeft = -1
  }

  /// Counts a step for every part of a value. Otherwise a few steps could build nested lists of exponential size, because lists share their
  /// elements.
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

  /// Returns a list that an operator produced; null if the list or its nested values exceed a limit.
  mutating func list(_ elements: [Value]) -> Value {
    guard elements.count <= LogicLimits.producedListCountMax else {
      exceed(.producedList)
      return .null
    }
    for element in elements where !spend(for: element) { return .null }
    return .list(elements)
  }

  /// Returns the result of the evaluation, with NaN and infinities replaced by null. If a limit was exceeded, the value is null.
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
