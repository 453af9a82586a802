// The daemon is killed while it gives the packed lines of large changes rows of their own: each line is there once, before and after.

import GameConfCore
import Glibc
import Testing

@testable import GameConfStorage

@Suite("Killed while lines are unpacked", .serialized, .enabled(if: TestStore.connection == nil))
struct KilledUnpackingTests {
  private static let rows = 2_000
  /// In so many rows the lines of a change are written.
  private static let packsMax: Int64 = 16
  /// So many kills must have met a change of which some lines had rows of their own and some had none.
  private static let middlesMin = 2
  private static let changesMax = 8

  /// How many packs are left.
  private func packs(_ daemon: RunningDaemon) throws -> Int64 {
    let reading = try SQLiteConnection(path: daemon.folder.path + "/state/gameconfd.db", for: .reading)
    defer { reading.close() }
    return try reading.integer("SELECT count(*) FROM audit_packs") ?? 0
  }

  /// Waits until no more than so many are left.
  private func unpacked(_ daemon: RunningDaemon, left: Int64) throws {
    let end = ContinuousClock.now + .seconds(60)
    while try packs(daemon) > left { try #require(ContinuousClock.now < end, "packs are left as they are") }
  }

  private func change(_ daemon: RunningDaemon, _ number: Int) throws {
    let overrides = (0..<Self.rows).map { Value.object(["player": .string("p\($0)"), "key": "lives", "value": .integer(Int64(number))]) }
    let answer = try daemon.ask(
      "POST", "/v1/games/mine/overrides/import", body: ["reason": .string("c\(number)"), "overrides": .list(overrides)], admin: true)
    #expect(answer.status == 200, "\(answer.text)")
  }

  /// Every line of every change, the oldest first.
  private func lines(_ daemon: RunningDaemon) throws -> [Value] {
    var lines: [Value] = []
    while true {
      let older = lines.last?["id"]?.integerValue.map { "&before=\($0)" } ?? ""
      let page = try daemon.audit("limit=1000" + older)
      if page.isEmpty { return lines.filter { $0["action"] == "override.import" }.reversed() }
      lines += page
    }
  }

  /// Whether each change has its line for each player, once and in order.
  private func areWhole(_ lines: [Value], changes: Int) -> Bool {
    let ids = lines.compactMap { $0["id"]?.integerValue }
    guard ids.count == changes * Self.rows, zip(ids, ids.dropFirst()).allSatisfy({ $0 + 1 == $1 }) else { return false }
    return lines.enumerated().allSatisfy { number, line in
      line["player"]?.stringValue == "p\(number % Self.rows)" && line["reason"]?.stringValue == "c\(number / Self.rows + 1)"
        && line["after"]?.integerValue == Int64(number / Self.rows + 1)
    }
  }

  @Test("whatever was unpacked by then, every line is there once, at the next start and when all have rows of their own")
  func killed() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    var (changes, middles) = (0, 0)
    while middles < Self.middlesMin, changes < Self.changesMax {
      changes += 1
      try change(daemon, changes)
      try unpacked(daemon, left: Self.packsMax - 1)
      daemon.process.signal(SIGKILL)
      _ = daemon.process.waitForEnd()
      let left = try packs(daemon)
      if left > 0 { middles += 1 }
      try daemon.start()
      #expect(areWhole(try lines(daemon), changes: changes), "\(left) packs were left of change \(changes)")
    }
    #expect(middles >= Self.middlesMin)
    try unpacked(daemon, left: 0)
    #expect(areWhole(try lines(daemon), changes: changes))
    // A line is taken back like any other, and only that one.
    let last = try #require(try lines(daemon).last?["id"]?.integerValue)
    #expect(try daemon.ask("POST", "/v1/games/mine/audit/\(last)/revert", admin: true).status == 200)
    #expect(try daemon.read("lives", player: "p\(Self.rows - 1)")["value"] == .integer(Int64(changes - 1)))
    #expect(try daemon.overrides().count == Self.rows)
    #expect(try daemon.ask("GET", "/health/ready?strict=true", admin: true).status == 200)
  }
}
