// Instants as people read them: to the second, and beside now where that says more.

import GameConfCore

enum InstantLook {
  /// Beyond so many days a distance says less than the day itself.
  private static let daysMax: Int64 = 14
  /// Up to so many hours minutes matter too.
  private static let hoursWithMinutes: Int64 = 10

  /// To the second, as RFC 3339 has it, so that it can be typed back: `2026-12-01T00:00:00Z`.
  static func second(_ instant: Instant) -> String { Instant(seconds: instant.seconds).text }

  /// The day and the minute: `2026-12-01 00:00`.
  static func minute(_ instant: Instant) -> String {
    let text = second(instant)
    guard let mark = text.firstIndex(of: "T") else { return text }
    return text[..<mark] + " " + text[text.index(after: mark)...].prefix(5)
  }

  /// How far from now: `3 min ago`, `in 2 h`; a day where it is far.
  static func relative(_ instant: Instant, now: Instant) -> String {
    let (difference, overflows) = instant.milliseconds.subtractingReportingOverflow(now.milliseconds)
    if overflows { return day(instant) }
    let isAhead = difference > 0
    guard let length = length(milliseconds: difference.magnitude) else { return day(instant) }
    if !isAhead, difference.magnitude < 60_000 { return "just now" }
    return isAhead ? "in \(length)" : "\(length) ago"
  }

  /// A length to its two greatest units, `1 h 40 min`; nil when it is longer than two weeks.
  static func length(milliseconds: UInt64) -> String? {
    let seconds = Int64(clamping: (milliseconds + 500) / 1000)
    if seconds < 60 { return "\(seconds) s" }
    let minutes = (seconds + 30) / 60
    if minutes < 60 { return "\(minutes) min" }
    let hours = minutes / 60
    if hours < hoursWithMinutes { return minutes % 60 == 0 ? "\(hours) h" : "\(hours) h \(minutes % 60) min" }
    if hours < 48 { return "\((minutes + 30) / 60) h" }
    let days = (minutes + 12 * 60) / (24 * 60)
    return days <= daysMax ? "\(days) d" : nil
  }

  private static func day(_ instant: Instant) -> String { String(second(instant).prefix { $0 != "T" }) }
}
