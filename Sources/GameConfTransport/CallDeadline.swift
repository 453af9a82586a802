// The deadline of a call.

/// The instant at which a wait ends, with the timeout of the whole call for the message.
struct CallDeadline: Sendable {
  let seconds: Double
  private let instant: ContinuousClock.Instant

  /// Creates a deadline that many seconds from now.
  init(seconds: Double) {
    self.seconds = seconds
    instant = .now + .seconds(min(max(seconds, 0), 1e9))
  }

  /// The remaining milliseconds, rounded up, as `poll` takes them.
  var milliseconds: Int32 { Int32(min(max(0, ((instant - .now) / .milliseconds(1)).rounded(.up)), Double(Int32.max))) }
}
