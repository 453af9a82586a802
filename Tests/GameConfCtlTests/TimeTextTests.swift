// Points in time and durations as people type them.

import GameConfCore
import Testing

@testable import gameconfctl

@Suite("Times typed on a command line")
struct TimeTextTests {
  /// The present, which is a Wednesday.
  private static let now = "2026-11-25T15:00:00Z"
  private static let east = LocalZone { _ in 3600 }

  private static func read(_ text: String, _ side: TimeText.Side = .ahead, zone: LocalZone = .utc) throws -> String {
    try TimeText(now: Instant(parsing: now), zone: zone, side: side).instant(text, "--until").text
  }

  @Test(
    "an ambiguous time that a user types means one in the future",
    arguments: [
      ("2026-12-01T00:00:00Z", "2026-12-01T00:00:00Z"), ("now", now), ("+30m", "2026-11-25T15:30:00Z"), ("2h", "2026-11-25T17:00:00Z"),
      ("in 2 days", "2026-11-27T15:00:00Z"), ("90 min", "2026-11-25T16:30:00Z"), ("18:00", "2026-11-25T18:00:00Z"),
      ("9:30", "2026-11-26T09:30:00Z"), ("15:00", "2026-11-26T15:00:00Z"), ("6pm", "2026-11-25T18:00:00Z"),
      ("12 am", "2026-11-26T00:00:00Z"),
      ("noon", "2026-11-26T12:00:00Z"), ("midnight", "2026-11-26T00:00:00Z"), ("tomorrow", "2026-11-26T00:00:00Z"),
      ("Tomorrow 9:00", "2026-11-26T09:00:00Z"), ("tomorrow at 9:00", "2026-11-26T09:00:00Z"), ("today 18:00:30", "2026-11-25T18:00:30Z"),
      ("monday", "2026-11-30T00:00:00Z"), ("next monday 9:00", "2026-11-30T09:00:00Z"), ("fri 6pm", "2026-11-27T18:00:00Z"),
      ("wednesday", "2026-12-02T00:00:00Z"), ("wednesday 18:00", "2026-11-25T18:00:00Z"), ("wednesday 9:00", "2026-12-02T09:00:00Z"),
      ("next wednesday 18:00", "2026-12-02T18:00:00Z"), ("2026-12-24", "2026-12-24T00:00:00Z"),
      ("2026-12-24 18:00", "2026-12-24T18:00:00Z"), ("2026-12-24 18:00 UTC", "2026-12-24T18:00:00Z"),
      ("2026-12-24T18:00", "2026-12-24T18:00:00Z"),
    ])
  func ahead(text: String, instant: String) throws { #expect(try Self.read(text) == instant) }

  @Test(
    "for an option about the past, an ambiguous time that a user types means one in the past",
    arguments: [
      ("2h", "2026-11-25T13:00:00Z"), ("2 days ago", "2026-11-23T15:00:00Z"), ("yesterday", "2026-11-24T00:00:00Z"),
      ("9:00", "2026-11-25T09:00:00Z"), ("18:00", "2026-11-24T18:00:00Z"), ("monday", "2026-11-23T00:00:00Z"),
      ("last wednesday", "2026-11-18T00:00:00Z"), ("wednesday 9:00", "2026-11-25T09:00:00Z"), ("-1h", "2026-11-25T14:00:00Z"),
    ])
  func past(text: String, instant: String) throws { #expect(try Self.read(text, .past) == instant) }

  @Test(
    "typed days and hours are in the host's time zone, also when its clocks change",
    arguments: [("18:00", "2026-11-25T17:00:00Z"), ("tomorrow", "2026-11-25T23:00:00Z"), ("2026-12-24 0:30", "2026-12-23T23:30:00Z")])
  func zone(text: String, instant: String) throws {
    #expect(try Self.read(text, zone: Self.east) == instant)
    // The zone is two hours ahead of UTC until the change in that night, and one hour after it.
    let change = try Instant(parsing: "2026-12-01T01:00:00Z")
    let summer = LocalZone { $0 < change ? 7200 : 3600 }
    #expect(try Self.read("2026-11-30 12:00", zone: summer) == "2026-11-30T10:00:00Z")
    #expect(try Self.read("2026-12-02 12:00", zone: summer) == "2026-12-02T11:00:00Z")
  }

  @Test(
    "a typed time that the clock skips is moved forward, and one that it shows twice means the first, east and west of UTC",
    arguments: [
      // Berlin and New York, in hours from UTC: before and after the change at the instant, the typed time, the expected instant.
      (1, 2, "2027-03-28T01:00:00Z", "2027-03-28 02:30", "2027-03-28T01:30:00Z"),
      (2, 1, "2027-10-31T01:00:00Z", "2027-10-31 02:30", "2027-10-31T00:30:00Z"),
      (-5, -4, "2027-03-14T07:00:00Z", "2027-03-14 02:30", "2027-03-14T07:30:00Z"),
      (-4, -5, "2027-11-07T06:00:00Z", "2027-11-07 01:30", "2027-11-07T05:30:00Z"),
      (-4, -5, "2027-11-07T06:00:00Z", "2027-11-07 02:00", "2027-11-07T07:00:00Z"),
    ] as [(Int64, Int64, String, String, String)])
  func clockChange(before: Int64, after: Int64, at change: String, text: String, instant: String) throws {
    let change = try Instant(parsing: change)
    let zone = LocalZone { $0 < change ? before * 3600 : after * 3600 }
    #expect(try Self.read(text, zone: zone) == instant)
  }

  @Test(
    "a text that is no time is refused with examples of valid ones",
    arguments: [
      ("tomorow", "Did you mean “tomorrow”?"), ("mondey 9:00", "Did you mean “monday”?"), ("whenever", "“whenever” is not a time."),
      ("25:00", "is not a time"), ("9:60", "is not a time"), ("13pm", "is not a time"), ("", "is not a time"),
      ("2026-02-30", "is not a time"),
      ("2026-13-01T00:00:00Z", "--until: "), ("+1 month", "a month has no fixed length"), ("tomorrow 9:00 sharp", "is not a time"),
      ("next", "is not a time"), ("+9999999w", "longer than the calendar"),
    ])
  func refused(text: String, words: String) {
    let failure = #expect(throws: CtlFailure.self) { try Self.read(text) }
    #expect(failure?.status == .usage && failure?.lines.first?.text().contains(words) == true, "\(failure?.lines ?? [])")
  }

  @Test("the host's time zone gives the same times as localtime()")
  func host() throws {
    let noon = try Instant(parsing: "2026-11-25T12:00:00Z")
    let day = LocalZone.host.day(noon)
    #expect(LocalZone.host.instant(day.date, seconds: day.seconds) == noon)
  }

  @Test(
    "a duration may be typed with words and spaces",
    arguments: [
      ("2h", 7_200_000), ("2 days", 172_800_000), ("2days", 172_800_000), ("1 hour 30 minutes", 5_400_000), ("1d, 12h", 129_600_000),
      ("90 sec", 90_000), ("PT2H", 7_200_000), ("1.5 h", 5_400_000), ("1H", 3_600_000),
    ] as [(String, Int64)])
  func length(text: String, milliseconds: Int64) throws {
    #expect(try LengthText.milliseconds(text, "--for") == milliseconds)
  }

  @Test(
    "a duration is refused if its unit is ambiguous, unknown or missing, or if its number is missing",
    arguments: [
      ("1M", "may mean minutes or months; write 1m"), ("2", "write it as 2s, 2m or 2h"), ("1 month", "write 30d"), ("1y", "write 365d"),
      ("2 fortnights", "is not a length of time"), ("days", "is not a length of time"), ("2 2h", "is not a length of time"),
    ])
  func noLength(text: String, words: String) {
    let failure = #expect(throws: CtlFailure.self) { try LengthText.milliseconds(text, "--for") }
    #expect(failure?.lines.first?.text().contains(words) == true, "\(failure?.lines ?? [])")
  }

  @Test(
    "a calendar period may be typed in words, and a clock advances by a period or a duration",
    arguments: [
      ("7d", "P7D", "P7D"), ("1 month", "P1M", "P1M"), ("2 weeks", "P2W", "P2W"), ("1y", "P1Y", "P1Y"), ("P1M", "P1M", "P1M"),
      ("P0D", "P0D", "P0D"),
      ("36h", "36h", "1d12h"),
      ("1M", "1M", "1M"), ("1.5d", "1.5d", "1d12h"), ("soon", "soon", "soon"),
    ])
  func period(text: String, period: String, advance: String) {
    #expect(LengthText.period(text) == period)
    #expect(LengthText.advance(text) == advance)
  }
}
