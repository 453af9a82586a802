// Separate threads for blocking work, so that it does not block the few threads that all tasks share.

import Glibc

/// Starts a new thread for each piece of blocking work.
package enum OwnThread {
  /// Runs work on a new thread, or on the caller's thread if no thread can be created.
  package static func start(_ work: @escaping @Sendable () -> Void) {
    final class ThreadBody {
      let work: @Sendable () -> Void
      init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(ThreadBody(work))
    let failed = pthread_create(
      &thread, nil,
      { box in
        box.map { Unmanaged<ThreadBody>.fromOpaque($0).takeRetainedValue() }?.work()
        return nil
      }, box.toOpaque())
    if failed == 0 { pthread_detach(thread) } else { box.takeRetainedValue().work() }
  }

  /// Runs work on a new thread and returns its outcome to the waiting task.
  package static func run<Outcome: Sendable>(_ work: @escaping @Sendable () -> Outcome) async -> Outcome {
    await withCheckedContinuation { waiting in start { waiting.resume(returning: work()) } }
  }
}
