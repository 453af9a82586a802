// Memory after something large was let go of.

import GameConfCore
import Glibc
import Testing

@Suite("Memory that was let go of", .serialized)
struct GivenBackMemoryTests {
  /// What the process has in memory, in MiB.
  private func resident(_ daemon: RunningDaemon) throws -> Int {
    let status = try #require(TemporaryFolder.read("/proc/\(daemon.process.pid)/status"))
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let kibibytes = try #require(line?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    return kibibytes >> 10
  }

  @Test("eight thousand overrides set and cleared leave little more than was there before")
  func cleared() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog], arguments: ["--log-level", "debug"])
    let before = try resident(daemon)
    var most = before
    for _ in 0..<2 {
      let rows = (0..<8_000).map { number -> Value in ["player": .string("player-\(number)"), "key": "lives", "value": 5] }
      let imported = try daemon.ask("POST", "/v1/games/mine/overrides/import", body: ["overrides": .list(rows)], admin: true)
      #expect(imported.status == 200, "\(imported.text.prefix(300))")
      most = max(most, try resident(daemon))
      #expect(try daemon.ask("POST", "/v1/games/mine/overrides/clear", body: ["scope": "players"], admin: true).status == 200)
    }
    #expect(most > before + 32, "\(before) to \(most) MiB")
    // The daemon looks by and by, and says when it has done it.
    #expect(daemon.process.waitForLine(containing: "memory that was free was given back") != nil)
    let after = try resident(daemon)
    #expect(after <= before + (most - before) / 2, "\(before) MiB before, \(most) at most, \(after) after")
  }
}
