// Separate threads for blocking work, so that it does not block the few threads that all tasks share.

import Glibc

/// Runs blocking work on threads that are started for it.
package enum OwnThread {
  /// Runs work on a separate thread, or on this one if no thread can be created.
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

  /// Runs work on a separate thread and resumes the task with its outcome.
  package static func run<Outcome: Sendable>(_ work: @escaping @Sendable () -> Outcome) async -> Outcome {
    await withCheckedContinuation { waiting in start { waiting.resume(returning: work()) } }
  }
}
