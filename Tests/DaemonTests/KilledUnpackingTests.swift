// The daemon is killed while it moves packed audit lines of bulk changes to their own rows: each line is there once, before and after.

import GameConfCore
import Glibc
import Testing

@testable import GameConfStorage

@Suite("A daemon that is killed while it moves packed audit lines", .serialized, .enabled(if: TestStore.connection == nil))
struct KilledUnpackingTests {
  private static let rows = 2_000
  /// The number of packs left when the daemon is killed.
  private static let packsLeft: Int64 = 8
  private static let changes = 2
  /// A trigger that slows the removal of a pack down, so that a step moves one pack, and the kill hits the middle of a change on any machine.
  private static let holding = """
    CREATE TRIGGER held BEFORE DELETE ON audit_packs
    WHEN (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT max(i) FROM n) > 0
      AND (SELECT count(*) FROM audit_packs) <= \(packsLeft)
    BEGIN SELECT RAISE(ABORT, 'held'); END
    """

  /// Returns the number of packs left.
  private func packs(_ daemon: RunningDaemon) throws -> Int64 {
    let reading = try SQLiteConnection(path: daemon.folder.path + "/state/gameconfd.db", for: .reading)
    defer { reading.close() }
    return try reading.integer("SELECT count(*) FROM audit_packs") ?? 0
  }

  /// Runs a statement in the daemon's database.
  private func run(_ statement: String, _ daemon: RunningDaemon) throws {
    let writing = try SQLiteConnection(path: daemon.folder.path + "/state/gameconfd.db", for: .writing)
    defer { writing.close(leavingLog: true) }
    try writing.execute(statement)
  }

  /// Waits until at most this many packs are left.
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

  /// Returns the audit lines of all changes, oldest first.
  private func lines(_ daemon: RunningDaemon) throws -> [Value] {
    var lines: [Value] = []
    while true {
      let older = lines.last?["id"]?.integerValue.map { "&before=\($0)" } ?? ""
      let page = try daemon.audit("limit=1000" + older)
      if page.isEmpty { return lines.filter { $0["action"] == "override.import" }.reversed() }
      lines += page
    }
  }

  /// True if each change has a line for each player, once and in order.
  private func areWhole(_ lines: [Value], changes: Int) -> Bool {
    let ids = lines.compactMap { $0["id"]?.integerValue }
    guard ids.count == changes * Self.rows, zip(ids, ids.dropFirst()).allSatisfy({ $0 + 1 == $1 }) else { return false }
    return lines.enumerated().allSatisfy { number, line in
      line["player"]?.stringValue == "p\(number % Self.rows)" && line["reason"]?.stringValue == "c\(number / Self.rows + 1)"
        && line["after"]?.integerValue == Int64(number / Self.rows + 1)
    }
  }

  @Test("if the daemon is killed while it moves packed audit lines, every line is stored once after the next start and at the end")
  func killed() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let changes = Self.changes
    for number in 1...changes {
      try run(Self.holding, daemon)
      try change(daemon, number)
      try unpacked(daemon, left: Self.packsLeft)
      daemon.process.signal(SIGKILL)
      _ = daemon.process.waitForEnd()
      #expect(try packs(daemon) == Self.packsLeft)
      try run("DROP TRIGGER held", daemon)
      try daemon.start()
      #expect(areWhole(try lines(daemon), changes: number), "after the kill in change \(number)")
      try unpacked(daemon, left: 0)
    }
    #expect(areWhole(try lines(daemon), changes: changes))
    // A single line of a bulk change can be reverted.
    let last = try #require(try lines(daemon).last?["id"]?.integerValue)
    #expect(try daemon.ask("POST", "/v1/games/mine/audit/\(last)/revert", admin: true).status == 200)
    #expect(try daemon.read("lives", player: "p\(Self.rows - 1)")["value"] == .integer(Int64(changes - 1)))
    #expect(try daemon.overrides().count == Self.rows)
    #expect(try daemon.ask("GET", "/health/ready?strict=true", admin: true).status == 200)
  }
}
