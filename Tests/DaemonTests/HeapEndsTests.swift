// Memory that large changes used is returned to the system.

import GameConfCore
import Glibc
import TestSupport
import Testing

@Suite("Memory behind large changes", .enabled(if: TestStore.connection == nil && TestLength.isLong))
struct HeapEndsTests {
  private static let rows = 20_000
  /// The limit of resident memory. A daemon that keeps free memory at the top of its heap's arenas has three times as much.
  private static let residentMax = 100 << 20

  /// Returns the daemon's resident memory that is not shared, in bytes.
  private func resident(_ daemon: RunningDaemon) throws -> Int {
    let text = try #require(TemporaryFolder.read("/proc/\(daemon.process.pid)/statm"))
    let pages = String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    try #require(pages.count > 2)
    return (pages[1] - pages[2]) * Int(getpagesize())
  }

  @Test("setting and clearing 40 000 overrides leaves no memory in use", .timeLimit(.minutes(15)))
  func givenBack() async throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    for number in 1...2 {
      let overrides = (0..<Self.rows).map { Value.object(["player": .string("p\($0)"), "key": "lives", "value": .integer(Int64(number))]) }
      let body: Value = ["reason": "much", "overrides": .list(overrides)]
      #expect(try daemon.ask("POST", "/v1/games/mine/overrides/import", body: body, admin: true).status == 200)
      #expect(try daemon.ask("POST", "/v1/games/mine/overrides/clear", body: ["scope": "players"], admin: true).status == 200)
    }
    while try resident(daemon) > Self.residentMax { await Task.yield() }
  }
}
