// State that threads of a test wait on (a monitor).
import Glibc

/// State behind a lock. A thread waits until the state satisfies its condition; every change wakes the waiting threads.
///
/// `@unchecked Sendable`: the state is only accessed while the lock is held.
public final class WaitedState<State>: @unchecked Sendable {
  private var state: State
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// Creates the monitor with a state.
  public init(_ state: sending State) {
    self.state = state
    pthread_mutex_init(lock, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  /// Reads or changes the state and wakes every thread that waits.
  @discardableResult
  public func change<Answer>(_ body: (inout State) throws -> Answer) rethrows -> Answer {
    pthread_mutex_lock(lock)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(lock)
    }
    return try body(&state)
  }

  /// Blocks this thread until the state satisfies the condition.
  public func wait(until isReached: (State) -> Bool) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while !isReached(state) { pthread_cond_wait(changed, lock) }
  }
}
