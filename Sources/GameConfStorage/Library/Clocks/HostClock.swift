// The port to the host's time, and the system's clocks.

public import GameConfCore
internal import Glibc

/// A source of the host's time.
public protocol HostClock: Sendable {
  var now: Instant { get }
  /// True if the clock is frozen for tests; the daemon's status reports it.
  var isFrozen: Bool { get }
}

/// The real-time clock of the operating system.
public struct SystemClock: HostClock {
  /// Creates the clock; every instance shows the same time.
  public init() {}

  /// The host's time, which goes back if an administrator or NTP sets it back.
  public var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Always false: the clock advances.
  public var isFrozen: Bool { false }
}

/// A clock with a fixed time, for a daemon under test.
public struct FrozenClock: HostClock {
  /// The same instant at every read.
  public let now: Instant

  /// Creates a clock that shows this instant forever.
  public init(at now: Instant) { self.now = now }

  /// Always true: the time is fixed.
  public var isFrozen: Bool { true }
}

/// The time since the host started, from a monotonic clock. For intervals of seconds.
public struct UptimeClock: Sendable {
  /// Creates the clock; every instance counts from the host's start.
  public init() {}

  /// Milliseconds since the host started.
  public var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
