// The display of points in time, which is the same in every command.

import GameConfCore

/// The place where a point in time is shown, which determines its form on a terminal.
enum InstantContext: Sendable {
  /// A cell of a table, which shows a recent time relative to now.
  case cell
  /// A sentence, which shows the local time, and for a recent time also the distance from now.
  case sentence
  /// The time of a simulated clock or of an event on it. Its distance from the host's time means nothing, so it is not shown.
  case clock
}

extension OutputStyle {
  /// Returns a point in time in the form for this output.
  ///
  /// A pipe, and `--long`, get RFC 3339. A terminal shows a recent time by its distance from now. It shows any other time as the host's
  /// local day and minute with the zone, `2026-12-01 18:00 CET`. ``TimeText`` reads all of these forms.
  func time(_ instant: Instant, in place: InstantContext = .sentence) -> String {
    guard isTerminal, !isLong else { return instant.text }
    let local = zone.text(instant)
    guard place != .clock, let relative = InstantStyle.relative(instant, now: now) else { return local }
    return place == .cell ? relative : "\(local) (\(relative))"
  }
}

enum InstantStyle {
  /// The number of days beyond which the date says more than the distance from now.
  private static let daysMax: Int64 = 14
  /// The number of hours below which minutes are shown too.
  private static let hoursWithMinutes: Int64 = 10

  /// Returns the distance of a time from now, such as `3 min ago` or `in 2 h`; nil if it is more than two weeks.
  static func relative(_ instant: Instant, now: Instant) -> String? {
    let (difference, overflows) = instant.milliseconds.subtractingReportingOverflow(now.milliseconds)
    guard !overflows, let length = length(milliseconds: difference.magnitude) else { return nil }
    if difference > 0 { return "in \(length)" }
    return difference.magnitude < 60_000 ? "just now" : "\(length) ago"
  }

  /// Returns a duration in its largest units, such as `1 h 40 min`; nil if it is longer than two weeks.
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
