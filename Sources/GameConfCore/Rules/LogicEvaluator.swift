// The moving part of one evaluation: the steps left, what `var` reads inside lists, and the trace when one is kept.

/// Gives `{parameter: key}` its value.
typealias ParameterReader = (String) -> Value?

/// The state of one evaluation.
struct LogicEvaluator {
  /// Steps that may still be taken.
  private(set) var stepsLeft = LogicLimits.evaluationStepsMax
  /// The budget of the whole request; nil bounds the evaluation alone.
  private let budget: EvaluationBudget?
  /// The steps that were left of the evaluation's own, and those of them that it might take, when it last settled with the budget.
  private var (own, lent) = (LogicLimits.evaluationStepsMax, LogicLimits.evaluationStepsMax)
  /// The first bound that was exceeded; everything is null from then on.
  var exceeded: LogicBound?
  /// Stands in for the context, when set.
  var data: Value?
  /// The data that `var` reads where the evaluation stands.
  var scope = Scope()
  /// Keeps what happens, for explanations.
  var recorder: LogicRecorder?

  /// The data that `var` reads: the context, or something of a list.
  struct Scope {
    /// True if it reads the context.
    var isContext = true
    /// The element that `map`, `filter`, `all`, `some`, `none` and `reduce` are at.
    var element: Value = .null
    /// The value so far inside `reduce`; nil outside of it.
    var accumulator: Value?
  }

  /// A run within a budget.
  init(_ budget: EvaluationBudget?) {
    self.budget = budget
    if budget != nil { borrow() }
  }

  /// Charges the budget with the steps that were taken: at the end, and before others take some from it.
  mutating func settle() {
    guard let budget else { return }
    let taken = lent - max(0, stepsLeft)
    own -= taken
    budget.spend(taken)
    if exceeded == .evaluationSteps, own > 0 { budget.exceed() }
    lent = max(0, stepsLeft)
  }

  /// Takes what the evaluation may have of the budget as it is now.
  mutating func borrow() {
    guard let budget, exceeded == nil else { return }
    lent = min(own, budget.left)
    stepsLeft = lent
  }

  /// Reads an element from now on.
  @inline(__always)
  mutating func enter(_ element: Value, accumulator: Value? = nil) {
    scope = Scope(isContext: false, element: element, accumulator: accumulator)
  }

  /// Takes steps.
  /// - Returns: whether the evaluation may go on.
  @inline(__always)
  mutating func spend(_ steps: Int = 1) -> Bool {
    stepsLeft &-= steps
    if stepsLeft >= 0 { return true }
    return exhaust()
  }

  /// Takes the steps of going through a text.
  @inline(__always)
  mutating func spend(bytes: Int) -> Bool { spend(bytes >> 5) }

  @inline(never)
  private mutating func exhaust() -> Bool {
    exceed(.evaluationSteps)
    return false
  }

  /// Ends the evaluation at a bound.
  mutating func exceed(_ bound: LogicBound) {
    if exceeded == nil {
      exceeded = bound
      settle()
      lent = 0
    }
    stepsLeft = -1
  }

  /// Takes a step for everything a value is made of, so that no list grows by sharing what it holds.
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

  /// A list of what an operator produced; null when it is too long.
  mutating func list(_ elements: [Value]) -> Value {
    guard elements.count <= LogicLimits.producedListCountMax else {
      exceed(.producedList)
      return .null
    }
    for element in elements where !spend(for: element) { return .null }
    return .list(elements)
  }

  /// The outcome of the evaluation: finite numbers only, null when a bound was exceeded.
  func outcome(_ value: Value) -> LogicOutcome {
    exceeded == nil ? LogicOutcome(value: Self.finite(value)) : LogicOutcome(value: .null, exceeded: exceeded)
  }

  /// The value with NaN and infinities replaced by null.
  private static func finite(_ value: Value) -> Value {
    switch value {
    case .double(let number): number.isFinite ? value : .null
    case .list(let elements): .list(elements.map(finite))
    default: value
    }
  }
}
