// Databases beside the one in use: replacing one despite a crash, and the retention of copies.
import GameConfCore
import Glibc
import Testing

@testable import GameConfStorage

@Suite("Replacing a database")
struct RestoreTests {
  /// Returns a closed state directory with an old database (`a` is 1) and a prepared new one beside it (`a` is 2).
  private func prepared() async throws -> (fixture: DiskFixture, file: DatabaseFile) {
    let fixture = try DiskFixture()
    try await fixture.open().force(1, "a")
    let other = try DiskFixture()
    try await other.open().force(2, "a")
    try await other.open().force(2, "b")
    let backup = try await other.open().backup()
    let file = DatabaseFile(path: fixture.path + "/gameconfd.db")
    rename(backup.path, file.path + ".incoming")
    return (fixture, file)
  }

  @Test("a swap of databases that stops before its decision leaves the old one; after it, the next start completes it", arguments: 0...8)
  func stopped(steps: Int) async throws {
    let (fixture, file) = try await prepared()
    // After a kill the write-ahead log of the old database is still there.
    let log = try fixture.temporary.read("state/gameconfd.db-wal")
    fixture.close()
    try fixture.temporary.write(log, to: "state/gameconfd.db-wal")
    unlink(fixture.path + "/last-good.json")
    if steps > 0 {
      try DatabaseSwap(file: file).decide(file.path + ".incoming", puttingAside: ".replaced-2026-11-22T08-10-31.052Z")
      for step in try DatabaseSwap(file: file).steps().prefix(steps - 1) { try step.run() }
    }
    let store = try fixture.open()
    #expect(store.health.condition == .good)
    #expect(try await store.served == (steps == 0 ? ["a": 1] : ["a": 2, "b": 2]))
    #expect(!fixture.names().contains { $0.contains("incoming") || $0.contains("next") || $0.contains("trial") })
    let copies = try await store.copies()
    #expect(copies.map(\.kind) == (steps == 0 ? [] : [.replaced]))
    if let copy = copies.first {
      #expect(copy.at == (try Instant(parsing: "2026-11-22T08:10:31.052Z")))
      #expect(try SQLiteConnection(path: copy.path, for: .writing).texts("SELECT value FROM overrides") == ["1"])
    }
  }

  @Test("after a restore the database itself knows the served revisions, so that a start finds no loss")
  func revisions() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    try await store.force(1, "a")
    let backup = try await store.backup()
    for value in Int64(2)...5 { try await store.force(.integer(value), "a") }
    _ = try await store.restore(from: backup.path, by: SQLiteStore.change)
    let served = try await store.contents().state.revisions
    #expect(served["g", default: 0] > 5)
    let again = try fixture.open()
    #expect(again.health.condition == .good)
    #expect(try await again.contents().state.revisions == served)
  }

  @Test(
    "a new database that cannot be opened is replaced by the old one again, even if the daemon is killed at any step of either swap",
    arguments: (0...7).map { ($0, 0) } + (1...7).map { (7, $0) })
  func putBack(placed: Int, undone: Int) async throws {
    let (fixture, file) = try await prepared()
    // After a kill the write-ahead log of the old database is still there.
    let log = try fixture.temporary.read("state/gameconfd.db-wal")
    fixture.close()
    try fixture.temporary.write(log, to: "state/gameconfd.db-wal")
    let bad = try SQLiteConnection(path: file.path + ".incoming", for: .writing)
    try bad.execute("DROP TABLE players")
    bad.close()
    let swap = DatabaseSwap(file: file)
    try swap.decide(file.path + ".incoming", puttingAside: ".replaced-2026-11-22T08-10-31.052Z")
    let steps = try swap.steps()
    #expect(steps.count == 7)
    for step in steps.prefix(placed) { try step.run() }
    if undone > 0 {
      // The new database has a write-ahead log of its own.
      try fixture.temporary.write([1, 2, 3], to: "state/gameconfd.db-wal")
      for step in try swap.undoing().prefix(undone) { try step.run() }
    }
    let store = try fixture.open()
    #expect(store.health.condition == .good)
    #expect(try await store.served == ["a": 1])
    #expect(try await store.copies().isEmpty)
    #expect(!fixture.names().contains { $0.contains("next") || $0.contains("trial") })
  }

  @Test("a swap that is interrupted before the new database is in place is undone completely", arguments: 0...6)
  func takenBack(steps: Int) async throws {
    let (fixture, file) = try await prepared()
    fixture.close()
    let swap = DatabaseSwap(file: file)
    try swap.decide(file.path + ".incoming", puttingAside: ".replaced-2026-11-22T08-10-31.052Z")
    for step in try swap.steps().prefix(steps) { try step.run() }
    #expect(try swap.undo())
    let undoneTwice = try swap.undo()
    #expect(!undoneTwice)
    #expect(try swap.steps().isEmpty)
    #expect(try await fixture.open().served == ["a": 1])
    #expect(!fixture.names().contains { $0.contains("next") || $0.contains("trial") || $0.contains("replaced") })
  }

  @Test("a file with its write-ahead log beside it is restored with the log's contents")
  func withLog() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    try await store.force(1, "a")
    let other = try DiskFixture()
    try await other.open().force(5, "late")
    for suffix in ["", "-wal"] {
      try fixture.temporary.write(try other.temporary.read("state/gameconfd.db" + suffix), to: "copy.db" + suffix)
    }
    let alone = try SQLiteConnection(path: fixture.temporary.path + "/copy.db", for: .reading)
    #expect(try alone.integer("SELECT count(*) FROM overrides") == 1)
    alone.close(leavingLog: true)
    _ = try await store.restore(from: fixture.temporary.path + "/copy.db", by: SQLiteStore.change)
    #expect(try await store.served == ["late": 5])
  }

  private func instants(_ seconds: Int64?...) -> [Instant?] { seconds.map { $0.map { Instant(seconds: $0) } } }

  @Test("of the databases that restores replaced, the newest three of thirty days stay; damaged ones stay until they are removed by name")
  func bounds() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    try await store.force(1, "a")
    let names = [
      "gameconfd.db.damaged-1969-01-01T00-00-00.000Z", "gameconfd.db.replaced-1969-11-01T00-00-00.000Z", "gameconfd.db.replaced-by-hand",
      "gameconfd.db.before-version-2", "backup-before-season.db", "gameconfd.db.backup-season",
    ]
    for name in names { try fixture.temporary.write([1, 2, 3], to: "state/" + name) }
    try fixture.temporary.write([4], to: "state/" + names[0] + "-wal")
    for number in 0..<5 {
      let backup = try await store.backup()
      let change = StoreRestoration(author: .daemon, reason: nil, at: Instant(seconds: 2000 + Int64(number)))
      _ = try await store.restore(from: backup.path, by: change)
      unlink(backup.path)
    }
    var copies = try await store.copies()
    #expect(copies.filter { $0.kind == .replaced }.map(\.at) == instants(2004, 2003, 2002, nil))
    let damaged = try #require(copies.first { $0.kind == .damaged })
    #expect(damaged.name == names[0] && damaged.bytesCount == 4)
    #expect(copies.contains { $0.kind == .beforeVersion })
    for name in ["backup-before-season.db", "../state/gameconfd.db"] { #expect(try await !store.removeCopy(named: name)) }
    #expect(try await store.removeCopy(named: damaged.name))
    copies = try await store.copies()
    #expect(!copies.contains { $0.kind == .damaged })
    let again = try fixture.open(at: 2003 + 30 * 86_400)
    try await again.dropReplacedCopies()
    #expect(try await again.copies().filter { $0.kind == .replaced }.map(\.at) == instants(2004, 2003, nil))
    #expect(fixture.names().contains("backup-before-season.db") && fixture.names().contains("gameconfd.db.backup-season"))
  }

  @Test("a restore over a lost database sets the lost file aside like a damaged one, and reports its audit lines")
  func overLost() async throws {
    let fixture = try DiskFixture()
    try await fixture.open().force(1, "a")
    let copy = fixture.temporary.path + "/kept.db"
    rename(try await fixture.open().backup().path, copy)
    let old = try fixture.temporary.read("state/gameconfd.db")
    try await fixture.open().force(2, "a")
    fixture.close()
    try fixture.temporary.write(old, to: "state/gameconfd.db")
    let store = try fixture.open()
    guard case .lost = store.health.condition else {
      Issue.record("\(store.health.condition)")
      return
    }
    _ = try await store.restore(from: copy, by: SQLiteStore.change)
    #expect(try await store.copies().map(\.kind) == [.damaged])
    let audited = fixture.published.last?.changes.compactMap { if case .audited(let line) = $0 { line.action } else { nil } }
    #expect(audited == [.storeRestored])
  }
}
