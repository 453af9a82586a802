// The point at which a test takes over the threads of a store.
import Synchronization

/// Decides when threads run, in place of the system.
///
/// `Monitor.wait` and `WorkerThread.start` hand over to the schedule that is installed. Only tests install one: it runs the threads of a store one at
/// a time, in an order that follows from a seed.
class ThreadSchedule: @unchecked Sendable {
  /// The schedule in force; nil outside tests.
  static let installed = AtomicLazyReference<ThreadSchedule>()

  /// Starts a thread.
  /// - Returns: True if the thread was started; nil leaves it to the system.
  func start(_ run: @escaping @Sendable () -> Void) -> Bool? { nil }

  /// Returns when `attempt` has returned true or the time is over.
  /// - Returns: False leaves it to the system.
  func wait(milliseconds: Int?, _ attempt: () -> Bool) -> Bool { false }
}
