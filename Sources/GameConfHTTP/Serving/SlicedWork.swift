// Runs long work in slices on separate threads, fair among users, so that it delays neither event loops nor tasks.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfServer

/// Runs slices of long work on a few threads, round-robin by user.
///
/// A slice takes some milliseconds. Longer work yields after each slice, so that one user's large request does not delay another's small
/// one. Work whose client has disconnected ends between two slices.
final class SlicedWork: Sendable {
  /// The maximum number of slices of all users that run at the same time.
  static let slicesAtOnceMax = 2
  /// The maximum number of one user's waiting slices. The daemon answers a further request with status 429.
  static let waitingPerUserMax = 64
  /// The maximum number of all users' waiting slices.
  static let waitingMax = 1_024
  /// The intended duration of a slice, for work that can be divided anywhere.
  static let sliceMilliseconds: Int64 = 5

  /// The maximum number of answers that are computed in slices at the same time, because each has its partial result in memory.
  static let answersAtOnceMax = 4

  private let slices = FairSemaphore(
    atOnceMax: slicesAtOnceMax, waitingPerUserMax: waitingPerUserMax, waitingMax: waitingMax)
  private let answers = FairSemaphore(atOnceMax: answersAtOnceMax)

  /// Runs one slice of work on another thread. Waiting slices are run in round-robin order by user.
  /// - Parameter ignoresLimit: True to wait regardless of the number of waiting slices, for work that has another limit.
  /// - Throws: The error of the slice; `RATE_LIMITED` if too many slices wait.
  func slice<Made: Sendable>(
    for user: UInt32, ignoresLimit: Bool = false, _ body: @escaping @Sendable () throws(Problem) -> Made
  ) async throws(Problem) -> Made {
    guard await slices.enter(user, ignoresLimit: ignoresLimit) else {
      throw Problem(.rateLimited, "Too many long requests of uid \(user) are waiting; try again in a second.")
    }
    defer { slices.leave() }
    let result: Result<Made, Problem>? = await BlockingExecutor.run {
      do throws(Problem) { return .success(try body()) } catch { return .failure(error) }
    }
    guard let result else { throw Problem(.stopping, "The daemon is stopping; try again.") }
    return try result.get()
  }

  /// Computes an answer in many slices. The computation is never refused: a waiting answer occupies only its connection, and connections
  /// have a limit.
  /// - Parameter make: Computes the answer. Its slices must ignore the limit of waiting slices.
  func answer<Made: Sendable>(
    for user: UInt32, _ make: () async throws(Problem) -> Made
  ) async throws(Problem) -> Made {
    _ = await answers.enter(user, ignoresLimit: true)
    defer { answers.leave() }
    return try await make()
  }

  var running: Int { slices.running }

  var waiting: Int { slices.waiting }

  /// The number of answers that are being computed in slices, and the number of answers whose computation has not begun.
  var answersState: (made: Int, waiting: Int) { (answers.running, answers.waiting) }
}

/// Evaluation with a limit of steps: first a small limit on the event loop or in a task, then the full limit on another thread.
enum BoundedEvaluation {
  /// The problem of a request that takes more than ``LogicLimits/requestStepsMax`` steps.
  static let tooLong = Problem(
    .evaluationTooLong,
    "The rules of the requested keys take more than \(LogicLimits.requestStepsMax) steps; request fewer keys, or send a smaller context."
  )

  /// Returns the answer if its evaluation takes at most this many steps; nil otherwise.
  static func within<Made>(_ steps: Int, _ body: (EvaluationBudget) throws(Problem) -> Made) throws(Problem) -> Made? {
    let budget = EvaluationBudget(steps: steps)
    do throws(Problem) {
      let made = try body(budget)
      return budget.isExceeded ? nil : made
    } catch {
      if budget.isExceeded { return nil }
      throw error
    }
  }
}

extension SlicedWork {
  /// Returns an answer that is evaluated with the full limit of steps, on another thread.
  func evaluation<Made: Sendable>(
    for user: UInt32, _ body: @escaping @Sendable (EvaluationBudget) throws(Problem) -> Made
  ) async throws(Problem) -> Made {
    try await slice(for: user) { () throws(Problem) in
      guard let made = try BoundedEvaluation.within(LogicLimits.requestStepsMax, body) else { throw BoundedEvaluation.tooLong }
      return made
    }
  }
}

extension SlicedWork {
  /// The maximum number of lines that a task writes without another thread. More would block one of the few threads that all tasks share.
  static let linesAtOnce = 64

  /// Returns an answer with this many lines. If they are many, the answer and its ETag are computed in a slice on another thread.
  func lines<Body>(
    _ count: Int, for user: UInt32, _ make: @escaping @Sendable () throws(Problem) -> TypedAnswer<Body>
  ) async throws(Problem) -> TypedAnswer<Body> {
    guard count > Self.linesAtOnce else { return try make() }
    return try await slice(for: user, ignoresLimit: true) { () throws(Problem) in
      var made = try make()
      if made.answer.entityTag == nil { made.answer.entityTag = EntityTag(of: made.answer.body) }
      return made
    }
  }
}
