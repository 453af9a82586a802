// Every single fault of a backup, restored into a whole store: refused, or the store continues.
import GameConfCore
import Glibc
import TestSupport
import Testing

@testable import GameConfStorage

@Suite("Restores of backups with one fault each", .enabled(if: getenv("GAMECONF_LONG") != nil))
struct RestoreLongTests {
  /// Values for cells whose fault concerns one row, among them numbers whose sums would overflow.
  private static let rows: [(String, [String])] = ["9223372036854775807", "-9223372036854775808", "4611686018427387904"].flatMap { number in
    [
      ("a state with \(number)", ["UPDATE players SET state = '{\"v\":1,\"c\":1000,\"m\":1000,\"g\":\(number),\"n\":\(number)}'"]),
      ("a state with an instant \(number)", ["UPDATE players SET state = '{\"v\":1,\"c\":\(number),\"m\":1000}'"]),
      ("a line with \(number)", ["UPDATE player_lines SET line = '[\(number),\"event\",{}]'"]),
      ("an override of \(number)", ["UPDATE overrides SET value = '\(number)'"]),
      ("an undo with \(number)", ["UPDATE audit SET undo_before = '[{\"revision\":\(number)}]', undo_after = '[]'"]),
    ]
  }

  @Test("each backup is refused with nothing changed, or it is restored and the store reads, writes and opens again")
  func all() async throws {
    let fixture = try DiskFixture()
    var store = try fixture.open()
    try await store.force(1, "a")
    let path = fixture.temporary.path + "/backup.db"
    let faults = StoredFault.numbers + StoredFault.named + StoredFault.cells + StoredFault.declarations
    var counts = (refused: 0, taken: 0)
    for (name, statements) in faults.map({ ($0.description, $0.statements) }) + Self.rows {
      unlink(path)
      try StoredRows.make(at: path)
      let database = try SQLiteConnection(path: path, for: .writing)
      for statement in statements { try database.execute(statement) }
      database.close()
      let before = try await store.served
      do {
        _ = try await store.restore(from: path, by: SQLiteStore.change)
        counts.taken += 1
        try await goesOn(store)
        store = try fixture.open()
        try await goesOn(store)
      } catch RestoreRefusal.unfit {
        counts.refused += 1
        let served = try await store.served
        #expect(served == before, "\(name)")
      } catch { Issue.record("\(name): \(error)") }
      #expect(store.health.condition == .good, "\(name)")
    }
    #expect(counts.refused == faults.count && counts.taken == Self.rows.count)
  }

  @Test("a backup with a flipped byte is refused with nothing changed, or it is restored and the store reads, writes and opens again")
  func turned() async throws {
    let fixture = try DiskFixture()
    var store = try fixture.open()
    try await store.force(1, "a")
    let path = fixture.temporary.path + "/backup.db"
    try StoredRows.make(at: path)
    let whole = try #require(try Files.read(path))
    var random = SeededGenerator(seed: 36)
    for _ in 0..<200 {
      let (at, bit) = (Int.random(in: whole.indices, using: &random), UInt8(1) << Int.random(in: 0..<8, using: &random))
      var bytes = whole
      bytes[at] ^= bit
      for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
      try Files.replace(path, with: bytes)
      let before = try await store.served
      do {
        _ = try await store.restore(from: path, by: SQLiteStore.change)
        try await goesOn(store)
        store = try fixture.open()
        try await goesOn(store)
      } catch RestoreRefusal.unfit {
        let served = try await store.served
        #expect(served == before, "byte \(at), bit \(bit)")
      } catch { Issue.record("byte \(at), bit \(bit): \(error)") }
      #expect(store.health.condition == .good, "byte \(at), bit \(bit)")
    }
  }

  private func goesOn(_ store: SQLiteStore) async throws {
    try await store.force(2, "b")
    try await store.read { view in
      _ = try view.audits(AuditSelection(limit: 100))
      _ = try view.scenarios()
      _ = try view.templates(of: "g", before: nil, limit: 10)
      _ = try view.stream(of: "g", after: 0)
      _ = try view.players(in: "g", after: nil, limit: 10)
      _ = try view.plays(of: PlayerID(game: "g", player: "g"), before: nil, limit: 10)
    }
  }
}
