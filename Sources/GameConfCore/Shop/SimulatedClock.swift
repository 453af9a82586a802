// The simulated clocks of games and players. A game's clock can be stopped, moved and accelerated, and a player's clock is an offset from
// it. Neither can be moved back.

/// The simulated clock of a game. It shows ``anchor`` + rate × (host time − ``hostAnchor``).
///
/// A game whose clock was never changed shows the host's time.
public struct SimulatedClock: Sendable, Hashable {
  /// The largest rate of a clock. A simulated year then takes 3.2 seconds.
  public static let rateThousandthsMax: Int64 = 10_000_000_000

  /// The simulated instant that the clock showed at ``hostAnchor``.
  public let anchor: Instant
  /// The instant by the host's clock at which the simulated clock was last changed.
  public let hostAnchor: Instant
  /// The rate: the simulated milliseconds that pass in a second of the host. 1 000 is real time, and 0 a stopped clock.
  public let rateThousandths: Int64

  /// The clock of a game that shows the host's time.
  public static let host = SimulatedClock(anchor: Instant(milliseconds: 0), hostAnchor: Instant(milliseconds: 0), rateThousandths: 1000)

  /// Creates a clock from stored values; the rate is clamped to the range from 0 to ``rateThousandthsMax``.
  public init(anchor: Instant, hostAnchor: Instant, rateThousandths: Int64) {
    self.anchor = anchor
    self.hostAnchor = hostAnchor
    self.rateThousandths = min(max(rateThousandths, 0), Self.rateThousandthsMax)
  }

  /// Returns the simulated time.
  ///
  /// It does not go beyond the end of the calendar, and is ``anchor`` while the host's time is before ``hostAnchor``.
  public func now(host: Instant) -> Instant {
    if self == .host { return min(max(host, .earliest), .latest) }
    let (passed, overflows) = host.milliseconds.subtractingReportingOverflow(hostAnchor.milliseconds)
    if overflows { return host > hostAnchor ? .latest : anchor }
    guard passed > 0 else { return anchor }
    let (thousands, rest) = passed.quotientAndRemainder(dividingBy: 1000)
    let (whole, wholeOverflows) = thousands.multipliedReportingOverflow(by: rateThousandths)
    let (sum, sumOverflows) = whole.addingReportingOverflow(rest * rateThousandths / 1000)
    if wholeOverflows || sumOverflows { return .latest }
    return anchor.adding(milliseconds: sum) ?? .latest
  }

  /// Returns the host's first instant at which the simulated time is this instant or later; nil if the clock never reaches it, for example
  /// because it is stopped.
  ///
  /// If the simulated instant had already passed when the clock was last changed, the result is the instant of that change.
  public func host(at simulated: Instant) -> Instant? {
    if self == .host { return simulated }
    guard simulated > anchor else { return hostAnchor }
    let (distance, overflows) = simulated.milliseconds.subtractingReportingOverflow(anchor.milliseconds)
    let (thousandfold, tooFar) = distance.multipliedReportingOverflow(by: 1000)
    guard rateThousandths > 0, !overflows, !tooFar else { return nil }
    let (whole, rest) = thousandfold.quotientAndRemainder(dividingBy: rateThousandths)
    return hostAnchor.adding(milliseconds: rest == 0 ? whole : whole + 1)
  }

  /// Returns this clock moved forward to an instant, with the same rate.
  /// - Throws: `CLOCK_BACKWARDS`, `OUTSIDE_CALENDAR`.
  public func setting(to instant: Instant, host: Instant) throws(Refusal) -> SimulatedClock {
    try Self.admit(instant, from: now(host: host))
    return SimulatedClock(anchor: instant, hostAnchor: host, rateThousandths: rateThousandths)
  }

  /// Returns this clock moved forward by a calendar period, such as a month.
  /// - Throws: `OUTSIDE_CALENDAR`, `CLOCK_BACKWARDS`.
  public func advancing(by period: CalendarPeriod, host: Instant) throws(Refusal) -> SimulatedClock {
    guard let instant = now(host: host).adding(period) else { throw Self.outside }
    return try setting(to: instant, host: host)
  }

  /// Returns this clock moved forward by a number of milliseconds.
  /// - Throws: `OUTSIDE_CALENDAR`, `CLOCK_BACKWARDS`.
  public func advancing(milliseconds: Int64, host: Instant) throws(Refusal) -> SimulatedClock {
    guard let instant = now(host: host).adding(milliseconds: milliseconds) else { throw Self.outside }
    return try setting(to: instant, host: host)
  }

  /// Returns this clock with another rate from the present on.
  /// - Throws: `CLOCK_RATE`.
  public func running(rateThousandths: Int64, host: Instant) throws(Refusal) -> SimulatedClock {
    guard (0...Self.rateThousandthsMax).contains(rateThousandths) else {
      throw Refusal(.clockRate, "A clock's rate is from 0 (stopped) to \(Self.rateThousandthsMax / 1000).")
    }
    return SimulatedClock(anchor: now(host: host), hostAnchor: host, rateThousandths: rateThousandths)
  }

  static let outside = Refusal(.outsideCalendar, "The clock would leave the calendar, which goes from 0001 to 9999.")

  static func admit(_ instant: Instant, from now: Instant) throws(Refusal) {
    guard (Instant.earliest...Instant.latest).contains(instant) else { throw outside }
    guard instant >= now else {
      throw Refusal(.clockBackwards, "It is \(now.text); a simulated clock moves forward only, not to \(instant.text).")
    }
  }
}

/// The simulated clock of a player, which is an offset from the game's clock.
public struct PlayerClock: Sendable, Hashable {
  /// The milliseconds by which the player's clock is ahead of the game's; never negative.
  public let offsetMilliseconds: Int64

  /// The clock of a player that shows the game's time.
  public static let game = PlayerClock(offsetMilliseconds: 0)

  /// Creates a clock from a stored offset; a negative offset counts as 0.
  public init(offsetMilliseconds: Int64) { self.offsetMilliseconds = max(offsetMilliseconds, 0) }

  /// Returns the player's time, which does not go beyond the end of the calendar.
  /// - Parameter game: The present by the game's clock.
  public func now(game: Instant) -> Instant { game.adding(milliseconds: offsetMilliseconds) ?? .latest }

  /// Returns the player's clock moved forward to an instant.
  /// - Throws: `CLOCK_BACKWARDS`, `OUTSIDE_CALENDAR`.
  public func setting(to instant: Instant, game: Instant) throws(Refusal) -> PlayerClock {
    try SimulatedClock.admit(instant, from: now(game: game))
    return PlayerClock(offsetMilliseconds: instant.milliseconds - game.milliseconds)
  }

  /// Returns the player's clock moved forward by a calendar period, such as a month.
  /// - Throws: `OUTSIDE_CALENDAR`.
  public func advancing(by period: CalendarPeriod, game: Instant) throws(Refusal) -> PlayerClock {
    guard let instant = now(game: game).adding(period) else { throw SimulatedClock.outside }
    return try setting(to: instant, game: game)
  }

  /// Returns the player's clock moved forward by a number of milliseconds.
  /// - Throws: `CLOCK_BACKWARDS`, `OUTSIDE_CALENDAR`.
  public func advancing(milliseconds: Int64, game: Instant) throws(Refusal) -> PlayerClock {
    guard let instant = now(game: game).adding(milliseconds: milliseconds) else { throw SimulatedClock.outside }
    return try setting(to: instant, game: game)
  }

  /// Returns a player's clock with another offset from the game's.
  /// - Throws: `CLOCK_BACKWARDS` if the offset is smaller than the present one, `OUTSIDE_CALENDAR` if the time would be outside the
  ///   calendar.
  public func offset(milliseconds: Int64, game: Instant) throws(Refusal) -> PlayerClock {
    guard let instant = game.adding(milliseconds: milliseconds) else { throw SimulatedClock.outside }
    return try setting(to: instant, game: game)
  }
}
