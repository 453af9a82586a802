// Converts instants of a player's simulated time to the time of the player's device, which is the host's time.

internal import GameConfCore

/// Converts instants of a player's simulated time to the host's time, by the player's present clock.
///
/// RevenueCat's client libraries know only the clock of their device. They receive each date as the host's instant at which the player's
/// simulated clock shows that date. If the simulated clock is 35 days ahead, a purchase made a minute ago is dated 35 days ago. A clock at
/// rate 1 is a constant shift, so two reads give the same date.
///
/// Dates have whole seconds. A client compares an end with its own clock or with ``request``. An end in the future is therefore rounded up,
/// and an end in the past is rounded down to a second before the request.
struct DeviceTimeConverter: Sendable {
  /// The instant of the request by the host's clock.
  let host: Instant
  /// The instant of the request by the player's simulated clock.
  let now: Instant
  private let clock: SimulatedClock
  private let offsetMilliseconds: Int64

  init(host: Instant, game clock: SimulatedClock, player: PlayerClock) {
    self.host = host
    self.clock = clock
    offsetMilliseconds = player.offsetMilliseconds
    now = player.now(game: clock.now(host: host))
  }

  /// The instant of the request by the host's clock, in whole seconds.
  var request: Instant { Self.bounded(seconds: host.seconds) }

  /// Converts an end of access that is still in the future, rounded up to a second.
  func running(until end: Instant) -> Instant {
    let milliseconds = milliseconds(of: end, up: true)
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return Self.bounded(seconds: rest > 0 ? whole + 1 : whole)
  }

  /// Converts an end of access that has passed, rounded down to at least one second before the request.
  func ended(at end: Instant) -> Instant { min(past(end), Self.bounded(seconds: host.seconds - 1)) }

  /// Converts the instant of a past event, rounded down. The result is never after the request.
  func past(_ instant: Instant) -> Instant {
    min(Self.bounded(seconds: Instant(milliseconds: milliseconds(of: instant, up: false)).seconds), request)
  }

  private func milliseconds(of instant: Instant, up: Bool) -> Int64 {
    let simulated = Self.difference(instant.milliseconds, offsetMilliseconds)
    if clock == .host { return simulated }
    if clock.rateThousandths == 0 { return Self.sum(host.milliseconds, Self.difference(instant.milliseconds, now.milliseconds)) }
    let distance = Self.difference(simulated, clock.anchor.milliseconds)
    if distance < 0 { return Self.sum(clock.hostAnchor.milliseconds, distance) }
    let (thousandfold, overflows) = distance.multipliedReportingOverflow(by: 1000)
    if overflows { return Instant.latest.milliseconds }
    let (whole, rest) = thousandfold.quotientAndRemainder(dividingBy: clock.rateThousandths)
    return Self.sum(clock.hostAnchor.milliseconds, up && rest > 0 ? whole + 1 : whole)
  }

  /// Returns an instant limited to the years 0001 to 9999, which RevenueCat's date format can show.
  private static func bounded(seconds: Int64) -> Instant {
    Instant(seconds: min(max(seconds, Instant.earliest.seconds), Instant.latest.seconds))
  }

  private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, overflows) = one.addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  private static func difference(_ one: Int64, _ other: Int64) -> Int64 {
    let (difference, overflows) = one.subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }
}
