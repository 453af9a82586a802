// Parses points in time as people type them. All commands use this parser.

import GameConfCore
import Glibc

/// The time zone in which typed days and times of day are read.
struct LocalZone: Sendable {
  /// Returns the offset in seconds east of UTC at an instant.
  var offsetSeconds: @Sendable (Instant) -> Int64
  /// Returns the zone's short name at an instant, such as CET.
  var name: @Sendable (Instant) -> String = { _ in "UTC" }

  static let utc = LocalZone { _ in 0 }

  /// The host's time zone, or that of the environment's `TZ`.
  static let host = LocalZone(
    offsetSeconds: { instant in
      var seconds = time_t(instant.seconds)
      var parts = tm()
      return localtime_r(&seconds, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
    },
    name: { instant in
      var seconds = time_t(instant.seconds)
      var parts = tm()
      guard localtime_r(&seconds, &parts) != nil, let name = parts.tm_zone else { return "UTC" }
      return String(cString: name)
    })

  /// Returns the local day and minute of an instant with the zone's name, such as `2026-12-01 18:00 CET`.
  func text(_ instant: Instant) -> String {
    let local = instant.adding(milliseconds: offsetSeconds(instant) * 1000) ?? instant
    let text = Instant(seconds: local.seconds).text
    return text.replacing("T", with: " ", maxReplacements: 1).prefix(16) + " " + name(instant)
  }

  /// Returns the local day of an instant, and the seconds since the beginning of that day.
  func day(_ instant: Instant) -> (date: CivilDate, seconds: Int64) {
    let local = Instant(seconds: instant.seconds + offsetSeconds(instant))
    return (local.utcDate, local.millisecondsIntoUTCDay / 1_000)
  }

  /// Returns the instant at which the local clock shows this time of a day. A time that the clock shows twice means its first occurrence. A
  /// time that daylight saving skips is moved forward by the gap, as catalogs' zones do: 02:30 becomes 03:30.
  func instant(_ date: CivilDate, seconds: Int64) -> Instant {
    let local = date.utcStart.seconds + seconds
    let day: Int64 = 86_400
    let before = Instant(seconds: local - offsetSeconds(Instant(seconds: local - day)))
    let after = Instant(seconds: local - offsetSeconds(Instant(seconds: local + day)))
    return [before, after].first { $0.seconds + offsetSeconds($0) == local } ?? before
  }
}

/// Parses a point in time: an instant of RFC 3339, a duration from now, a time of day, or a day with a time.
struct TimeText {
  /// The side of now on which an ambiguous text lies. `18:00` is the next or the last one, and `2h` is in two hours or two hours ago.
  enum Side { case ahead, past }

  static let examples = "2026-12-01T18:00:00Z, 18:00, “tomorrow 9:00”, “next monday” or 2h"

  var now: Instant
  var zone = LocalZone.host
  var side = Side.ahead

  /// True if the text is relative, so that it can only be read with a clock.
  static func needsClock(_ text: String) -> Bool { (try? Instant(parsing: text)) == nil }

  /// Parses a point in time. The clock is read only if the text is valid and relative.
  static func instant(
    _ text: String, _ option: String, side: Side = .ahead, clock: () async throws(CtlFailure) -> Instant
  ) async throws(CtlFailure) -> Instant {
    var time = TimeText(now: Console.now)
    time.side = side
    let instant = try time.instant(text, option)
    guard needsClock(text) else { return instant }
    time.now = try await clock()
    return try time.instant(text, option)
  }

  /// Parses a point in time relative to ``now``.
  /// - Parameter option: The option or argument, for the error message.
  func instant(_ text: String, _ option: String) throws(CtlFailure) -> Instant {
    if let instant = try? Instant(parsing: text) { return instant }
    if let instant = try fromNow(text, option) { return instant }
    if let instant = onDay(text) ?? withZone(text) { return instant }
    // For a text that looks like RFC 3339, the message names its fault by the rules of RFC 3339.
    if text.utf8.count > 10, text.utf8.prefix(4).allSatisfy({ (0x30...0x39).contains($0) }), text.utf8.contains(UInt8(ascii: "T")) {
      do throws(Fault) { return try Instant(parsing: text) } catch { throw .usage("\(option): \(error.message)") }
    }
    let first = text.split(separator: " ").first.map { $0.lowercased() } ?? ""
    let hint = NearestNames.hint(for: first, among: Self.dayWords + Self.weekdays)
    throw .usage("\(option): “\(text)” is not a time.\(hint.isEmpty ? " Write it as \(Self.examples)." : hint)")
  }

  /// Parses a time relative to now: `now`, `+30m`, `in 2 days`, `2h ago`. A duration without such a word lies on ``side``.
  private func fromNow(_ text: String, _ option: String) throws(CtlFailure) -> Instant? {
    let words = text.lowercased().split(separator: " ").map(String.init)
    if words == ["now"] { return now }
    var length = text
    var isAhead = side == .ahead
    if text.hasPrefix("+") || text.hasPrefix("-") {
      (length, isAhead) = (String(text.dropFirst()), text.hasPrefix("+"))
    } else if words.first == "in" {
      (length, isAhead) = (words.dropFirst().joined(separator: " "), true)
    } else if words.last == "ago" {
      (length, isAhead) = (words.dropLast().joined(separator: " "), false)
    } else if !LengthText.isLength(text) {
      return nil
    }
    let milliseconds = try LengthText.milliseconds(length, option)
    guard let instant = now.adding(milliseconds: isAhead ? milliseconds : -milliseconds) else {
      throw .usage("\(option) \(text) reaches beyond the calendar")
    }
    return instant
  }

  /// Parses a time in the form that a terminal shows, `2026-12-01 18:00 CET`. The last word is the name of the local zone, or UTC.
  private func withZone(_ text: String) -> Instant? {
    let words = text.split(separator: " ")
    guard words.count > 1, let name = words.last?.uppercased() else { return nil }
    let rest = words.dropLast().joined(separator: " ")
    var utc = self
    utc.zone = .utc
    if let instant = onDay(rest), zone.name(instant).uppercased() == name { return instant }
    return name == "UTC" ? utc.onDay(rest) : nil
  }

  static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
  private static let dayWords = ["today", "tomorrow", "yesterday", "noon", "midnight", "next", "last", "now"]

  /// Parses a time on a day: `18:00`, `tomorrow`, `next monday 9:00`, `2026-12-01 18:00`. A day without a time begins at midnight.
  private func onDay(_ text: String) -> Instant? {
    var text = text.lowercased()
    if let mark = text.firstIndex(of: "t"), text.distance(from: text.startIndex, to: mark) == 10 {
      text.replaceSubrange(mark...mark, with: " ")
    }
    var words = text.split(separator: " ").map(String.init).filter { !["at", "on"].contains($0) }
    if words.count >= 2, ["am", "pm"].contains(words[words.count - 1]) { words[words.count - 2] += words.removeLast() }
    guard (1...3).contains(words.count) else { return nil }
    let seconds = words.last.flatMap(Self.seconds)
    if seconds != nil { words.removeLast() }
    let today = zone.day(now)
    guard !words.isEmpty else { return seconds.map { near(today.date, $0) } }
    guard let date = date(words, today.date, isBefore: seconds.map { $0 <= today.seconds }) else { return nil }
    return zone.instant(date, seconds: seconds ?? 0)
  }

  /// Returns the next or, for the side of the past, the last instant at which the local clock shows this time.
  private func near(_ today: CivilDate, _ seconds: Int64) -> Instant {
    let instant = zone.instant(today, seconds: seconds)
    switch side {
    case .ahead: return instant > now ? instant : zone.instant(Self.day(1, after: today), seconds: seconds)
    case .past: return instant <= now ? instant : zone.instant(Self.day(-1, after: today), seconds: seconds)
    }
  }

  /// Parses the words that name a day.
  /// - Parameter isBefore: True if the typed time of day has passed today; nil if no time was typed.
  private func date(_ words: [String], _ today: CivilDate, isBefore: Bool?) -> CivilDate? {
    if words.count == 1 {
      switch words[0] {
      case "today", "tonight": return today
      case "tomorrow": return Self.day(1, after: today)
      case "yesterday": return Self.day(-1, after: today)
      default: if let date = Self.civil(words[0]) { return date }
      }
    }
    guard words.count == 1 || (words.count == 2 && ["next", "last", "this"].contains(words[0])), let name = words.last,
      name.utf8.count >= 3,
      let wanted = Self.weekdays.firstIndex(where: { $0.hasPrefix(name) })
    else { return nil }
    let isAhead = words[0] == "next" || words[0] != "last" && side == .ahead
    // 1 January 1970 was a Thursday, so adding 3 makes Monday day 0.
    let present = ((today.daysSince1970 + 3) % 7 + 7) % 7
    var days = isAhead ? (wanted - present + 7) % 7 : -((present - wanted + 7) % 7)
    if days == 0, words.count == 2 || isBefore != !isAhead { days = isAhead ? 7 : -7 }
    return Self.day(days, after: today)
  }

  private static func day(_ days: Int, after date: CivilDate) -> CivilDate { CivilDate(daysSince1970: date.daysSince1970 + days) }

  /// Parses a date such as `2026-12-01`.
  private static func civil(_ text: String) -> CivilDate? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2], let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  /// Parses a time of day such as `9:00`, `18:00:30`, `6pm` or `noon` to the seconds since midnight.
  private static func seconds(_ text: String) -> Int64? {
    if text == "noon" { return 43_200 }
    if text == "midnight" { return 0 }
    var digits = text[...]
    var half: Int64?
    for (name, hours) in [("am", Int64(0)), ("pm", 12)] where text.hasSuffix(name) { (digits, half) = (text.dropLast(2), hours) }
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    guard half != nil || parts.count > 1, (1...3).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.utf8.count) }) else {
      return nil
    }
    let numbers = parts.compactMap { UInt8($0) }.map(Int64.init)
    guard numbers.count == parts.count, numbers.dropFirst().allSatisfy({ $0 < 60 }), parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
    else {
      return nil
    }
    var hour = numbers[0]
    if let half {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + half
    }
    guard hour < 24 else { return nil }
    return hour * 3600 + (numbers.count > 1 ? numbers[1] * 60 : 0) + (numbers.count > 2 ? numbers[2] : 0)
  }
}
