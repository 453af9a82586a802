// The time of hosts that share a database: the database's.
public import GameConfCore
internal import Synchronization

/// Gives the time of a fleet: the time its database reported, continued by a clock that nobody sets. Until the first report, it is the host's.
///
/// An answer that took long says less about the time than a quick one: it moves the clock only as far as it must.
///
/// ```swift
/// let clock = FleetClock(over: SystemClock())
/// clock.learn(told, askedAt: before, answeredAt: after)   // both by the uptime
/// ```
public final class FleetClock: HostClock {
  private static let untold = Int64.min

  private let host: any HostClock
  private let uptime: @Sendable () -> Int64
  /// The fleet's time less the uptime, in ms.
  private let base = Atomic<Int64>(FleetClock.untold)

  /// A clock without a report yet.
  /// - Parameters:
  ///   - host: the host's clock.
  ///   - uptime: milliseconds of a clock that nobody sets.
  public init(over host: any HostClock, uptime: @escaping @Sendable () -> Int64 = { UptimeClock().milliseconds }) {
    self.host = host
    self.uptime = uptime
  }

  /// The fleet's time.
  public var now: Instant {
    let base = base.load(ordering: .relaxed)
    return base == Self.untold ? host.now : Instant(milliseconds: base + uptime())
  }

  /// It goes on.
  public var isFrozen: Bool { false }

  /// Milliseconds of the clock that nobody sets, for ``learn(_:askedAt:answeredAt:)``.
  public var uptimeMilliseconds: Int64 { uptime() }

  /// By how many milliseconds the host's clock is ahead of the fleet's time, negative when behind; nil while that is not known.
  public var hostAheadMilliseconds: Int64? {
    let base = base.load(ordering: .relaxed)
    return base == Self.untold ? nil : host.now.milliseconds - base - uptime()
  }

  /// Takes the time that the database reported. Only one thread may call it at a time.
  /// - Parameters:
  ///   - told: what the database's clock showed between the two.
  ///   - asked: the uptime when it was asked.
  ///   - answered: the uptime when it had answered.
  public func learn(_ told: Instant, askedAt asked: Int64, answeredAt answered: Int64) {
    // The clock's time if the answer came immediately, and if it was given immediately.
    let (least, most) = (told.milliseconds - answered - 1, told.milliseconds - asked + 1)
    let present = base.load(ordering: .relaxed)
    base.store(present == Self.untold ? told.milliseconds - (asked + answered) / 2 : min(max(present, least), most), ordering: .relaxed)
  }
}
