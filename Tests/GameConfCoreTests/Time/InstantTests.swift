// Tests instants, dates and durations as text, and the calendar computation.

import GameConfCore
import TestSupport
import Testing

@Suite("Instants")
struct InstantTests {
  @Test(
    "an instant is parsed with any offset and written in UTC",
    arguments: [
      ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"), ("2026-12-01T00:00:00Z", 1_796_083_200_000, "2026-12-01T00:00:00Z"),
      ("2026-12-01t00:00:00z", 1_796_083_200_000, "2026-12-01T00:00:00Z"),
      ("2026-12-01 00:00:00Z", 1_796_083_200_000, "2026-12-01T00:00:00Z"),
      ("2026-12-01T00:00Z", 1_796_083_200_000, "2026-12-01T00:00:00Z"),
      ("2026-12-01T01:30:00+01:30", 1_796_083_200_000, "2026-12-01T00:00:00Z"),
      ("2026-11-30T19:00:00-0500", 1_796_083_200_000, "2026-12-01T00:00:00Z"),
      ("2026-12-01T02:00:00+02", 1_796_083_200_000, "2026-12-01T00:00:00Z"),
      ("2026-12-01T00:00:00-00:00", 1_796_083_200_000, "2026-12-01T00:00:00Z"),
      ("2026-12-01T00:00:00.25Z", 1_796_083_200_250, "2026-12-01T00:00:00.250Z"),
      ("2026-12-01T00:00:00.0009999Z", 1_796_083_200_000, "2026-12-01T00:00:00Z"),
      ("2026-12-01T00:00:00.007Z", 1_796_083_200_007, "2026-12-01T00:00:00.007Z"),
      ("1969-12-31T23:59:59.999Z", -1, "1969-12-31T23:59:59.999Z"), ("2000-02-29T12:00:00Z", 951_825_600_000, "2000-02-29T12:00:00Z"),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000, "0001-01-01T00:00:00Z"),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      ("1900-03-01T00:00:00Z", -2_203_891_200_000, "1900-03-01T00:00:00Z"),
    ] as [(String, Int64, String)])
  func parsed(text: String, milliseconds: Int64, written: String) throws {
    let instant = try Instant(parsing: text)
    #expect(instant.milliseconds == milliseconds)
    #expect(instant.text == written)
  }

  @Test(
    "a text that is not an instant is rejected with an example",
    arguments: [
      "", "now", "2026", "2026-12-01", "2026-12-01T00:00:00", "2026-12-01T00:00", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
      "2026-02-29T00:00:00Z",
      "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-12-00T00:00:00Z", "2026-12-01T24:00:00Z", "2026-12-01T00:60:00Z",
      "2016-12-31T23:59:60Z",
      "2026-12-01T00:00:00.Z", "2026-12-01T00:00:00+24:00", "2026-12-01T00:00:00+01:60", "2026-12-01T00:00:00+1", "2026-12-01T00:00:00ZZ",
      "2026-12-01T00:00:00+01:00Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
      "10000-01-01T00:00:00Z",
      "-026-12-01T00:00:00Z", "26-12-01T00:00:00Z", "2026-1-1T00:00:00Z", "2026-12-01T0:00:00Z", "1796083200", "２０２６-12-01T00:00:00Z",
      "2026-12-01T00:00:00." + String(repeating: "0", count: 100) + "Z",
    ])
  func refused(text: String) {
    let fault = #expect(throws: Fault.self) { try Instant(parsing: text) }
    #expect(fault?.message.hasSuffix(".") == true)
  }

  @Test("random instants are written and parsed without a change")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<5000 {
      let milliseconds = Int64.random(in: Instant.earliest.milliseconds...Instant.latest.milliseconds, using: &generator)
      let instant = Instant(milliseconds: milliseconds)
      #expect(try Instant(parsing: instant.text) == instant)
    }
  }

  @Test("an instant beyond the calendar neither traps nor overflows", arguments: [Int64.min, .min + 1, .max, .max - 1])
  func extremes(milliseconds: Int64) {
    let instant = Instant(milliseconds: milliseconds)
    #expect(!instant.text.isEmpty)
    #expect(instant.seconds.signum() == milliseconds.signum())
    #expect((0..<86_400_000).contains(instant.millisecondsIntoUTCDay))
    #expect(Instant(seconds: milliseconds).milliseconds.signum() == milliseconds.signum())
    #expect(instant.adding(milliseconds: milliseconds) == nil)
    #expect(instant.adding(CalendarPeriod(count: 1, unit: .month)) == nil)
    #expect(instant.adding(CalendarPeriod(count: .max, unit: .year), times: .max) == nil)
    #expect(CivilDate(daysSince1970: Int(milliseconds)).daysSince1970.signum() == Int(milliseconds.signum()))
  }

  @Test(
    "an instant beyond four-digit years is written with as many digits as it needs",
    arguments: [
      (Int64.min, "-292275055-05-16T16:47:04.192Z"), (Int64.max, "292278994-08-17T07:12:55.807Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00Z"), (-62_167_219_200_001, "-0001-12-31T23:59:59.999Z"),
      (253_402_300_800_000, "10000-01-01T00:00:00Z"),
    ] as [(Int64, String)])
  func farText(milliseconds: Int64, text: String) { #expect(Instant(milliseconds: milliseconds).text == text) }

  @Test("each date from 1895 to 2105 is followed by the next one")
  func days() throws {
    var date = try #require(CivilDate(year: 1895, month: 1, day: 1))
    for number in date.daysSince1970..<(date.daysSince1970 + 76_700) {
      #expect(CivilDate(daysSince1970: number) == date)
      #expect(date.daysSince1970 == number)
      let next = CivilDate(year: date.year, month: date.month, day: date.day + 1)
      date = try #require(
        next ?? CivilDate(year: date.year, month: date.month + 1, day: 1) ?? CivilDate(year: date.year + 1, month: 1, day: 1))
    }
    #expect(date.year == 2104 || date.year == 2105)
  }
}

@Suite("Durations as text")
struct DurationTextTests {
  @Test(
    "a duration is parsed and written in its largest units",
    arguments: [
      ("2h", 7_200_000, "2h"), ("90s", 90_000, "1m30s"), ("1d12h", 129_600_000, "1d12h"), ("0s", 0, "0s"), ("250ms", 250, "250ms"),
      ("1w", 604_800_000, "7d"),
      ("1.5h", 5_400_000, "1h30m"), ("0.25s", 250, "250ms"), ("1h0.5s", 3_600_500, "1h500ms"), ("2H", 7_200_000, "2h"),
      ("1m1ms", 60_001, "1m1ms"),
      ("PT2H", 7_200_000, "2h"), ("P1DT12H", 129_600_000, "1d12h"), ("P2W", 1_209_600_000, "14d"), ("PT0.5S", 500, "500ms"),
      ("pt15m", 900_000, "15m"), ("P1D", 86_400_000, "1d"),
      ("1.50000000000000h", 5_400_000, "1h30m"),
    ] as [(String, Int64, String)])
  func parsed(text: String, milliseconds: Int64, written: String) throws {
    #expect(try DurationText.milliseconds(in: text) == milliseconds)
    #expect(DurationText.text(milliseconds: milliseconds) == written)
    #expect(try DurationText.milliseconds(in: written) == milliseconds)
  }

  @Test(
    "a text that is not a duration is rejected with an example",
    arguments: [
      "", "2", "h", "-2h", "+2h", "2 h", " 2h", "2h ", "2x", "1h1h", "1m1h", "1ms1s", "1.h", ".5h", "1.5h30m", "0.0001s", "1e3s", "P", "PT",
      "P1", "P1DT", "1M", "1H2M", "2 days", "P1M", "P1Y", "PT1D", "P1H",
      "P1W1M", "PT1H1H", "P1.5", "99999999999999999999h", "9223372036854775807w", "9999999w", "٢h", String(repeating: "1", count: 70) + "s",
    ])
  func refused(text: String) {
    let fault = #expect(throws: Fault.self) { try DurationText.milliseconds(in: text) }
    #expect(fault?.message.hasSuffix(".") == true || fault?.message.hasSuffix(").") == true)
  }

  @Test("the shortest and longest durations are written", arguments: [Int64.min, .max, -1]) func extremes(milliseconds: Int64) {
    #expect(DurationText.text(milliseconds: milliseconds).hasPrefix("-") == (milliseconds < 0))
  }
}
