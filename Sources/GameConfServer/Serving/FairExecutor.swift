// Threads for work that would block an event loop: processing large bodies, and calls of handlers that were recently slow.

internal import NIOPosix
internal import Synchronization

/// Runs jobs on a fixed number of threads, in an order that is fair among users (round robin).
///
/// The queue of jobs has no limit of its own. Each job belongs to a connection and a request body, which both have limits.
final class FairExecutor: Sendable {
  /// A call of a handler for one request. It is skipped if the request's connection has closed.
  final class Job: Sendable {
    private let isWanted = Atomic(true)
    private let work: @Sendable (_ isWanted: Bool) -> Void

    /// - Parameter work: A closure that is called once, also if the job was cancelled; `isWanted` is then false.
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
    if isFirst { threads.start() }
    // Each job submits one run. The thread that is free then takes the next job of the fair queue, which may be another user's.
    threads.submit { _ in
      BlockingExecutor.lowerPriority()
      self.state.withLock { $0.queue.popFirst() }?.run()
    }
  }
}
