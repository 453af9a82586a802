// A value that is the same for everyone all day and another one tomorrow.

/// The daily value of `{daily_hash: SALT}`: the first 8 bytes of SHA-256 of `SALT-YYYY-MM-DD` (UTC) as 16 hex digits.
public enum DailyHash {
  /// One UTC day.
  public struct Day: Sendable, Hashable {
    /// The day as `YYYY-MM-DD`.
    public let text: String
    /// The first instant of the next day.
    public let end: Instant
  }

  private static let dayMilliseconds: Int64 = 86_400_000

  /// The day an instant falls on.
  public static func day(of instant: Instant) -> Day {
    let number = instant.milliseconds.dividedDown(by: dayMilliseconds)
    let day = CivilDate(daysSince1970: Int(number))
    return Day(text: day.text, end: Instant(milliseconds: (number + 1) * dayMilliseconds))
  }

  /// The value of that day, in lower-case hexadecimal.
  public static func digits(salt: String, day: Day) -> String {
    SHA256.hex(SHA256.digest(of: "\(salt)-\(day.text)".utf8).prefix(8))
  }
}
