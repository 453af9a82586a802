// A thread of its own for publishing: what writes files and evaluates whole games holds neither an event loop nor the cooperative pool.

internal import CFutex
internal import Glibc

/// A wakeup that one thread waits for and others signal.
public final class Wakeup: @unchecked Sendable {
  // The word is allocated once and only touched as one.
  private let word = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)

  /// A wakeup that was never signalled.
  public init() { word.storeBytes(of: 0, as: UInt64.self) }

  deinit { word.deallocate() }

  /// The number of times that it was rung; read it before looking at what is to be done.
  public var count: UInt32 { cfutex_load32(word) }

  /// Wakes who waits.
  public func ring() {
    _ = cfutex_add32(word)
    cfutex_wake(word)
  }

  /// Waits until it is rung more often than that, or the time is over.
  public func wait(since known: UInt32, milliseconds: Int64) { cfutex_wait(word, known, min(max(milliseconds, 0), 60_000)) }
}

/// Threads that are not the pool's, and whose files have the mode they are made with.
public enum ImageThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a detached thread.
  /// - Returns: whether the system had one to give.
  public static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    let body = Unmanaged.passRetained(Body(run))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        // The mask of the process is for its state; another thread's files must not see this one's.
        cfutex_own_mask()
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
}
