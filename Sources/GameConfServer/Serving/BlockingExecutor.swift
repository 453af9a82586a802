// Threads for work that would block event loops or Swift's cooperative threads.

internal import Glibc
internal import NIOPosix

/// Runs blocking work on threads of low priority, away from event loops and Swift's cooperative threads.
package enum BlockingExecutor {
  /// The niceness of the threads. Event loops and the store's writer thread need only microseconds, so they get a scarce processor first.
  private static let niceness: Int32 = 10

  /// Lowers the priority of the calling thread; on Linux the niceness belongs to the thread. If systemd's filter of system calls denies it,
  /// as in the daemon's unit, nothing changes. Then only the division of long work into slices keeps it from delaying other threads.
  static func lowerPriority() { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }

  /// Runs work on a thread of low priority and returns its result; nil if the process ends before the work runs.
  package static func run<Made: Sendable>(_ work: @escaping @Sendable () -> Made) async -> Made? {
    try? await NIOThreadPool.singleton.runIfActive {
      lowerPriority()
      return work()
    }
  }
}
