// Points in time with millisecond precision, in the years 0001 to 9999.

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z without leap seconds.
///
/// This module never reads a clock. Every function that depends on time gets an instant as an argument.
public struct Instant: Sendable, Hashable, Comparable {
  /// The milliseconds since 1970-01-01T00:00:00Z, negative before it.
  public var milliseconds: Int64

  /// Creates the instant this many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Creates an instant from a value of the database; returns nil if it is outside the years 0001 to 9999.
  package init?(stored milliseconds: Int64) {
    guard (Instant.earliest.milliseconds...Instant.latest.milliseconds).contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Creates the instant this many seconds after 1970-01-01T00:00:00Z. Seconds beyond the range of `milliseconds` are clamped.
  public init(seconds: Int64) {
    let (milliseconds, overflows) = seconds.multipliedReportingOverflow(by: 1000)
    self.milliseconds = overflows ? (seconds < 0 ? .min : .max) : milliseconds
  }

  /// The first representable instant, 0001-01-01T00:00:00Z.
  public static let earliest = Instant(seconds: -62_135_596_800)

  /// The last representable instant, 9999-12-31T23:59:59.999Z.
  public static let latest = Instant(milliseconds: 253_402_300_799_999)

  /// The whole seconds since 1970, rounded down.
  public var seconds: Int64 { milliseconds.dividedDown(by: 1000) }

  /// The calendar date of the instant, in the time zone UTC.
  public var utcDate: CivilDate { CivilDate(daysSince1970: Int(milliseconds.dividedDown(by: CivilDate.millisecondsADay))) }

  /// The milliseconds since midnight UTC.
  public var millisecondsIntoUTCDay: Int64 {
    let rest = milliseconds % CivilDate.millisecondsADay
    return rest < 0 ? rest + CivilDate.millisecondsADay : rest
  }

  /// Returns the instant this many milliseconds later; nil if it is outside the years 0001 to 9999.
  public func adding(milliseconds more: Int64) -> Instant? {
    let (sum, overflows) = milliseconds.addingReportingOverflow(more)
    guard !overflows, (Instant.earliest.milliseconds...Instant.latest.milliseconds).contains(sum) else { return nil }
    return Instant(milliseconds: sum)
  }

  /// True if the left instant is earlier.
  public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}

extension Int64 {
  /// Returns the quotient, rounded towards negative infinity. The divisor must be positive.
  func dividedDown(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
