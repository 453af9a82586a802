// A point in time, to the millisecond, from 0001 to 9999.

/// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Time never comes from a clock in here: every decision takes its instant as an argument.
public struct Instant: Sendable, Hashable, Comparable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
  public var milliseconds: Int64

  /// The instant that many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The instant that was stored as these milliseconds; nil outside the years 0001 to 9999.
  package init?(stored milliseconds: Int64) {
    guard (Instant.earliest.milliseconds...Instant.latest.milliseconds).contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// The instant that many whole seconds after 1970-01-01T00:00:00Z; seconds that no instant reaches give the nearest one.
  public init(seconds: Int64) {
    let (milliseconds, overflows) = seconds.multipliedReportingOverflow(by: 1000)
    self.milliseconds = overflows ? (seconds < 0 ? .min : .max) : milliseconds
  }

  /// 0001-01-01T00:00:00Z, the first instant that has a text.
  public static let earliest = Instant(seconds: -62_135_596_800)

  /// 9999-12-31T23:59:59.999Z, the last instant that has a text.
  public static let latest = Instant(milliseconds: 253_402_300_799_999)

  /// Whole seconds since 1970, rounded down.
  public var seconds: Int64 { milliseconds.dividedDown(by: 1000) }

  /// The day in UTC that the instant falls on.
  public var utcDate: CivilDate { CivilDate(daysSince1970: Int(milliseconds.dividedDown(by: CivilDate.millisecondsADay))) }

  /// Milliseconds since the day began, in UTC.
  public var millisecondsIntoUTCDay: Int64 {
    let rest = milliseconds % CivilDate.millisecondsADay
    return rest < 0 ? rest + CivilDate.millisecondsADay : rest
  }

  /// The instant that many milliseconds later; nil outside the years 0001 to 9999.
  public func adding(milliseconds more: Int64) -> Instant? {
    let (sum, overflows) = milliseconds.addingReportingOverflow(more)
    guard !overflows, (Instant.earliest.milliseconds...Instant.latest.milliseconds).contains(sum) else { return nil }
    return Instant(milliseconds: sum)
  }

  /// True if the left instant is the earlier one.
  public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}

extension Int64 {
  /// The quotient rounded towards negative infinity; the divisor is positive.
  func dividedDown(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
