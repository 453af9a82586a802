// Simulated time: a game's clock that can be held, moved and sped up, and a player's offset on it. Both move forward only.

/// The clock of a game: anchor + rate × (host time − when it was anchored).
///
/// A game that was never touched runs as the host does.
public struct SimulatedClock: Sendable, Hashable {
  /// The greatest rate: a year in 3.2 seconds.
  public static let rateThousandthsMax: Int64 = 10_000_000_000

  /// The simulated instant at ``hostAnchor``.
  public let anchor: Instant
  /// The host's instant at which the clock was last set.
  public let hostAnchor: Instant
  /// Simulated milliseconds for each thousand of the host's: 1 000 as on the host, 0 stands still.
  public let rateThousandths: Int64

  /// The host's own time.
  public static let host = SimulatedClock(anchor: Instant(milliseconds: 0), hostAnchor: Instant(milliseconds: 0), rateThousandths: 1000)

  /// A clock as it was stored.
  public init(anchor: Instant, hostAnchor: Instant, rateThousandths: Int64) {
    self.anchor = anchor
    self.hostAnchor = hostAnchor
    self.rateThousandths = min(max(rateThousandths, 0), Self.rateThousandthsMax)
  }

  /// The simulated time; it stands still at the calendar's end, and while the host is before its anchor.
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

  /// The host's first instant at which the simulated time is this one or later; nil when it never will be, as of a clock that stands still.
  ///
  /// A time that has passed when the clock was set is answered with that instant.
  public func host(at simulated: Instant) -> Instant? {
    if self == .host { return simulated }
    guard simulated > anchor else { return hostAnchor }
    let (distance, overflows) = simulated.milliseconds.subtractingReportingOverflow(anchor.milliseconds)
    let (thousandfold, tooFar) = distance.multipliedReportingOverflow(by: 1000)
    guard rateThousandths > 0, !overflows, !tooFar else { return nil }
    let (whole, rest) = thousandfold.quotientAndRemainder(dividingBy: rateThousandths)
    return hostAnchor.adding(milliseconds: rest == 0 ? whole : whole + 1)
  }

  /// This clock showing that instant now.
  /// - Throws: `CLOCK_BACKWARDS`, `OUTSIDE_CALENDAR`.
  public func setting(to instant: Instant, host: Instant) throws(Refusal) -> SimulatedClock {
    try Self.admit(instant, from: now(host: host))
    return SimulatedClock(anchor: instant, hostAnchor: host, rateThousandths: rateThousandths)
  }

  /// This clock moved on by a calendar period.
  /// - Throws: `OUTSIDE_CALENDAR`, `CLOCK_BACKWARDS`.
  public func advancing(by period: CalendarPeriod, host: Instant) throws(Refusal) -> SimulatedClock {
    guard let instant = now(host: host).adding(period) else { throw Self.outside }
    return try setting(to: instant, host: host)
  }

  /// This clock moved on by so many milliseconds.
  /// - Throws: `OUTSIDE_CALENDAR`, `CLOCK_BACKWARDS`.
  public func advancing(milliseconds: Int64, host: Instant) throws(Refusal) -> SimulatedClock {
    guard let instant = now(host: host).adding(milliseconds: milliseconds) else { throw Self.outside }
    return try setting(to: instant, host: host)
  }

  /// This clock going on at another rate from now.
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

/// The time by which a player is ahead of the game.
public struct PlayerClock: Sendable, Hashable {
  /// Milliseconds ahead of the game's clock; never negative.
  public let offsetMilliseconds: Int64

  /// The game's own time.
  public static let game = PlayerClock(offsetMilliseconds: 0)

  /// An offset as it was stored.
  public init(offsetMilliseconds: Int64) { self.offsetMilliseconds = max(offsetMilliseconds, 0) }

  /// The player's time; it stands still at the calendar's end.
  public func now(game: Instant) -> Instant { game.adding(milliseconds: offsetMilliseconds) ?? .latest }

  /// This clock showing that instant now.
  /// - Throws: `CLOCK_BACKWARDS`, `OUTSIDE_CALENDAR`.
  public func setting(to instant: Instant, game: Instant) throws(Refusal) -> PlayerClock {
    try SimulatedClock.admit(instant, from: now(game: game))
    return PlayerClock(offsetMilliseconds: instant.milliseconds - game.milliseconds)
  }

  /// This clock moved on by a calendar period.
  /// - Throws: `OUTSIDE_CALENDAR`.
  public func advancing(by period: CalendarPeriod, game: Instant) throws(Refusal) -> PlayerClock {
    guard let instant = now(game: game).adding(period) else { throw SimulatedClock.outside }
    return try setting(to: instant, game: game)
  }

  /// This clock moved on by so many milliseconds.
  /// - Throws: `CLOCK_BACKWARDS`, `OUTSIDE_CALENDAR`.
  public func advancing(milliseconds: Int64, game: Instant) throws(Refusal) -> PlayerClock {
    guard let instant = now(game: game).adding(milliseconds: milliseconds) else { throw SimulatedClock.outside }
    return try setting(to: instant, game: game)
  }

  /// This clock at another offset.
  /// - Throws: `CLOCK_BACKWARDS` for one that is less, `OUTSIDE_CALENDAR` for one that leaves the calendar now.
  public func offset(milliseconds: Int64, game: Instant) throws(Refusal) -> PlayerClock {
    guard let instant = game.adding(milliseconds: milliseconds) else { throw SimulatedClock.outside }
    return try setting(to: instant, game: game)
  }
}
