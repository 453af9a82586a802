// The budget of the expressions of one request together: each is bounded by itself, and a catalog may have millions of them.

internal import Synchronization

/// The steps that the evaluations of one request may still take.
///
/// An evaluation that runs out counts as not fulfilled, like one that exceeds its own bound. Whoever asked looks at ``isExceeded`` at the end,
/// and has no answer then: what a rule cut short says is nobody's value.
///
/// ```swift
/// caller.budget = EvaluationBudget(steps: LogicLimits.requestStepsMax)
/// let answer = table.resolve("lives", for: caller)
/// if caller.budget?.isExceeded == true { … }
/// ```
public final class EvaluationBudget: Sendable {
  private let steps: Atomic<Int>

  /// A budget of that many steps.
  public init(steps: Int) { self.steps = Atomic(steps) }

  /// True if more would have been needed.
  public var isExceeded: Bool { steps.load(ordering: .relaxed) < 0 }

  /// The steps that are left.
  var left: Int { max(0, steps.load(ordering: .relaxed)) }

  /// Takes steps that were made.
  func spend(_ count: Int) { steps.subtract(count, ordering: .relaxed) }

  /// Notes that an evaluation was cut short.
  func exceed() { steps.store(-1, ordering: .relaxed) }
}
