// A point in time, to the millisecond, from 0001 to 9999.

/// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Time never comes from a clock in here: every decision takes its instant as an argument.
public struct Instant: Sendable, Hashable, Comparable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
  public var milliseconds: Int64

  /// The instant that many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The instant that many whole seconds after 1970-01-01T00:00:00Z.
  public init(seconds: Int64) { self.milliseconds = seconds * 1000 }

  /// Whole seconds since 1970, rounded down.
  public var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000 }

  public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}
