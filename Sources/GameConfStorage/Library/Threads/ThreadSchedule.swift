// The point at which a test takes over the threads of a store.
import Synchronization

/// Decides when threads run, in place of the system.
///
/// `Monitor.wait` and `WorkerThread.start` hand over to the schedule that is installed. Only tests install one: it runs the threads of a store one at
/// a time, in an order that follows from a seed.
class ThreadSchedule: @unchecked Sendable {
  private static let isInstalled = Atomic(false)
  private static let installed = AtomicLazyReference<ThreadSchedule>()

  /// The schedule in force; nil outside tests. There only a flag is read: to load the reference takes eight times as long as a wait that is over.
  static var present: ThreadSchedule? { isInstalled.load(ordering: .acquiring) ? installed.load() : nil }

  /// Puts a schedule in force for the rest of the process.
  static func install(_ schedule: ThreadSchedule) {
    _ = installed.storeIfNil(schedule)
    isInstalled.store(true, ordering: .releasing)
  }

  /// Starts a thread.
  /// - Returns: True if the thread was started; nil leaves it to the system.
  func start(_ run: @escaping @Sendable () -> Void) -> Bool? { nil }

  /// Returns when `attempt` has returned true or the time is over.
  /// - Returns: False leaves it to the system.
  func wait(milliseconds: Int?, _ attempt: () -> Bool) -> Bool { false }
}
