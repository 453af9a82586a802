// Threads for work that would block an event loop: large bodies, and handlers that were recently slow.

internal import NIOPosix
internal import Synchronization

/// Runs jobs on a fixed number of threads, in a fair queue of users.
///
/// The queue has no limit of its own. Each job belongs to a connection and a body, and both have limits.
final class FairExecutor: Sendable {
  /// One job. It is skipped if its connection has closed.
  final class Job: Sendable {
    private let isWanted = Atomic(true)
    private let work: @Sendable (_ isWanted: Bool) -> Void

    /// - Parameter work: Called once, also after a cancellation.
    init(_ work: @escaping @Sendable (_ isWanted: Bool) -> Void) { self.work = work }

    func cancel() { isWanted.store(false, ordering: .relaxed) }

    fileprivate func run() { work(isWanted.load(ordering: .relaxed)) }
  }

  private struct State {
    var queue = FairQueue<ShareOwner, Job>()
    var hasStarted = false
  }

  private let threads: NIOThreadPool
  private let state = Mutex(State())

  init(threads count: Int) { threads = NIOThreadPool(numberOfThreads: count) }

  deinit {
    if state.withLock(\.hasStarted) { threads.shutdownGracefully { _ in } }
  }

  func run(_ job: Job, for owner: ShareOwner) {
    let isFirst = state.withLock { state in
      state.queue.append(job, of: owner)
      defer { state.hasStarted = true }
      return !state.hasStarted
    }
    // The threads start with the first job.
    if isFirst { threads.start() }
    // Submits one run for each job; the free thread picks the job from the fair queue.
    threads.submit { _ in
      BlockingExecutor.lowerPriority()
      self.state.withLock { $0.queue.popFirst() }?.run()
    }
  }
}
