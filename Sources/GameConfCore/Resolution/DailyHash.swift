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
    let number = instant.milliseconds.flooredDivision(by: dayMilliseconds)
    let midnight = Instant(milliseconds: number * dayMilliseconds)
    return Day(text: String(midnight.rfc3339.prefix(10)), end: Instant(milliseconds: midnight.milliseconds + dayMilliseconds))
  }

  /// The value of that day, in lower-case hexadecimal.
  public static func digits(salt: String, day: Day) -> String {
    let digits = Array("0123456789abcdef")
    var text = ""
    for byte in SHA256.hash(Array("\(salt)-\(day.text)".utf8)).prefix(8) {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
  }
}

extension Int64 {
  /// Division that rounds towards negative infinity, so that instants before 1970 fall on the right day.
  func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
