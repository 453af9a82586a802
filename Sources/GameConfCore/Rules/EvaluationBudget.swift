// The evaluation budget of a request. Each expression has its own limit of steps, but a catalog may have millions of expressions.

internal import Synchronization

/// The number of steps that all evaluations of one request may take together.
///
/// An evaluation that runs out of steps has no value, as if its condition were false. The caller checks ``isExceeded`` afterwards and then
/// rejects the whole request, because a rule that was cut short may have selected a wrong value.
///
/// ```swift
/// caller.budget = EvaluationBudget(steps: LogicLimits.requestStepsMax)
/// let answer = table.resolve("lives", for: caller)
/// if caller.budget?.isExceeded == true { … }
/// ```
public final class EvaluationBudget: Sendable {
  private let steps: Atomic<Int>

  /// Creates a budget of this many steps, usually ``LogicLimits/requestStepsMax`` or, on an event loop, ``LogicLimits/loopStepsMax``.
  public init(steps: Int) { self.steps = Atomic(steps) }

  /// True if an evaluation of the request needed more steps than were left.
  public var isExceeded: Bool { steps.load(ordering: .relaxed) < 0 }

  var left: Int { max(0, steps.load(ordering: .relaxed)) }

  func spend(_ count: Int) { steps.subtract(count, ordering: .relaxed) }

  /// Marks the budget as exceeded, because an evaluation stopped at its limit.
  func exceed() { steps.store(-1, ordering: .relaxed) }
}
