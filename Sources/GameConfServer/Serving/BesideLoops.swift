// Threads for work that would hold up event loops and tasks.

internal import NIOPosix

/// Runs work on threads that serve nothing else.
package enum BesideLoops {
  /// What the work came to; nil when the process ends and its threads with it.
  package static func run<Made: Sendable>(_ work: @escaping @Sendable () -> Made) async -> Made? {
    try? await NIOThreadPool.singleton.runIfActive { work() }
  }
}
