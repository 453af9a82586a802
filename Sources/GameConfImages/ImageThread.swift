// A separate thread for publishing images, because writing files and evaluating whole games would block an event loop or the cooperative
// pool.

internal import CFutex
internal import Glibc

/// A wakeup counter, based on a futex. One thread waits until it changes, and other threads increment it.
public final class Wakeup: @unchecked Sendable {
  // The memory is allocated once and accessed by atomic operations only, hence the unchecked conformance.
  private let word = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)

  /// Creates a wakeup whose count is 0.
  public init() { word.storeBytes(of: 0, as: UInt64.self) }

  deinit { word.deallocate() }

  /// The number of wakeups so far. Read it before checking for work, so that no wakeup is missed.
  public var count: UInt32 { cfutex_load32(word) }

  /// Increments the count and wakes the waiting thread.
  public func ring() {
    _ = cfutex_add32(word)
    cfutex_wake(word)
  }

  /// Waits until the count differs from a known one, or the time is over; at most a minute.
  public func wait(since known: UInt32, milliseconds: Int64) { cfutex_wait(word, known, min(max(milliseconds, 0), 60_000)) }
}

/// Threads outside of Swift's cooperative pool, each with a private file mode mask (umask).
public enum ImageThread {
  private final class ThreadBody {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a detached thread with a private file mode mask.
  /// - Returns: False if the system could not create a thread.
  public static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    let body = Unmanaged.passRetained(ThreadBody(run))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        // The umask is part of the process. A private copy lets this thread create readable files without affecting those of other threads.
        cfutex_own_mask()
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
}
