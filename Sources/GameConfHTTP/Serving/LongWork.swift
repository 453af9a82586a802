// Where what takes long is done: beside the event loops and beside the tasks that first reads of players need, users in turn.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfServer
internal import Synchronization

/// Runs slices of long work on threads of their own, few at once, and lets users take turns.
///
/// A slice is a part of the work that takes some milliseconds. What is longer gives way after each, so that whoever asks for much waits for
/// whoever asks for little, and stops between two of them when nobody waits for its answer any more.
final class LongWork: Sendable {
  /// How many slices run at once.
  static let slicesAtOnceMax = 2
  /// How many slices of one user may wait; one more is answered 429.
  static let waitingPerUserMax = 64
  /// How many slices may wait in all.
  static let waitingMax = 1_024
  /// How long a slice should take, for work that can be cut anywhere.
  static let sliceMilliseconds: Int64 = 5

  private struct State {
    var running = 0
    var waiting: [UInt32: [CheckedContinuation<Bool, Never>]] = [:]
    /// The users that wait, in the order of their turns.
    var turns: [UInt32] = []
    var waitingCount = 0
  }

  private let state = Mutex(State())

  /// Runs a slice for a user when it is that user's turn.
  /// - Throws: what the slice throws; `RATE_LIMITED` when too many wait already.
  func slice<Made: Sendable>(for user: UInt32, _ body: @escaping @Sendable () throws(Problem) -> Made) async throws(Problem) -> Made {
    guard await turn(of: user) else {
      throw Problem(.rateLimited, "Too much long work of uid \(user) is waiting; try again in a second.", retryAfterSeconds: 1)
    }
    defer { pass() }
    let result: Result<Made, Problem>? = await BesideLoops.run {
      do throws(Problem) { return .success(try body()) } catch { return .failure(error) }
    }
    guard let result else { throw Problem(.stopping, "The daemon is stopping; ask again.") }
    return try result.get()
  }

  /// How many slices run.
  var running: Int { state.withLock { $0.running } }

  /// How many wait.
  var waiting: Int { state.withLock { $0.waitingCount } }

  /// Waits for a turn; false when too many do.
  private func turn(of user: UInt32) async -> Bool {
    await withCheckedContinuation { waiter in
      let answer: Bool? = state.withLock { state in
        if state.running < Self.slicesAtOnceMax {
          state.running += 1
          return true
        }
        let own = state.waiting[user]?.count ?? 0
        if own >= Self.waitingPerUserMax || state.waitingCount >= Self.waitingMax { return false }
        if own == 0 { state.turns.append(user) }
        state.waiting[user, default: []].append(waiter)
        state.waitingCount += 1
        return nil
      }
      if let answer { waiter.resume(returning: answer) }
    }
  }

  /// Gives the turn to the next user who waits.
  private func pass() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard !state.turns.isEmpty else {
        state.running -= 1
        return nil
      }
      let user = state.turns.removeFirst()
      guard var queue = state.waiting[user] else { return nil }
      let first = queue.removeFirst()
      state.waiting[user] = queue.isEmpty ? nil : queue
      if !queue.isEmpty { state.turns.append(user) }
      state.waitingCount -= 1
      return first
    }
    next?.resume(returning: true)
  }
}

/// Evaluations that are bounded as a whole: tried where others wait meanwhile, and if that does not do, once more beside them with more room.
enum BoundedEvaluation {
  /// What a caller is told whose request takes more than ``LogicLimits/requestStepsMax`` steps.
  static let tooLong = Problem(
    .evaluationTooLong,
    "The rules that the request asks for take more than \(LogicLimits.requestStepsMax) steps; ask for fewer keys, or with a smaller context."
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

extension LongWork {
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
