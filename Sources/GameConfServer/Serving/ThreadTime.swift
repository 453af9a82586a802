// The time that a thread has worked, as opposed to the time that it has been.

internal import Glibc

/// The processor time of the calling thread. What other processes take of the processor does not count in it.
package enum ThreadTime {
  /// Nanoseconds since the thread began.
  package static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
