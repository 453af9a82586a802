// Times as a reader sees them, in one way for every command.

import GameConfCore

/// The place of a time, which decides its form on a terminal.
enum InstantContext: Sendable {
  /// A cell of a table: relative if it is recent.
  case cell
  /// A sentence: the local time, and the distance from now if it is recent.
  case sentence
  /// The time of a clock, or of a simulated event, whose distance from the host's now says nothing.
  case clock
}

extension OutputStyle {
  /// Returns a time for this reader.
  ///
  /// A pipe, and `--long`, get RFC 3339. A terminal shows a recent time by its distance from now, any other as the host's day and minute with the
  /// zone: `2026-12-01 18:00 CET`. ``TimeText`` reads all of these forms.
  func time(_ instant: Instant, in place: InstantContext = .sentence) -> String {
    guard isTerminal, !isLong else { return instant.text }
    let local = zone.text(instant)
    guard place != .clock, let relative = InstantStyle.relative(instant, now: now) else { return local }
    return place == .cell ? relative : "\(local) (\(relative))"
  }
}

enum InstantStyle {
  /// Beyond so many days a distance says less than the day itself.
  private static let daysMax: Int64 = 14
  /// Up to so many hours minutes matter too.
  private static let hoursWithMinutes: Int64 = 10

  /// The distance from now, `3 min ago` or `in 2 h`; nil beyond two weeks.
  static func relative(_ instant: Instant, now: Instant) -> String? {
    let (difference, overflows) = instant.milliseconds.subtractingReportingOverflow(now.milliseconds)
    guard !overflows, let length = length(milliseconds: difference.magnitude) else { return nil }
    if difference > 0 { return "in \(length)" }
    return difference.magnitude < 60_000 ? "just now" : "\(length) ago"
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
}
