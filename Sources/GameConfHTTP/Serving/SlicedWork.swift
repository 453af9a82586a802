// The place of work that takes long: beside the event loops and beside the tasks that first reads of players need, users in turn.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfServer

/// Runs slices of long work on threads of their own, few at once, and lets users take turns.
///
/// A slice is a part of the work that takes some milliseconds. What is longer gives way after each, so that whoever asks for much waits for
/// whoever asks for little, and stops between two of them when nobody waits for its answer any more.
final class SlicedWork: Sendable {
  /// The most slices that run at once.
  static let slicesAtOnceMax = 2
  /// The most slices of one user may wait; one more is answered 429.
  static let waitingPerUserMax = 64
  /// The most slices that may wait in all.
  static let waitingMax = 1_024
  /// The time that a slice should take, for work that can be cut anywhere.
  static let sliceMilliseconds: Int64 = 5

  /// The most answers in many slices that are in the making at once: each holds what is made of it.
  static let answersAtOnceMax = 4

  private let slices = FairSemaphore(
    atOnceMax: slicesAtOnceMax, waitingPerUserMax: waitingPerUserMax, waitingMax: waitingMax)
  private let answers = FairSemaphore(atOnceMax: answersAtOnceMax)

  /// Runs a slice for a user when it is that user's turn.
  /// - Parameter isPatient: whether it waits in line however many wait already: for what is bounded otherwise.
  /// - Throws: what the slice throws; `RATE_LIMITED` when too many wait already.
  func slice<Made: Sendable>(
    for user: UInt32, isPatient: Bool = false, _ body: @escaping @Sendable () throws(Problem) -> Made
  ) async throws(Problem) -> Made {
    guard await slices.enter(user, isPatient: isPatient) else {
      throw Problem(.rateLimited, "Too many long requests of uid \(user) are waiting; try again in a second.")
    }
    defer { slices.leave() }
    let result: Result<Made, Problem>? = await BlockingExecutor.run {
      do throws(Problem) { return .success(try body()) } catch { return .failure(error) }
    }
    guard let result else { throw Problem(.stopping, "The daemon is stopping; try again.") }
    return try result.get()
  }

  /// Makes an answer in many slices, when the user's turn has come. Whoever waits for that holds a connection, and nothing else, so nobody is refused.
  /// - Parameter make: makes it, by patient slices.
  func answer<Made: Sendable>(
    for user: UInt32, _ make: () async throws(Problem) -> Made
  ) async throws(Problem) -> Made {
    _ = await answers.enter(user, isPatient: true)
    defer { answers.leave() }
    return try await make()
  }

  /// The number of slices that run.
  var running: Int { slices.running }

  /// The number of slices that wait.
  var waiting: Int { slices.waiting }

  /// The numbers of answers of many slices that are in the making, and that wait to be.
  var answersState: (made: Int, waiting: Int) { (answers.running, answers.waiting) }
}

/// Evaluations that are bounded as a whole: tried where others wait meanwhile, and if that does not do, once more beside them with more room.
enum BoundedEvaluation {
  /// The problem of a request that takes more than ``LogicLimits/requestStepsMax`` steps.
  static let tooLong = Problem(
    .evaluationTooLong,
    "The rules of the requested keys take more than \(LogicLimits.requestStepsMax) steps; request fewer keys, or send a smaller context."
  )

  /// The answer within that many steps; nil when they do not suffice, whatever came out.
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
  /// The answer with all the room that a request may have.
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
  /// The number of lines of an answer a task makes at once: more would keep the tasks of others, such as first reads of players, from the few threads
  /// that all tasks share.
  static let linesAtOnce = 64

  /// An answer of so many lines, with its tag.
  func lines<Body>(
    _ count: Int, for user: UInt32, _ make: @escaping @Sendable () throws(Problem) -> TypedAnswer<Body>
  ) async throws(Problem) -> TypedAnswer<Body> {
    guard count > Self.linesAtOnce else { return try make() }
    return try await slice(for: user, isPatient: true) { () throws(Problem) in
      var made = try make()
      if made.answer.entityTag == nil { made.answer.entityTag = EntityTag(of: made.answer.body) }
      return made
    }
  }
}
