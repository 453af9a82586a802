// The clock of hosts that share a database, which follows the database's time.
public import GameConfCore
internal import Synchronization

/// The time of a fleet: the time that its database reported last, continued by a monotonic clock; at first the host's time.
///
/// Each report bounds the time by the duration of its round trip. The clock moves only as far as the bounds require, so a slow report moves
/// it less than a quick one.
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

  /// Creates a clock without a report.
  /// - Parameters:
  ///   - host: The host's clock.
  ///   - uptime: The milliseconds of a monotonic clock.
  public init(over host: any HostClock, uptime: @escaping @Sendable () -> Int64 = { UptimeClock().milliseconds }) {
    self.host = host
    self.uptime = uptime
  }

  /// The fleet's time.
  public var now: Instant {
    let base = base.load(ordering: .relaxed)
    return base == Self.untold ? host.now : Instant(milliseconds: base + uptime())
  }

  /// Always false: the clock advances.
  public var isFrozen: Bool { false }

  /// The milliseconds of the monotonic clock, for ``learn(_:askedAt:answeredAt:)``.
  public var uptimeMilliseconds: Int64 { uptime() }

  /// The difference of the host's clock from the fleet's time in milliseconds, negative if the host is behind; nil while unknown.
  public var hostAheadMilliseconds: Int64? {
    let base = base.load(ordering: .relaxed)
    return base == Self.untold ? nil : host.now.milliseconds - base - uptime()
  }

  /// Applies a time that the database reported. Only one thread may call it at a time.
  /// - Parameters:
  ///   - told: The database's time, read between the two uptimes.
  ///   - asked: The uptime when the query was sent.
  ///   - answered: The uptime when the answer arrived.
  public func learn(_ told: Instant, askedAt asked: Int64, answeredAt answered: Int64) {
    // The bounds: the time was read at the earliest when the query was sent, at the latest when the answer arrived.
    let (least, most) = (told.milliseconds - answered - 1, told.milliseconds - asked + 1)
    let present = base.load(ordering: .relaxed)
    base.store(present == Self.untold ? told.milliseconds - (asked + answered) / 2 : min(max(present, least), most), ordering: .relaxed)
  }
}
