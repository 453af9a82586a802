// Tests Firebase's time conditions in time zones that the host has or lacks, and versions in custom signals.

import GameConfCore
import GameConfFormats
import GameConfZones
import Testing

@Suite("Time zones and versions in Firebase conditions")
struct TemplateZoneTests {
  /// The time zones of a host with one zone, which is one hour ahead of UTC in winter and two hours in summer.
  private static let zones = ZoneFiles { name in
    guard name.text == "Europe/Berlin" else { return nil }
    let head: [UInt8] = Array("TZif2".utf8) + Array(repeating: 0, count: 15 + 12) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    let block: [UInt8] = [0, 0, 0x0E, 0x10, 0, 0, 0]
    return head + block + head + block + Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
  }

  private func read(_ expression: String, _ zones: ZoneFiles = zones) throws -> Template {
    try TemplateReader.read(
      [
        "conditions": [["name": "c", "expression": .string(expression)]],
        "parameters": ["flag": ["defaultValue": ["value": "false"], "conditionalValues": ["c": ["value": "true"]]]],
      ], for: TemplateCatalog.catalog(), zones: zones)
  }

  @Test(
    "a local time in a Firebase condition is the instant at which a clock in its time zone shows that time",
    arguments: [
      ("dateTime >= dateTime('2026-07-24T00:00:00', 'Europe/Berlin')", "2026-07-23T22:00:00Z"),
      ("device.dateTime >= dateTime('2026-12-24T00:00:00', 'Europe/Berlin')", "2026-12-23T23:00:00Z"),
      ("dateTime >= dateTime('2026-03-29T02:30:00', 'Europe/Berlin')", "2026-03-29T01:30:00Z"),
      ("dateTime >= dateTime('2026-10-25T02:30:00', 'Europe/Berlin')", "2026-10-25T00:30:00Z"),
      ("dateTime >= dateTime('2026-07-24T00:00:00', 'UTC')", "2026-07-24T00:00:00Z"),
      ("dateTime >= dateTime('2026-07-24T00:00:00')", "2026-07-24T00:00:00Z"),
    ])
  func zones(expression: String, instant: String) throws {
    let template = try read(expression)
    let start = try Instant(parsing: instant)
    #expect(template.remarks == [])
    let before = try TemplateCatalog.answer("flag", template, now: Instant(milliseconds: start.milliseconds - 1))
    #expect(before.value == false)
    #expect(before.nextChangeAt == start)
    #expect(try TemplateCatalog.answer("flag", template, now: start).value == true)
  }

  @Test(
    "a Firebase condition with a time zone that the host lacks gets a remark and is never true",
    arguments: ["America/Los_Angeles", "Mars/Olympus", "../../../etc/passwd", "/etc/passwd", "", "europe/berlin"])
  func absent(zone: String) throws {
    let template = try read("dateTime < dateTime('2099-07-24T00:00:00', '\(zone)')")
    #expect(template.remarks.count == 1)
    #expect(template.remarks.first?.pointer == "/conditions")
    #expect(template.remarks.first?.message.contains("“\(zone)”") == true, "\(template.remarks)")
    #expect(try TemplateCatalog.answer("flag", template).value == false)
    // A zone with a valid name may exist on another host, so it is listed as missing.
    #expect(template.missingZones.count == (["America/Los_Angeles", "Mars/Olympus", "europe/berlin"].contains(zone) ? 1 : 0))
  }

  @Test(
    "an empty percentage range is remarked",
    arguments: [("between 60 and 40", true), ("between 40 and 40", true), ("between 40 and 60", false), ("<= 0", false)])
  func emptyShare(share: String, isRemarked: Bool) throws {
    let remarks = try read("percent('s') \(share)").remarks
    #expect(remarks.count == (isRemarked ? 1 : 0), "\(remarks)")
    #expect(!isRemarked || remarks[0].message.contains("“c” is never fulfilled: no percentage is above"), "\(remarks)")
  }

  @Test("a time in a Firebase condition that ends in Z is in UTC, and a condition that also names another time zone is rejected")
  func twoZones() throws {
    #expect(try read("dateTime < dateTime('2026-07-24T00:00:00Z', 'UTC')").remarks == [])
    #expect(throws: Faults.self) { try read("dateTime < dateTime('2026-07-24T00:00:00Z', 'Europe/Berlin')") }
    #expect(throws: Faults.self) { try read("dateTime < dateTime('9999-12-31T23:59:59+02:00')") }
    #expect(throws: Faults.self) { try read("dateTime < dateTime('0001-01-01T00:00:00', 'Europe/Berlin')") }
  }

  @Test(
    "version(…) in a Firebase condition compares a custom signal as a version",
    arguments: [
      ("version(app.customSignal['ver']) >= '1.10.0'", "1.10", "1.9"), ("version(app.customSignal['ver']) == '2'", "2.0.0", "2.0.1"),
      ("version(app.userProperty['ver']).<(['2'])", "1.99", "2.0"), ("version(app.customSignal['ver']) != '2'", "1", "2.0"),
    ])
  func versions(expression: String, inside: String, outside: String) throws {
    let template = try read(expression)
    #expect(try TemplateCatalog.answer("flag", template, ["ver": .string(inside)]).value == true)
    #expect(try TemplateCatalog.answer("flag", template, ["ver": .string(outside)]).value == false)
    #expect(try TemplateCatalog.answer("flag", template, ["ver": "none"]).value == false)
  }

  @Test(
    "version(…) in a Firebase condition is rejected unless its argument is a custom signal",
    arguments: ["version(device.os) > '1'", "version() > '1'", "version(app.customSignal['v'] > '1'", "version > '1'"])
  func otherVersions(expression: String) {
    #expect(throws: Faults.self) { try read(expression) }
  }
}
