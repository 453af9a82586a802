// Threads for work that would hold up event loops and tasks.

internal import Glibc
internal import NIOPosix

/// Runs work on threads that serve nothing else.
package enum BlockingExecutor {
  /// The niceness of the threads: where processors are few, event loops and the store's writer, which take microseconds, come first.
  private static let niceness: Int32 = 10

  /// Lets others come before this thread. On Linux a niceness is a thread's. Where systemd filters system calls, as our unit asks it to, nothing comes of
  /// it: then it is only the slices of what is long that keep it from holding others up.
  static func lowerPriority() { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }

  /// Runs work and returns its result; nil when the process ends and its threads with it.
  package static func run<Made: Sendable>(_ work: @escaping @Sendable () -> Made) async -> Made? {
    try? await NIOThreadPool.singleton.runIfActive {
      lowerPriority()
      return work()
    }
  }
}
