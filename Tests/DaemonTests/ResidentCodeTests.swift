// The code that the daemon unmaps after its start, and memory that it returns later.

import GameConfCore
import Glibc
import TestSupport
import Testing

@testable import gameconfd

@Suite("The daemon's memory after its start")
struct ResidentCodeTests {
  @Test("only mapped code and the constants before it are released after the start, never relocated data, other data or kernel mappings")
  func ranges() {
    let maps = """
      55cd479d5000-55cd47d8f000 r--p 00000000 fe:00 1835092                    /usr/bin/game conf d
      55cd47d8f000-55cd4a0ff000 r-xp 00000000 fe:00 1835092                    /usr/bin/game conf d
      55cd4a0ff000-55cd4a1e6000 r--p 0236f000 fe:00 1835092                    /usr/bin/game conf d
      55cd4a1e6000-55cd4c667000 rw-p 02456000 fe:00 1835092                    /usr/bin/game conf d
      55cd4c667000-55cd4c772000 rw-p 00000000 00:00 0                          [heap]
      7fb433000000-7fb433001000 r-xp 00000000 00:00 0
      7fb433e1c000-7fb433e44000 r--p 00000000 fe:00 788                        /usr/lib/x86_64-linux-gnu/libm.so.6
      7fb433e44000-7fb433f9a000 r-xp 00028000 fe:00 789                        /usr/lib/x86_64-linux-gnu/libc.so.6
      7ffd0a5f0000-7ffd0a5f2000 r-xp 00000000 00:00 0                          [vdso]
      ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
      nonsense
      """
    #expect(
      ProgramCodeMemory.releasableRanges(maps: maps) == [
        0x55cd_479d_5000..<0x55cd_47d8_f000, 0x55cd_47d8_f000..<0x55cd_4a0f_f000, 0x7fb4_33e4_4000..<0x7fb4_33f9_a000,
      ])
  }

  @Test("a process continues after its mapped code and constants were released")
  func release() {
    let maps = String(decoding: TemporaryFolder.read("/proc/self/maps") ?? [], as: UTF8.self)
    #expect(!ProgramCodeMemory.releasableRanges(maps: maps).isEmpty)
    ProgramCodeMemory.release()
  }

  /// Returns the daemon's resident memory that is not shared, in MiB.
  private func residentMebibytes(_ daemon: RunningDaemon) throws -> Int {
    let text = try #require(TemporaryFolder.read("/proc/\(daemon.process.pid)/statm"))
    let pages = String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    try #require(pages.count > 2)
    return (pages[1] - pages[2]) * Int(getpagesize()) >> 20
  }

  @Test(
    "setting and clearing many overrides repeatedly leaves no more memory in use than a few do", .enabled(if: TestLength.isLong))
  func givenBack() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    func round(_ count: Int) throws {
      let rows = (0..<count).map { number -> Value in ["player": .string("p\(number)"), "key": "lives", "value": 5] }
      let imported = try daemon.ask(
        "POST", "/v1/games/mine/overrides/import", body: ["mode": "merge", "overrides": .list(rows)], admin: true)
      #expect(imported.json["imported"] == .integer(Int64(count)), "\(imported.text)")
      let cleared = try daemon.ask("POST", "/v1/games/mine/overrides/clear", body: ["scope": "players"], admin: true)
      #expect(cleared.json["cleared"] == .integer(Int64(count)))
    }
    try round(100)
    let before = try residentMebibytes(daemon)
    for _ in 0..<4 { try round(5_000) }
    // The daemon retains the revision of the last change of each override slot. It returns freed memory within some seconds.
    var after = 0
    let isGivenBack = try daemon.waits(seconds: 120) {
      after = try residentMebibytes(daemon)
      return after <= before + 32
    }
    #expect(isGivenBack, "\(before), then \(after) MiB")
  }
}
