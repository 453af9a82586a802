// A thread of our own: what blocks on a disk must not hold the cooperative pool.
import Glibc

enum WorkerThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a detached thread.
  /// - Returns: whether the system had a thread to give.
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    if let isStarted = ThreadSchedule.present?.start(run) { return isStarted }
    let body = Unmanaged.passRetained(Body(run))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    guard code == 0 else {
      body.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  /// Runs something long on a thread of its own.
  static func run<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) async -> Answer? {
    await withCheckedContinuation { continuation in
      if !start({ continuation.resume(returning: body()) }) { continuation.resume(returning: nil) }
    }
  }

  /// Waits on this thread for something that runs on the cooperative pool; never called from there.
  static func wait(for body: @escaping @Sendable () async -> Void) {
    let isDone = Monitor(false)
    Task.detached(priority: .high) {
      await body()
      isDone.change { $0 = true }
    }
    isDone.wait { $0 ? () : nil }
  }
}
