// Durations and calendar periods as people type them: `2h`, `2 days`, `1 month`.

import GameConfCore

enum LengthText {
  /// The units of constant length: for each name that a user may type, such as `hours`, the unit that `DurationText` reads.
  private static let units: [String: String] = [
    "w": "w", "week": "w", "weeks": "w", "d": "d", "day": "d", "days": "d", "h": "h", "hr": "h", "hrs": "h", "hour": "h", "hours": "h",
    "m": "m", "min": "m", "mins": "m", "minute": "m", "minutes": "m", "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s",
    "ms": "ms",
  ]

  private static let periods: [String: CalendarPeriod.Unit] = [
    "d": .day, "day": .day, "days": .day, "w": .week, "week": .week, "weeks": .week, "mo": .month, "month": .month, "months": .month,
    "y": .year, "year": .year, "years": .year,
  ]

  /// True if the text is a duration and not a point in time.
  static func isLength(_ text: String) -> Bool { (try? milliseconds(text, "")) != nil }

  /// Parses a duration to milliseconds.
  /// - Parameter option: The option or argument, for the error message.
  static func milliseconds(_ text: String, _ option: String) throws(CtlFailure) -> Int64 {
    let parts = self.parts(text)
    if let part = parts?.first(where: { periods[$0.unit].map { $0 == .month || $0 == .year } ?? false }) {
      let days = periods[part.unit] == .month ? 30 : 365
      throw .usage("\(option): a \(days == 30 ? "month" : "year") has no fixed length; write \(days)d.")
    }
    let known = parts?.allSatisfy { units[$0.unit] != nil } == true ? parts : nil
    do throws(Fault) {
      return try DurationText.milliseconds(in: known.map { $0.map { $0.number + (units[$0.unit] ?? "") }.joined() } ?? text)
    } catch {
      throw .usage("\(option): \(error.message)")
    }
  }

  /// Converts a single count of days, weeks, months or years to ISO 8601; returns any other text unchanged.
  static func period(_ text: String) -> String {
    guard let parts = parts(text), parts.count == 1, let unit = periods[parts[0].unit], !parts[0].number.contains(".") else { return text }
    return "P\(parts[0].number)\(unit.rawValue)"
  }

  /// Converts the time by which a clock advances to the form that the daemon reads: a calendar period, or else a duration.
  static func advance(_ text: String) -> String {
    // A text in ISO 8601 is sent unchanged, because a period of zero is not the same as a duration of zero.
    if text.hasPrefix("P") { return text }
    let period = period(text)
    if period != text { return period }
    return (try? milliseconds(text, "")).map { DurationText.text(milliseconds: $0) } ?? text
  }

  /// Splits a text into numbers with their units in lower case; nil for another form, including ISO 8601's. A unit `M` is refused, because
  /// it could be a minute or a month.
  private static func parts(_ text: String) -> [(number: String, unit: String)]? {
    var parts: [(number: String, unit: String)] = []
    var rest = text[...]
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(number.count).drop { $0 == " " }
      let unit = rest.prefix { $0.isASCII && $0.isLetter }
      guard !number.isEmpty, !unit.isEmpty, unit != "M" else { return nil }
      rest = rest.dropFirst(unit.count).drop { $0 == " " || $0 == "," }
      parts.append((String(number), unit.lowercased()))
    }
    return parts.isEmpty ? nil : parts
  }
}
