// The deadline of a call, from its timeout.

/// The instant at which a wait ends, with the timeout in seconds that an error message names.
struct CallDeadline: Sendable {
  let seconds: Double
  private let instant: ContinuousClock.Instant

  /// Creates a deadline this number of seconds from now.
  init(seconds: Double) {
    self.seconds = seconds
    instant = .now + .seconds(min(max(seconds, 0), 1e9))
  }

  /// The milliseconds until the deadline, rounded up, in the type that `poll()` takes; 0 after the deadline.
  var milliseconds: Int32 { Int32(min(max(0, ((instant - .now) / .milliseconds(1)).rounded(.up)), Double(Int32.max))) }
}
