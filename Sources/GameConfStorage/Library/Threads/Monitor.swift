// A lock with a condition variable.
import Glibc

/// A monitor: state behind a mutex, with a condition variable. The store's threads use it for all waits.
///
/// It is unchecked `Sendable`, because threads access the state only while they have the lock.
final class Monitor<State>: @unchecked Sendable {
  private var state: State
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ state: sending State) {
    self.state = state
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  /// Reads or changes the state and wakes all waiting threads.
  func change<Answer>(_ body: (inout State) throws -> Answer) rethrows -> Answer {
    pthread_mutex_lock(lock)
    // The lock is released before the threads are woken, because a woken thread needs it to continue.
    defer {
      pthread_mutex_unlock(lock)
      pthread_cond_broadcast(changed)
    }
    return try body(&state)
  }

  /// Changes the state and wakes one waiting thread, for a change that each of the waiting threads can handle alone.
  func changeForOne<Answer>(_ body: (inout State) throws -> Answer) rethrows -> Answer {
    pthread_mutex_lock(lock)
    defer {
      pthread_mutex_unlock(lock)
      pthread_cond_signal(changed)
    }
    return try body(&state)
  }

  /// Waits until `body` returns an answer.
  func wait<Answer>(_ body: (inout State) -> Answer?) -> Answer {
    if case .some(.some(let answer)) = scheduled(milliseconds: nil, body) { return answer }
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let answer = body(&state) { return answer }
      pthread_cond_wait(changed, lock)
    }
  }

  /// Waits until `body` returns an answer, at most this long.
  func wait<Answer>(milliseconds: Int, _ body: (inout State) -> Answer?) -> Answer? {
    if let answer = scheduled(milliseconds: milliseconds, body) { return answer }
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    end.tv_sec += milliseconds / 1000
    end.tv_nsec += milliseconds % 1000 * 1_000_000
    if end.tv_nsec >= 1_000_000_000 {
      end.tv_sec += 1
      end.tv_nsec -= 1_000_000_000
    }
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let answer = body(&state) { return answer }
      if pthread_cond_timedwait(changed, lock, &end) == ETIMEDOUT { return body(&state) }
    }
  }

  /// Waits under the schedule that a test has installed.
  /// - Returns: nil without a schedule; otherwise the answer of `body`, or an inner nil when the time is over.
  private func scheduled<Answer>(milliseconds: Int?, _ body: (inout State) -> Answer?) -> Answer?? {
    guard let schedule = ThreadSchedule.present else { return nil }
    var answer: Answer?
    let isTaken = schedule.wait(milliseconds: milliseconds) {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      answer = body(&state)
      return answer != nil
    }
    return isTaken ? .some(answer) : nil
  }
}
