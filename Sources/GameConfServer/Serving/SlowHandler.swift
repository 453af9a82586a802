// Decides when a user's calls of a slow handler run on another thread instead of the event loop.

/// A handler that was slow for one user, with the number of that user's next calls that run on another thread.
///
/// A slow call is recognized by the thread's processor time. On a virtual machine that includes time that the hypervisor took away, so once or twice
/// a second any call looks slow. Therefore one slow call moves only the next few calls. Each further slow call within
/// ``ServerLimits/handlerSoonMilliseconds`` doubles their number. A handler that is always slow stays on other threads; one that is slow now and then
/// delays the event loop about once in that time.
struct SlowHandler {
  private var step = 0
  private var callsLeft = 0
  private var lastSlow: Int64 = 0

  /// Creates the record of a handler that was not slow yet.
  init() {}

  /// True if the next call runs on another thread.
  var isElsewhere: Bool { callsLeft > 0 }

  /// Records a slow call, on whichever thread it ran.
  ///
  /// - Parameter now: Nanoseconds of a monotonic clock.
  mutating func wasSlow(now: Int64, _ limits: ServerLimits) {
    step = step > 0 && isSoon(now, limits) ? min(step * 2, limits.handlerCallsElsewhereMax) : limits.handlerCallsElsewhereMin
    (callsLeft, lastSlow) = (step, now)
  }

  /// Records a call that was not slow; false if this record is no longer needed.
  mutating func wasFast(now: Int64, _ limits: ServerLimits) -> Bool {
    callsLeft = max(0, callsLeft - 1)
    return callsLeft > 0 || isSoon(now, limits)
  }

  private func isSoon(_ now: Int64, _ limits: ServerLimits) -> Bool {
    now - lastSlow < Int64(limits.handlerSoonMilliseconds) * 1_000_000
  }
}
