// Tests calendar periods as text, and the dates of renewals counted from their anchor.

import GameConfCore
import Testing

@Suite("Calendar periods")
struct CalendarPeriodTests {
  @Test(
    "a period is written as the text it was parsed from", arguments: ["P1W", "P3D", "P16D", "P1M", "P2M", "P3M", "P6M", "P1Y", "P9999D"])
  func parsed(text: String) throws { #expect(try CalendarPeriod(parsing: text).text == text) }

  @Test(
    "a text that is not one count and one unit is not parsed as a period",
    arguments: [
      "", "P", "1W", "P0D", "P0M", "P-1D", "P1", "PD", "P1H", "PT1M", "P1M1D", "p1m", "P1m", "P1.5M", "P10000D", "P99999999999999999999D",
      " P1M", "P1M ", "P٣M",
    ])
  func refused(text: String) {
    let fault = #expect(throws: Fault.self) { try CalendarPeriod(parsing: text) }
    #expect(fault?.message.hasSuffix(".") == true)
  }

  @Test(
    "the n-th renewal is n periods after the anchor, clipped to the end of the month",
    arguments: [
      ("2024-01-31T10:00:00Z", "P1M", 1, "2024-02-29T10:00:00Z"), ("2024-01-31T10:00:00Z", "P1M", 2, "2024-03-31T10:00:00Z"),
      ("2024-01-31T10:00:00Z", "P1M", 3, "2024-04-30T10:00:00Z"), ("2023-01-31T00:00:00Z", "P1M", 1, "2023-02-28T00:00:00Z"),
      ("2023-12-31T23:59:59.999Z", "P1M", 1, "2024-01-31T23:59:59.999Z"),
      ("2023-12-31T23:59:59.999Z", "P1M", 2, "2024-02-29T23:59:59.999Z"),
      ("2024-02-29T00:00:00Z", "P1Y", 1, "2025-02-28T00:00:00Z"), ("2024-02-29T00:00:00Z", "P1Y", 4, "2028-02-29T00:00:00Z"),
      ("2096-02-29T00:00:00Z", "P1Y", 4, "2100-02-28T00:00:00Z"), ("1996-02-29T00:00:00Z", "P1Y", 4, "2000-02-29T00:00:00Z"),
      ("2023-11-30T00:00:00Z", "P3M", 1, "2024-02-29T00:00:00Z"), ("2023-08-31T00:00:00Z", "P6M", 1, "2024-02-29T00:00:00Z"),
      ("2023-12-28T00:00:00Z", "P1W", 1, "2024-01-04T00:00:00Z"), ("2024-02-28T00:00:00Z", "P1D", 2, "2024-03-01T00:00:00Z"),
      ("2024-03-31T00:00:00Z", "P1M", -1, "2024-02-29T00:00:00Z"), ("2024-05-15T00:00:00Z", "P1M", 0, "2024-05-15T00:00:00Z"),
      ("9999-11-30T00:00:00Z", "P1M", 1, "9999-12-30T00:00:00Z"), ("9998-12-31T00:00:00Z", "P1Y", 1, "9999-12-31T00:00:00Z"),
      ("9999-12-01T00:00:00Z", "P1M", 1, nil), ("9999-12-31T23:59:59Z", "P1D", 1, nil), ("2024-01-01T00:00:00Z", "P1Y", 7976, nil),
      ("2024-01-01T00:00:00Z", "P1Y", 7975, "9999-01-01T00:00:00Z"), ("0001-01-31T00:00:00Z", "P1M", -1, nil),
      ("2024-01-01T00:00:00Z", "P9999Y", .max, nil),
      ("2024-01-01T00:00:00Z", "P1D", .min, nil),
    ] as [(String, String, Int, String?)])
  func renewal(anchor: String, period: String, times: Int, expected: String?) throws {
    #expect(try Instant(parsing: anchor).adding(CalendarPeriod(parsing: period), times: times)?.text == expected)
  }
}
