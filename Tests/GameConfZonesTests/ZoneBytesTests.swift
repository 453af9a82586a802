// Tests the parser of TZif files with truncated, wrong and hostile data, and the check of zone names.

import GameConfCore
import GameConfZones
import Testing

@Suite("TZif files that are damaged or hostile")
struct ZoneBytesTests {
  private static let whole = TZifBytes(
    transitions: [(-1_000_000, 1), (1_000_000, 0), (2_000_000, 1)], offsets: [3600, 7200], rule: "CET-1CEST,M3.5.0,M10.5.0/3")

  private func read(_ bytes: [UInt8]) -> Zone? { try? Zone(tzif: bytes) }

  @Test("a TZif file that is truncated at any byte is refused", arguments: ["\0", "2", "3", "4"] as [Unicode.Scalar])
  func cut(version: Unicode.Scalar) {
    var file = Self.whole
    file.version = version
    let bytes = file.bytes
    #expect(read(bytes) != nil)
    for end in bytes.indices { #expect(read(Array(bytes[..<end])) == nil, "\(end) of \(bytes.count) bytes") }
  }

  @Test("a count in a TZif header that is too large is refused without an allocation or a crash", arguments: 0..<12)
  func counts(place: Int) {
    var bytes = Self.whole.bytes
    // Each of the two headers has six counts. A header has 44 bytes, and the block after the first has 10, hence the step of 54 bytes.
    let at = 20 + place % 6 * 4 + place / 6 * 54
    for count in [[0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 1, 0, 0]] as [[UInt8]] {
      bytes.replaceSubrange(at..<at + 4, with: count)
      #expect(read(bytes) == nil)
    }
  }

  @Test("replacing any byte of a TZif file by any value never crashes the parser or the conversion")
  func bytes() {
    let bytes = Self.whole.bytes
    for at in bytes.indices {
      for value in [0x00, 0x01, 0x0A, 0x2D, 0x39, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = bytes
        changed[at] = value
        guard let zone = read(changed) else { continue }
        for clock in [Instant.earliest, .latest, Instant(milliseconds: 0), Instant(milliseconds: .max), Instant(milliseconds: .min)] {
          _ = zone.instant(showing: clock)
        }
      }
    }
  }

  @Test(
    "a TZif file that contradicts itself is refused with the reason",
    arguments: [
      (TZifBytes(transitions: [(5, 0), (5, 0)]), "its times do not ascend"),
      (TZifBytes(transitions: [(5, 0), (4, 0)]), "its times do not"),
      (TZifBytes(transitions: [(5, 1)]), "it names a kind"), (TZifBytes(offsets: []), "it has 0 kinds"),
      (TZifBytes(offsets: [.min]), "it has an offset of more than a day"), (TZifBytes(offsets: [93_600]), "it has an offset"),
      (TZifBytes(transitions: [(5, 0)], leapSeconds: 2), "it counts leap seconds"), (TZifBytes(version: "1"), "its version is unknown"),
      (TZifBytes(offsets: Array(repeating: 0, count: 257)), "it has 257 kinds"),
    ] as [(TZifBytes, String)])
  func contradictions(file: TZifBytes, reason: String) {
    do throws(Fault) {
      _ = try Zone(tzif: file.bytes)
      Issue.record("it was read")
    } catch { #expect(error.message.hasPrefix(reason)) }
  }

  @Test("a transition at the Big Bang, as old TZif files have it, only sets the zone's first offset")
  func bigBang() throws {
    let zone = try Zone(tzif: TZifBytes(transitions: [(-1 << 59, 1), (.max, 0)], offsets: [0, 3600]).bytes)
    #expect(zone.instant(showing: Instant(seconds: 0))?.seconds == -3600)
    #expect(zone.instant(showing: Instant(seconds: 200_000_000_000))?.seconds == 199_999_996_400)
  }

  @Test(
    "a POSIX TZ rule in any other form is refused",
    arguments: [
      "P8", "PST", "PST8PDT", "PST8PDT,", "PST8PDT,M3.2.0", "PST8PDT,M3.2.0,", "PST8PDT,M13.2.0,M11.1.0", "PST8PDT,M3.6.0,M11.1.0",
      "PST8PDT,M3.2.7,M11.1.0", "PST8PDT,M3.2.0,M11.1.0,", "PST25", "PST8:60", "PST8:00:60", "<PST8", "<>8", "<P!T>8", ":Europe/Berlin",
      "PST8PDT,J0,J1", "PST8PDT,J366,J1", "PST8PDT,366,1", "PST8PDT,M3.2.0/168,M11.1.0", "PST99999999999999999999",
      "PST8PDT,M3.2.0\n,M11.1.0",
      "PST-", "PST--8", "Π8",
    ])
  func rules(rule: String) {
    #expect(throws: Fault.self) { try TZifBytes.zone(rule: rule) }
  }

  @Test("a TZif file above the size limit is refused")
  func long() {
    #expect(read([UInt8](repeating: 0, count: Zone.bytesMax + 1)) == nil)
    #expect(read(Self.whole.bytes + [0]) == nil)
    #expect(read([]) == nil)
  }
}

@Suite("Names of time zones")
struct ZoneNameTests {
  @Test(
    "a zone name with only allowed characters is accepted unchanged",
    arguments: ["UTC", "America/Los_Angeles", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "Etc/GMT-14"])
  func admitted(name: String) { #expect(ZoneName(name)?.text == name) }

  @Test(
    "a zone name that could lead out of the folder is refused before any file is opened",
    arguments: [
      "", "/", "/etc/passwd", "..", "../passwd", "America/../../../etc/passwd", "America/", "/America", "America//New_York", ".", "a.b",
      "a b",
      "America\\New_York", "Zürich", "a\0b", "a%2Fb", "~", String(repeating: "a", count: 65),
    ])
  func refused(name: String) {
    #expect(ZoneName(name) == nil)
    // The lookup must refuse such a name before it requests the host's file.
    let files = ZoneFiles { _ in
      Issue.record("a file was looked for")
      return nil
    }
    #expect(throws: Fault.self) { try files.zone(named: name) }
  }

  @Test("UTC needs no zone file; the error for another zone names the missing or damaged file")
  func absent() throws {
    for name in ["UTC", "GMT", "Etc/UTC", "Etc/GMT", "Z"] { #expect(try ZoneFiles.none.zone(named: name) == .utc) }
    do throws(Fault) {
      _ = try ZoneFiles.none.zone(named: "Mars/Olympus")
      Issue.record("it was found")
    } catch { #expect(error.message == "this host has no time zone “Mars/Olympus” (Debian's package tzdata brings them)") }
    do throws(Fault) {
      _ = try ZoneFiles { _ in Array("TZif".utf8) }.zone(named: "Mars/Olympus")
      Issue.record("it was read")
    } catch { #expect(error.message == "this host's data of the time zone “Mars/Olympus” cannot be used: it ends too early") }
  }
}
