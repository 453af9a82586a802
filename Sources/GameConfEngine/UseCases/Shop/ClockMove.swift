// The moves of a simulated clock.
public import GameConfCore

/// The target of a clock's move; forward only.
public enum ClockTarget: Sendable, Hashable {
  /// To this instant.
  case instant(Instant)
  /// On by a calendar period, such as `P1M`.
  case period(CalendarPeriod)
  /// On by so many milliseconds.
  case milliseconds(Int64)
}

/// A move of a game's clock: it is moved, then it goes on at a rate. Nothing is done where both are nil.
public struct GameClockMove: Sendable, Hashable {
  /// The target of the move; nil leaves the clock where it is.
  public var target: ClockTarget?
  /// Simulated milliseconds for each thousand of the host's: 1 000 as on the host, 0 stands still; nil leaves it.
  public var rateThousandths: Int64?

  /// A move.
  public init(_ target: ClockTarget? = nil, rateThousandths: Int64? = nil) {
    self.target = target
    self.rateThousandths = rateThousandths
  }

  func moved(_ clock: SimulatedClock, host: Instant) throws(Refusal) -> SimulatedClock {
    var moved = clock
    switch target {
    case .instant(let instant): moved = try moved.setting(to: instant, host: host)
    case .period(let period): moved = try moved.advancing(by: period, host: host)
    case .milliseconds(let milliseconds): moved = try moved.advancing(milliseconds: milliseconds, host: host)
    case nil: break
    }
    if let rateThousandths { moved = try moved.running(rateThousandths: rateThousandths, host: host) }
    return moved
  }
}

/// A move of a player's clock.
public enum PlayerClockMove: Sendable, Hashable {
  /// It is moved.
  case to(ClockTarget)
  /// It goes so many milliseconds ahead of the game's.
  case offset(milliseconds: Int64)

  func moved(_ clock: PlayerClock, game: Instant) throws(Refusal) -> PlayerClock {
    switch self {
    case .to(.instant(let instant)): try clock.setting(to: instant, game: game)
    case .to(.period(let period)): try clock.advancing(by: period, game: game)
    case .to(.milliseconds(let milliseconds)): try clock.advancing(milliseconds: milliseconds, game: game)
    case .offset(let milliseconds): try clock.offset(milliseconds: milliseconds, game: game)
    }
  }
}
