// Threads of their own, for work that waits: none of the few threads that all tasks share does.

import Glibc

/// Runs work that blocks.
package enum OwnThread {
  /// Runs on a thread of its own; on this one where none can be had.
  package static func start(_ work: @escaping @Sendable () -> Void) {
    final class Box {
      let work: @Sendable () -> Void
      init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(work))
    let failed = pthread_create(
      &thread, nil,
      { box in
        box.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue() }?.work()
        return nil
      }, box.toOpaque())
    if failed == 0 { pthread_detach(thread) } else { box.takeRetainedValue().work() }
  }

  /// Runs on a thread of its own, and gives the task the outcome.
  package static func run<Outcome: Sendable>(_ work: @escaping @Sendable () -> Outcome) async -> Outcome {
    await withCheckedContinuation { waiting in start { waiting.resume(returning: work()) } }
  }
}
