// The one rule of time: simulated instants as the clock of the player's device shows them.

internal import GameConfCore

/// Turns instants of a player's simulated time into the host's, as the player's clock is set now.
///
/// A foreign client knows only the clock of its own device. It is told each date as the host's instant at which the player's clock shows it: with a
/// clock 35 days ahead, what was bought a minute ago was bought 35 days ago. A clock at rate 1 is a constant shift, so that two reads tell the same.
///
/// Dates have whole seconds. A client compares ends with its own clock or with ``request``: what still runs is rounded up, what has ended is rounded
/// down and stands before the request.
struct DeviceTime: Sendable {
  /// The host's time.
  let host: Instant
  /// The player's time.
  let now: Instant
  private let clock: SimulatedClock
  private let offsetMilliseconds: Int64

  init(host: Instant, game clock: SimulatedClock, player: PlayerClock) {
    self.host = host
    self.clock = clock
    offsetMilliseconds = player.offsetMilliseconds
    now = player.now(game: clock.now(host: host))
  }

  /// The time of the request.
  var request: Instant { Self.bounded(seconds: host.seconds) }

  /// The end of something that runs.
  func running(until end: Instant) -> Instant {
    let milliseconds = milliseconds(of: end, up: true)
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return Self.bounded(seconds: rest > 0 ? whole + 1 : whole)
  }

  /// The end of something that has ended.
  func ended(at end: Instant) -> Instant { min(past(end), Self.bounded(seconds: host.seconds - 1)) }

  /// Something that has happened; an act dated ahead of now has happened now.
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

  /// The years 0001 to 9999, in whole seconds.
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
