// The daily hash: a value that is the same for all players during a day and differs between days, such as the seed of a daily puzzle.

/// Computes the value of `{daily_hash: SALT}`: the first 8 bytes of SHA-256 of `SALT-YYYY-MM-DD` (UTC) as 16 hex digits.
public enum DailyHash {
  /// A day of the calendar in UTC.
  public struct Day: Sendable, Hashable {
    /// The date of the day as `YYYY-MM-DD`.
    public let text: String
    /// The first instant of the next day, at which the hash changes.
    public let end: Instant
  }

  private static let dayMilliseconds: Int64 = 86_400_000

  /// Returns the UTC day that contains an instant.
  public static func day(of instant: Instant) -> Day {
    let number = instant.milliseconds.dividedDown(by: dayMilliseconds)
    let day = CivilDate(daysSince1970: Int(number))
    return Day(text: day.text, end: Instant(milliseconds: (number + 1) * dayMilliseconds))
  }

  /// Returns the hash of a salt and a day as 16 lowercase hex digits.
  public static func digits(salt: String, day: Day) -> String {
    SHA256.hex(SHA256.digest(of: "\(salt)-\(day.text)".utf8).prefix(8))
  }
}
