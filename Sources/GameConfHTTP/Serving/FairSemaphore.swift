// A counting semaphore that is fair among users.

internal import GameConfServer
internal import Synchronization

/// A counting semaphore. Callers that wait are served round-robin by user.
final class FairSemaphore: Sendable {
  private struct State {
    var running = 0
    var waiting = FairQueue<UInt32, CheckedContinuation<Bool, Never>>()
  }

  private let atOnceMax: Int
  private let waitingPerUserMax: Int
  private let waitingMax: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - waitingPerUserMax: The maximum number of one user's waiting callers. Callers that ignore the limit may wait beyond it.
  ///   - waitingMax: The maximum number of all waiting callers. Callers that ignore the limit may wait beyond it.
  init(atOnceMax: Int, waitingPerUserMax: Int = .max, waitingMax: Int = .max) {
    self.atOnceMax = atOnceMax
    self.waitingPerUserMax = waitingPerUserMax
    self.waitingMax = waitingMax
  }

  var running: Int { state.withLock { $0.running } }

  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Waits until the semaphore admits the caller, who must call ``leave()`` afterwards. Returns false if too many callers wait already.
  /// - Parameter ignoresLimit: True to wait regardless of the number of waiting callers.
  func enter(_ user: UInt32, ignoresLimit: Bool = false) async -> Bool {
    await withCheckedContinuation { waiter in
      let answer: Bool? = state.withLock { state in
        if state.running < atOnceMax {
          state.running += 1
          return true
        }
        if !ignoresLimit, state.waiting.count(of: user) >= waitingPerUserMax || state.waiting.count >= waitingMax { return false }
        state.waiting.append(waiter, of: user)
        return nil
      }
      if let answer { waiter.resume(returning: answer) }
    }
  }

  /// Releases the semaphore to the caller that is next in round-robin order by user.
  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      let next = state.waiting.popFirst()
      if next == nil { state.running -= 1 }
      return next
    }
    next?.resume(returning: true)
  }
}
