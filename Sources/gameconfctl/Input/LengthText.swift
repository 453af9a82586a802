// Lengths of time and calendar periods as people type them: `2h`, `2 days`, `1 month`.

import GameConfCore

enum LengthText {
  /// The names of the units that are equally long everywhere.
  private static let units: [String: String] = [
    "w": "w", "week": "w", "weeks": "w", "d": "d", "day": "d", "days": "d", "h": "h", "hr": "h", "hrs": "h", "hour": "h", "hours": "h",
    "m": "m", "min": "m", "mins": "m", "minute": "m", "minutes": "m", "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s",
    "ms": "ms",
  ]

  private static let periods: [String: CalendarPeriod.Unit] = [
    "d": .day, "day": .day, "days": .day, "w": .week, "week": .week, "weeks": .week, "mo": .month, "month": .month, "months": .month,
    "y": .year, "year": .year, "years": .year,
  ]

  /// True if the text says how long, and not when.
  static func isLength(_ text: String) -> Bool { (try? milliseconds(text, "")) != nil }

  /// - Parameter option: what it was typed for.
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

  /// The calendar period that one count of days, weeks, months or years is, as ISO 8601 writes it; any other text as it is.
  static func period(_ text: String) -> String {
    guard let parts = parts(text), parts.count == 1, let unit = periods[parts[0].unit], !parts[0].number.contains(".") else { return text }
    return "P\(parts[0].number)\(unit.rawValue)"
  }

  /// The time by which a clock is to go: a period where the calendar counts, else a length.
  static func advance(_ text: String) -> String {
    // What ISO 8601 writes is the daemon's to read: a period of nothing is not a length of nothing.
    if text.hasPrefix("P") { return text }
    let period = period(text)
    if period != text { return period }
    return (try? milliseconds(text, "")).map { DurationText.text(milliseconds: $0) } ?? text
  }

  /// Numbers with their units in small letters; nil for a text of another form, ISO 8601's among them. `1M` could be a minute or a month.
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
