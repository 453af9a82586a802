// The port that gives the host's time.

public import GameConfCore
internal import Glibc

/// Gives the host's time.
public protocol HostClock: Sendable {
  /// The present instant.
  var now: Instant { get }
  /// True if it stands still, for tests; status says so.
  var isFrozen: Bool { get }
}

/// The system's clock.
public struct SystemClock: HostClock {
  /// The system's clock.
  public init() {}

  /// The host's time.
  public var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// It goes on.
  public var isFrozen: Bool { false }
}

/// A clock that stands still.
public struct FrozenClock: HostClock {
  /// The instant it stands at.
  public let now: Instant

  /// A clock that stands at this instant.
  public init(at now: Instant) { self.now = now }

  /// It stands still.
  public var isFrozen: Bool { true }
}

/// Gives the time that the host has been up: a clock that nobody sets, for what is counted by the second.
public struct UptimeClock: Sendable {
  /// The host's.
  public init() {}

  /// Milliseconds since the host started.
  public var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
