// The end of a call's time.

/// The instant at which a wait gives up, with the time that the whole call was given.
struct CallDeadline: Sendable {
  let seconds: Double
  private let instant: ContinuousClock.Instant

  /// That many seconds from now.
  init(seconds: Double) {
    self.seconds = seconds
    instant = .now + .seconds(min(max(seconds, 0), 1e9))
  }

  /// The milliseconds that are left, rounded up, as `poll` takes them.
  var milliseconds: Int32 { Int32(min(max(0, ((instant - .now) / .milliseconds(1)).rounded(.up)), Double(Int32.max))) }
}
