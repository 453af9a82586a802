// Threads for work that would block event loops or Swift's cooperative threads.

internal import Glibc
internal import NIOPosix

/// Runs blocking work on threads of low priority, which no other work uses.
package enum BlockingExecutor {
  /// The niceness of the threads. Event loops and the store's writer need microseconds, so they get a scarce processor first.
  private static let niceness: Int32 = 10

  /// Lowers the priority of this thread; on Linux the niceness belongs to the thread. If systemd's system call filter denies it, as our unit does,
  /// nothing changes. Then only the slicing of long work keeps it from delaying other threads.
  static func lowerPriority() { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }

  /// Runs work on such a thread and returns its result; nil if the process ends first.
  package static func run<Made: Sendable>(_ work: @escaping @Sendable () -> Made) async -> Made? {
    try? await NIOThreadPool.singleton.runIfActive {
      lowerPriority()
      return work()
    }
  }
}
