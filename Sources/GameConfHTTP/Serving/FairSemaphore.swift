// Users in turn, so many of their things at once.

internal import GameConfServer
internal import Synchronization

/// Lets so many go on at once; the others wait in line, users in turn.
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
  ///   - waitingPerUserMax: how many of one user may wait, besides patient ones.
  ///   - waitingMax: how many may wait in all, besides patient ones.
  init(atOnceMax: Int, waitingPerUserMax: Int = .max, waitingMax: Int = .max) {
    self.atOnceMax = atOnceMax
    self.waitingPerUserMax = waitingPerUserMax
    self.waitingMax = waitingMax
  }

  /// The number that run.
  var running: Int { state.withLock { $0.running } }

  /// The number that wait.
  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Waits for a turn, which ``leave()`` ends; false when too many wait.
  /// - Parameter isPatient: whether it waits however many do.
  func enter(_ user: UInt32, isPatient: Bool = false) async -> Bool {
    await withCheckedContinuation { waiter in
      let answer: Bool? = state.withLock { state in
        if state.running < atOnceMax {
          state.running += 1
          return true
        }
        if !isPatient, state.waiting.count(of: user) >= waitingPerUserMax || state.waiting.count >= waitingMax { return false }
        state.waiting.append(waiter, of: user)
        return nil
      }
      if let answer { waiter.resume(returning: answer) }
    }
  }

  /// Gives the turn to the next user who waits.
  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      let next = state.waiting.popFirst()
      if next == nil { state.running -= 1 }
      return next
    }
    next?.resume(returning: true)
  }
}
