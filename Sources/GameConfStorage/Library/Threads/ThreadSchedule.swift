// The hook by which a test controls the threads of a store.
import Synchronization

/// Replaces the system's thread scheduling.
///
/// `Monitor.wait` and `WorkerThread.start` call the installed schedule. Only tests install one: it runs the threads of a store one at a
/// time, in an order determined by a seed.
class ThreadSchedule: @unchecked Sendable {
  private static let isInstalled = Atomic(false)
  private static let installed = AtomicLazyReference<ThreadSchedule>()

  /// The installed schedule; nil outside tests. A flag is read first, because loading the reference takes eight times as long as a wait
  /// whose condition is already true.
  static var present: ThreadSchedule? { isInstalled.load(ordering: .acquiring) ? installed.load() : nil }

  /// Installs a schedule for the rest of the process.
  static func install(_ schedule: ThreadSchedule) {
    _ = installed.storeIfNil(schedule)
    isInstalled.store(true, ordering: .releasing)
  }

  /// Starts a thread.
  /// - Returns: True if the thread was started; nil to let the system start it.
  func start(_ run: @escaping @Sendable () -> Void) -> Bool? { nil }

  /// Returns when `attempt` has returned true or the time is over.
  /// - Returns: False to leave the wait to the operating system.
  func wait(milliseconds: Int?, _ attempt: () -> Bool) -> Bool { false }
}
