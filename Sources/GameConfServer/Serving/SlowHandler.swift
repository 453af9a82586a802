// Decides when a user's calls of a handler are worked on beside the event loop, since it was slow.

/// A handler that was slow for one user, and how many of that user's next calls of it are worked on elsewhere.
///
/// Slow is known by the processor time of a thread, and where a host shares its processors among virtual machines that counts what the host took
/// away in the middle of a call: once or twice in a second anything looks slow. So one slow call sends only the next few elsewhere. When the next
/// slow one comes soon, twice as many go there: what is slow again and again stays elsewhere, and of calls that are slow now and then an event
/// loop meets about one in ``ServerLimits/handlerSoonMilliseconds``.
struct SlowHandler {
  private var step = 0
  private var callsLeft = 0
  private var lastSlow: Int64 = 0

  /// A handler that was not slow yet.
  init() {}

  /// True if the next call is worked on elsewhere.
  var isElsewhere: Bool { callsLeft > 0 }

  /// A call was slow, wherever it was worked on.
  ///
  /// - Parameter now: nanoseconds of a clock that never goes back.
  mutating func wasSlow(now: Int64, _ limits: ServerLimits) {
    step = step > 0 && isSoon(now, limits) ? min(step * 2, limits.handlerCallsElsewhereMax) : limits.handlerCallsElsewhereMin
    (callsLeft, lastSlow) = (step, now)
  }

  /// A call was not slow; says whether there is anything left to remember.
  mutating func wasFast(now: Int64, _ limits: ServerLimits) -> Bool {
    callsLeft = max(0, callsLeft - 1)
    return callsLeft > 0 || isSoon(now, limits)
  }

  private func isSoon(_ now: Int64, _ limits: ServerLimits) -> Bool {
    now - lastSlow < Int64(limits.handlerSoonMilliseconds) * 1_000_000
  }
}
