// The clock of hosts that share a database, which follows the database's time.
public import GameConfCore
internal import Synchronization

/// The common time of the hosts that share a database: the database's last reported time, continued by a monotonic clock. Before the first
/// report, it is the host's time.
///
/// Each report gives a lower and an upper bound of the fleet's time. The bounds differ by about the duration of the report's round trip.
/// The clock moves only as far as the bounds require, so a slow report moves it less than a quick one.
///
/// ```swift
/// let clock = FleetClock(over: SystemClock())
/// clock.learn(reported, sentAt: before, answeredAt: after)   // both by the uptime
/// ```
public final class FleetClock: HostClock {
  private static let unset = Int64.min

  private let host: any HostClock
  private let uptime: @Sendable () -> Int64
  /// The fleet's time minus the host's uptime, in milliseconds.
  private let base = Atomic<Int64>(FleetClock.unset)

  /// Creates a clock that shows the host's time until the database's first report.
  /// - Parameters:
  ///   - host: The host's clock.
  ///   - uptime: The milliseconds of a monotonic clock.
  public init(over host: any HostClock, uptime: @escaping @Sendable () -> Int64 = { UptimeClock().milliseconds }) {
    self.host = host
    self.uptime = uptime
  }

  /// The fleet's time; the host's until the first report.
  public var now: Instant {
    let base = base.load(ordering: .relaxed)
    return base == Self.unset ? host.now : Instant(milliseconds: base + uptime())
  }

  /// Always false: the clock advances.
  public var isFrozen: Bool { false }

  /// The milliseconds of the monotonic clock, for ``learn(_:sentAt:answeredAt:)``.
  public var uptimeMilliseconds: Int64 { uptime() }

  /// The difference of the host's clock from the fleet's time in milliseconds, negative if the host is behind; nil while unknown.
  public var hostAheadMilliseconds: Int64? {
    let base = base.load(ordering: .relaxed)
    return base == Self.unset ? nil : host.now.milliseconds - base - uptime()
  }

  /// Applies a time that the database reported. Only one thread may call it at a time.
  /// - Parameters:
  ///   - reported: The database's time, read between the two uptimes.
  ///   - sent: The uptime when the query was sent.
  ///   - answered: The uptime when the answer arrived.
  public func learn(_ reported: Instant, sentAt sent: Int64, answeredAt answered: Int64) {
    // The bounds of the offset: the database read its time after the query was sent and before the answer arrived.
    let (least, most) = (reported.milliseconds - answered - 1, reported.milliseconds - sent + 1)
    let present = base.load(ordering: .relaxed)
    base.store(present == Self.unset ? reported.milliseconds - (sent + answered) / 2 : min(max(present, least), most), ordering: .relaxed)
  }
}
