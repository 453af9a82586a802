// The moves of a simulated clock.
public import GameConfCore

/// The target of a move of a simulated clock. It must be later than the clock's time.
public enum ClockTarget: Sendable, Hashable {
  /// Moves the clock forward to this simulated time.
  case instant(Instant)
  /// Moves the clock forward by a calendar period, such as `P1M`.
  case period(CalendarPeriod)
  /// Moves the clock forward by a number of milliseconds.
  case milliseconds(Int64)
}

/// A change of a game's clock: a move, followed by a new rate. Without both, nothing changes.
public struct GameClockMove: Sendable, Hashable {
  /// The target of the move; nil for no move.
  public var target: ClockTarget?
  /// The simulated milliseconds that pass in one second of the host: 1 000 is real time, and 0 stops the clock. Nil leaves the rate
  /// unchanged.
  public var rateThousandths: Int64?

  /// Creates a change, by default without an effect.
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

/// A move of a player's simulated clock: to a target in the player's future, or to an offset from the game's clock.
public enum PlayerClockMove: Sendable, Hashable {
  case to(ClockTarget)
  /// Sets the clock's offset from the game's clock.
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
