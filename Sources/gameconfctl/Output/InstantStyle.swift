// The display of times, the same for every command.

import GameConfCore

/// The context of a time, which determines its form on a terminal.
enum InstantContext: Sendable {
  /// A cell of a table: relative if it is recent.
  case cell
  /// A sentence: the local time, and the distance from now if it is recent.
  case sentence
  /// The time of a simulated clock or event, whose difference from the host's time has no meaning.
  case clock
}

extension OutputStyle {
  /// Returns a time for this reader.
  ///
  /// A pipe, and `--long`, get RFC 3339. A terminal shows a recent time by its distance from now, any other as the host's day and minute
  /// with the zone: `2026-12-01 18:00 CET`. ``TimeText`` reads all of these forms.
  func time(_ instant: Instant, in place: InstantContext = .sentence) -> String {
    guard isTerminal, !isLong else { return instant.text }
    let local = zone.text(instant)
    guard place != .clock, let relative = InstantStyle.relative(instant, now: now) else { return local }
    return place == .cell ? relative : "\(local) (\(relative))"
  }
}

enum InstantStyle {
  /// The limit in days beyond which the day is more useful than the distance.
  private static let daysMax: Int64 = 14
  /// The limit in hours below which minutes are shown too.
  private static let hoursWithMinutes: Int64 = 10

  /// Returns the distance from now, `3 min ago` or `in 2 h`; nil beyond two weeks.
  static func relative(_ instant: Instant, now: Instant) -> String? {
    let (difference, overflows) = instant.milliseconds.subtractingReportingOverflow(now.milliseconds)
    guard !overflows, let length = length(milliseconds: difference.magnitude) else { return nil }
    if difference > 0 { return "in \(length)" }
    return difference.magnitude < 60_000 ? "just now" : "\(length) ago"
  }

  /// Returns a duration in its two largest units, `1 h 40 min`; nil if it is longer than two weeks.
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
