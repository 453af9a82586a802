// Compares the conversion of local times with Python's zoneinfo, for the host's zones and for POSIX TZ rules alone.

import GameConfCore
import GameConfZones
import Glibc
import Testing

@Suite("Conversion of local times to instants")
struct ZoneClockTests {
  @Test(
    "local times convert as by Python's zoneinfo: a repeated hour means its first occurrence, a skipped hour is moved forward",
    arguments: [
      ("America/Los_Angeles", "2020-07-24T00:00:00", "2020-07-24T07:00:00Z"),
      ("America/Los_Angeles", "2024-03-10T01:59:59", "2024-03-10T09:59:59Z"),
      ("America/Los_Angeles", "2024-03-10T02:00:00", "2024-03-10T10:00:00Z"),
      ("America/Los_Angeles", "2024-03-10T02:30:00", "2024-03-10T10:30:00Z"),
      ("America/Los_Angeles", "2024-03-10T03:00:00", "2024-03-10T10:00:00Z"),
      ("America/Los_Angeles", "2024-11-03T00:59:59", "2024-11-03T07:59:59Z"),
      ("America/Los_Angeles", "2024-11-03T01:00:00", "2024-11-03T08:00:00Z"),
      ("America/Los_Angeles", "2024-11-03T01:59:59", "2024-11-03T08:59:59Z"),
      ("America/Los_Angeles", "2024-11-03T02:00:00", "2024-11-03T10:00:00Z"),
      ("America/Los_Angeles", "2040-03-11T02:30:00", "2040-03-11T10:30:00Z"),
      ("America/Los_Angeles", "2040-07-01T12:00:00", "2040-07-01T19:00:00Z"),
      ("America/Los_Angeles", "2040-11-04T01:30:00", "2040-11-04T08:30:00Z"),
      ("America/Los_Angeles", "2400-07-01T00:00:00", "2400-07-01T07:00:00Z"),
      ("America/Los_Angeles", "1883-11-18T12:00:00", "1883-11-18T19:52:58Z"),
      ("America/Los_Angeles", "1850-01-01T00:00:00", "1850-01-01T07:52:58Z"),
      ("Europe/Berlin", "2024-03-31T01:59:59", "2024-03-31T00:59:59Z"),
      ("Europe/Berlin", "2024-03-31T02:30:00", "2024-03-31T01:30:00Z"),
      ("Europe/Berlin", "2024-03-31T03:00:00", "2024-03-31T01:00:00Z"),
      ("Europe/Berlin", "2024-10-27T01:59:59", "2024-10-26T23:59:59Z"),
      ("Europe/Berlin", "2024-10-27T02:30:00", "2024-10-27T00:30:00Z"),
      ("Europe/Berlin", "2024-10-27T03:00:00", "2024-10-27T02:00:00Z"),
      ("Europe/Berlin", "2045-06-15T12:00:00", "2045-06-15T10:00:00Z"),
      ("Europe/Berlin", "1945-06-01T00:00:00", "1945-05-31T21:00:00Z"),
      ("Europe/Dublin", "2024-03-31T00:59:59", "2024-03-31T00:59:59Z"),
      ("Europe/Dublin", "2024-03-31T01:30:00", "2024-03-31T01:30:00Z"),
      ("Europe/Dublin", "2024-03-31T02:00:00", "2024-03-31T01:00:00Z"),
      ("Europe/Dublin", "2024-10-27T00:59:59", "2024-10-26T23:59:59Z"),
      ("Europe/Dublin", "2024-10-27T01:30:00", "2024-10-27T00:30:00Z"),
      ("Europe/Dublin", "2024-10-27T02:00:00", "2024-10-27T02:00:00Z"),
      ("Europe/Dublin", "2050-01-01T00:00:00", "2050-01-01T00:00:00Z"),
      ("Europe/Dublin", "2050-07-01T00:00:00", "2050-06-30T23:00:00Z"),
      ("Australia/Lord_Howe", "2024-04-07T01:29:59", "2024-04-06T14:29:59Z"),
      ("Australia/Lord_Howe", "2024-04-07T01:45:00", "2024-04-06T14:45:00Z"),
      ("Australia/Lord_Howe", "2024-04-07T02:00:00", "2024-04-06T15:30:00Z"),
      ("Australia/Lord_Howe", "2024-10-06T02:00:00", "2024-10-05T15:30:00Z"),
      ("Australia/Lord_Howe", "2024-10-06T02:15:00", "2024-10-05T15:45:00Z"),
      ("Australia/Lord_Howe", "2024-10-06T02:30:00", "2024-10-05T15:30:00Z"),
      ("Australia/Lord_Howe", "2060-01-01T00:00:00", "2059-12-31T13:00:00Z"),
      ("Asia/Kolkata", "2024-06-01T00:00:00", "2024-05-31T18:30:00Z"),
      ("Asia/Kolkata", "2100-06-01T00:00:00", "2100-05-31T18:30:00Z"),
      ("Asia/Kathmandu", "2024-06-01T00:00:00", "2024-05-31T18:15:00Z"),
      ("Pacific/Apia", "2011-12-29T23:59:59", "2011-12-30T09:59:59Z"),
      ("Pacific/Apia", "2011-12-30T12:00:00", "2011-12-30T22:00:00Z"),
      ("Pacific/Apia", "2011-12-31T00:00:00", "2011-12-30T10:00:00Z"),
      ("America/Nuuk", "2030-03-30T21:59:59", "2030-03-30T23:59:59Z"),
      ("America/Nuuk", "2030-03-30T22:30:00", "2030-03-31T00:30:00Z"),
      ("America/Nuuk", "2050-03-26T22:30:00", "2050-03-27T00:30:00Z"),
      ("America/Nuuk", "2050-10-29T23:30:00", "2050-10-30T00:30:00Z"),
      ("Etc/GMT+5", "2024-06-01T00:00:00", "2024-06-01T05:00:00Z"),
      ("America/Argentina/Buenos_Aires", "2024-06-01T00:00:00", "2024-06-01T03:00:00Z"),
    ])
  func clock(name: String, clock: String, instant: String) throws {
    let zone = try ZoneFiles { try? HostZone.bytes(of: $0) }.zone(named: name)
    #expect(try zone.instant(showing: Instant(parsing: clock + "Z"))?.text == instant)
  }

  @Test(
    "a zone that has only a POSIX TZ rule converts local times by that rule",
    arguments: [
      ("PST8PDT,M3.2.0,M11.1.0", "2040-03-11T02:30:00", "2040-03-11T10:30:00Z"),
      ("PST8PDT,M3.2.0,M11.1.0", "2040-11-04T01:30:00", "2040-11-04T08:30:00Z"),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2040-01-01T00:00:00", "2040-01-01T00:00:00Z"),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2040-03-25T01:30:00", "2040-03-25T01:30:00Z"),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2040-10-28T01:30:00", "2040-10-28T00:30:00Z"),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2040-03-24T23:00:00", "2040-03-25T01:00:00Z"),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2040-03-24T22:59:59", "2040-03-25T00:59:59Z"),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2040-10-27T23:30:00", "2040-10-28T00:30:00Z"),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2040-03-24T02:30:00", "2040-03-24T00:30:00Z"),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2040-10-27T01:30:00", "2040-10-26T22:30:00Z"),
      ("XXX3EDT4,0/0,J365/23", "2040-01-01T00:00:00", "2040-01-01T04:00:00Z"),
      ("XXX3EDT4,0/0,J365/23", "2040-12-31T23:59:59", "2041-01-01T03:59:59Z"),
      ("XXX3EDT4,0/0,J365/23", "2041-01-01T00:30:00", "2041-01-01T04:30:00Z"),
      ("AAA0BBB,J60,J300/2:30:15", "2024-02-29T12:00:00", "2024-02-29T12:00:00Z"),
      ("AAA0BBB,J60,J300/2:30:15", "2024-03-01T03:00:00", "2024-03-01T02:00:00Z"),
      ("AAA0BBB,J60,J300/2:30:15", "2023-03-01T03:00:00", "2023-03-01T02:00:00Z"),
      ("AAA0BBB,J60,J300/2:30:15", "2023-10-27T03:30:15", "2023-10-27T03:30:15Z"),
      // The expected values are glibc's: Python's zoneinfo places days without J one day too early.
      ("AAA0BBB,59,299", "2024-02-29T02:30:00", "2024-02-29T02:30:00Z"),
      ("AAA0BBB,59,299", "2024-02-29T03:00:00", "2024-02-29T02:00:00Z"),
      ("AAA0BBB,59,299", "2023-02-28T12:00:00", "2023-02-28T12:00:00Z"),
      ("AAA0BBB,59,299", "2023-03-01T03:00:00", "2023-03-01T02:00:00Z"),
      ("AAA0BBB,J59,J300", "2024-02-28T03:00:00", "2024-02-28T02:00:00Z"),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2040-01-01T00:00:00", "2039-12-31T13:00:00Z"),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2040-04-01T02:30:00", "2040-03-31T15:30:00Z"),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2040-10-07T02:30:00", "2040-10-06T16:30:00Z"),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2040-07-01T00:00:00", "2040-06-30T14:00:00Z"),
      ("<+0330>-3:30", "2040-01-01T00:00:00", "2039-12-31T20:30:00Z"),
      ("AAA-14:59:59", "2040-01-01T00:00:00", "2039-12-31T09:00:01Z"),
    ])
  func rule(rule: String, clock: String, instant: String) throws {
    #expect(try TZifBytes.zone(rule: rule).instant(showing: Instant(parsing: clock + "Z"))?.text == instant)
  }

  @Test("a zone's POSIX TZ rule applies only after the last transition that its file lists")
  func slim() throws {
    // New York until March 2007, when the rule of the United States changed to this one.
    let zone = try Zone(
      tzif: TZifBytes(
        transitions: [(1_162_101_600, 0), (1_173_596_400, 1)], offsets: [-18_000, -14_400], rule: "EST5EDT,M3.2.0,M11.1.0"
      ).bytes)
    for (clock, instant) in [
      ("2006-12-01T00:00:00", "2006-12-01T05:00:00Z"), ("2007-03-11T02:30:00", "2007-03-11T07:30:00Z"),
      ("2007-07-01T00:00:00", "2007-07-01T04:00:00Z"), ("2007-11-04T01:30:00", "2007-11-04T05:30:00Z"),
      ("2007-12-01T00:00:00", "2007-12-01T05:00:00Z"), ("2006-03-15T00:00:00", "2006-03-15T05:00:00Z"),
    ] {
      #expect(try zone.instant(showing: Instant(parsing: clock + "Z"))?.text == instant, "\(clock)")
    }
  }

  @Test("a TZif file of version 1 is read with 32-bit times, and its last offset applies forever")
  func first() throws {
    let zone = try Zone(tzif: TZifBytes(version: "\0", transitions: [(-1, 1)], offsets: [0, 3600]).bytes)
    #expect(try zone.instant(showing: Instant(parsing: "1969-12-31T12:00:00Z"))?.text == "1969-12-31T12:00:00Z")
    #expect(try zone.instant(showing: Instant(parsing: "2100-01-01T00:00:00Z"))?.text == "2099-12-31T23:00:00Z")
  }

  @Test("a local time whose instant is outside the years 0001 to 9999 has no result")
  func ends() throws {
    let east = try TZifBytes.zone(rule: "XXX-14")
    #expect(east.instant(showing: .earliest) == nil)
    #expect(east.instant(showing: .latest)?.text == "9999-12-31T09:59:59.999Z")
    let west = try TZifBytes.zone(rule: "PST8PDT,M3.2.0,M11.1.0")
    #expect(west.instant(showing: .latest) == nil)
    #expect(west.instant(showing: .earliest)?.text == "0001-01-01T08:00:00Z")
    #expect(west.instant(showing: Instant(milliseconds: .max)) == nil)
    #expect(west.instant(showing: Instant(milliseconds: .min)) == nil)
  }
}

/// The zone files of this host, from the package tzdata.
enum HostZone {
  static func bytes(of name: ZoneName) throws -> [UInt8] {
    let file = try #require(fopen("/usr/share/zoneinfo/" + name.text, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: Zone.bytesMax)
    let count = fread(&bytes, 1, Zone.bytesMax, file)
    return Array(bytes[..<count])
  }
}
