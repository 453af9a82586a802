// Dedicated threads, because work that blocks on a disk must not occupy Swift's cooperative thread pool.
import Glibc

enum WorkerThread {
  private final class ThreadBody {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a detached thread.
  /// - Returns: False if the system could not create one.
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    if let isStarted = ThreadSchedule.present?.start(run) { return isStarted }
    let body = Unmanaged.passRetained(ThreadBody(run))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    guard code == 0 else {
      body.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  /// Runs long work on a new thread; returns nil if no thread could be created.
  static func run<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) async -> Answer? {
    await withCheckedContinuation { continuation in
      if !start({ continuation.resume(returning: body()) }) { continuation.resume(returning: nil) }
    }
  }

  /// Blocks this thread until an async closure has run on the cooperative pool. Must not be called from the pool.
  static func wait(for body: @escaping @Sendable () async -> Void) {
    let isDone = Monitor(false)
    Task.detached(priority: .high) {
      await body()
      isDone.change { $0 = true }
    }
    isDone.wait { $0 ? () : nil }
  }
}
