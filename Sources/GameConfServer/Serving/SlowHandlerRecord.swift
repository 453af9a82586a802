// Decides which calls of a slow request handler run on another thread instead of the event loop.

/// The record of a request handler that was slow for one user, with the number of the user's next calls that run on another thread.
///
/// A call is slow by the thread's processor time. On a virtual machine that includes time that the hypervisor took away, so once or twice a
/// second any call looks slow. Therefore one slow call moves only the next few calls to another thread. Each further slow call within
/// ``ServerLimits/handlerSoonMilliseconds`` doubles their number. A handler that is always slow stays on other threads, and one that is
/// slow now and then delays the event loop about once in that time.
struct SlowHandlerRecord {
  private var step = 0
  private var callsLeft = 0
  private var lastSlow: Int64 = 0

  /// Creates the record of a handler, which runs on the event loop until a slow call is recorded.
  init() {}

  /// True if the next call runs on another thread.
  var isElsewhere: Bool { callsLeft > 0 }

  /// Records a slow call of the handler, on the event loop or on another thread.
  /// - Parameter now: The nanoseconds of a monotonic clock.
  mutating func wasSlow(now: Int64, _ limits: ServerLimits) {
    step = step > 0 && isSoon(now, limits) ? min(step * 2, limits.handlerCallsElsewhereMax) : limits.handlerCallsElsewhereMin
    (callsLeft, lastSlow) = (step, now)
  }

  /// Records a call of the handler that was not slow. Returns false if the record is no longer needed.
  mutating func wasFast(now: Int64, _ limits: ServerLimits) -> Bool {
    callsLeft = max(0, callsLeft - 1)
    return callsLeft > 0 || isSoon(now, limits)
  }

  private func isSoon(_ now: Int64, _ limits: ServerLimits) -> Bool {
    now - lastSlow < Int64(limits.handlerSoonMilliseconds) * 1_000_000
  }
}
