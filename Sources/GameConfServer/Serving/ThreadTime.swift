// The processor time of a thread.

internal import Glibc

/// The processor time of the calling thread, without the time in which the thread waited or other threads ran.
package enum ThreadTime {
  /// The processor time since the thread began, in nanoseconds.
  package static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
