// Threads for what would hold an event loop for too long: large bodies, and handlers that lately took long.

internal import NIOPosix
internal import Synchronization

/// Runs work in turns of users, on as many threads as it was given.
///
/// It has no bound of its own: who waits here holds a connection, and the bytes of a body, both of which are bounded.
final class FairExecutor: Sendable {
  /// One piece of work, which is left undone when nobody waits for it any more.
  final class Job: Sendable {
    private let isWanted = Atomic(true)
    private let work: @Sendable (_ isWanted: Bool) -> Void

    /// - Parameter work: is called once, also when it is no longer wanted.
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
    // The threads are there from the first piece of work on.
    if isFirst { threads.start() }
    // As many pieces are asked for as there are jobs; which one it is, is decided when a thread is free.
    threads.submit { _ in
      BlockingExecutor.lowerPriority()
      self.state.withLock { $0.queue.popFirst() }?.run()
    }
  }
}
