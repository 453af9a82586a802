// How long a thread had a processor.

internal import Glibc

/// A span of the calling thread's own time, which stands still while other threads and programs have the processor.
struct ProcessorTime: Sendable {
  let nanoseconds: Int64

  /// All that the calling thread ever had.
  static var now: Self {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Self(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  static func - (end: Self, begin: Self) -> Self { Self(nanoseconds: end.nanoseconds - begin.nanoseconds) }
}
