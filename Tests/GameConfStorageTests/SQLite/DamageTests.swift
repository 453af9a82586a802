// A database that is damaged, missing or foreign: the served state, the stored copies, and the ways to recover.
import GameConfCore
import GameConfStorage
import Glibc
import Testing

@Suite("A damaged database")
struct DamageTests {
  enum Damage: String, CaseIterable, Sendable {
    case noise, noiseAtTheEnd, half, empty, removed, replacedByText

    /// - Returns: True if the store finds a file to set aside under another name.
    func strike(_ fixture: DiskFixture) throws -> Bool {
      let name = "state/gameconfd.db"
      let bytes = try fixture.temporary.read(name)
      switch self {
      case .noise: try fixture.temporary.write((0..<bytes.count).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ $0 >> 8) }, to: name)
      case .noiseAtTheEnd:
        let half = bytes.count / 2
        try fixture.temporary.write(bytes.prefix(4096) + (4096..<bytes.count).map { UInt8(truncatingIfNeeded: $0 &* 31) }, to: name)
        #expect(half > 4096)
      case .half: try fixture.temporary.write(Array(bytes.prefix(bytes.count / 2)), to: name)
      case .empty: try fixture.temporary.write([], to: name)
      case .removed: unlink(fixture.path + "/gameconfd.db")
      case .replacedByText: try fixture.temporary.write(Array("not a database, but long enough to be taken for one\n".utf8), to: name)
      }
      return self != .removed
    }
  }

  private func stocked() async throws -> DiskFixture {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    try await store.force(1, "a")
    try await store.force(2, "a", player: "p")
    for number in 0..<40 { try await store.force(.string(String(repeating: "x", count: 300)), "k\(number)") }
    fixture.close()
    return fixture
  }

  @Test(
    "a database found damaged at start is set aside, overrides are served, writes refused, and a rebuild continues above the last revision",
    arguments: Damage.allCases)
  func atStart(damage: Damage) async throws {
    let fixture = try await stocked()
    let isSetAside = try damage.strike(fixture)
    let store = try fixture.open()
    guard case .lost(let words) = store.health.condition else {
      Issue.record("\(damage): \(store.health.condition)")
      return
    }
    #expect(words.contains("store restore"))
    #expect(fixture.reported.count == 1)
    #expect(fixture.names().contains { $0.hasPrefix("gameconfd.db.damaged-") } == isSetAside)
    #expect((store.health.asidePath != nil) == isSetAside)
    let contents = try await store.contents()
    #expect(contents.origin == .lastGood(savedAt: Instant(seconds: 1000)))
    #expect(contents.state.sortedOverrides.count == 42 && contents.state.revisions == ["g": 42])
    await #expect(throws: TestRefusal.store(.unavailable(words))) { try await store.force(9, "a") }
    await #expect(throws: StoreError.unavailable(words)) { _ = try await store.read { try $0.revisions() } }
    await #expect(throws: StoreError.unavailable(words)) { _ = try await store.backup() }
    let rebuilt = try await store.rebuild(by: SQLiteStore.change).contents
    #expect(rebuilt.state.sortedOverrides.count == 42)
    #expect(store.health.condition == .good)
    #expect(try await store.force(3, "a") > 42)
    #expect(try await store.force(3, "a", player: "p") > 44)
    #expect(try await store.read { try $0.playerRevision("p", in: "g") } > 1)
    let keys = rebuilt.state.keyRevisions(of: "g")
    #expect(keys.count == 41 && keys.values.allSatisfy { $0 > 42 })
    fixture.close()
    #expect(try await fixture.open().served["p a"] == 3)
  }

  @Test("the store is healthy immediately after each of several restores, and after the writes that follow")
  func goodAtOnce() async throws {
    let fixture = try await stocked()
    let store = try fixture.open()
    for number: Int64 in 0..<20 {
      let backup = try await store.backup()
      _ = try await store.restore(from: backup.path, by: SQLiteStore.change)
      unlink(backup.path)
      #expect(store.health.isGood, "\(store.health)")
      try await store.force(.integer(number), "a")
      #expect(store.health.isGood, "\(store.health)")
    }
    #expect(fixture.reported.allSatisfy { $0 == .good })
  }

  @Test("a lost database is still lost after a restart, until a backup is restored", arguments: [Damage.noise, .removed])
  func restored(damage: Damage) async throws {
    let fixture = try await stocked()
    let first = try fixture.open()
    let backup = try await first.backup()
    let copy = fixture.temporary.path + "/kept.db"
    rename(backup.path, copy)
    try await first.force(77, "a")
    fixture.close()
    _ = try damage.strike(fixture)
    try fixture.open()
    let store = try fixture.open()
    guard case .lost = store.health.condition else {
      Issue.record("\(store.health.condition)")
      return
    }
    #expect(try await store.served["a"] == 77)
    let contents = try await store.restore(from: copy, by: SQLiteStore.change).contents
    #expect(try await store.served["a"] == 1)
    #expect(contents.state.revisions["g", default: 0] > 43)
    #expect(contents.origin == .store)
    guard case .replaced(let replaced) = try #require(fixture.published.last?.changes.first) else {
      Issue.record("the restore is published")
      return
    }
    #expect(replaced.state.revisions == contents.state.revisions)
    let line = try await store.read { try $0.audits(AuditSelection(limit: 1)).first }
    #expect(line?.action == .storeRestored && line?.author.name == "root" && line?.reason == "drill")
    fixture.close()
    #expect(try await fixture.open().served["a"] == 1)
    #expect(try fixture.lastGood?.state.revisions == contents.state.revisions)
  }

  @Test("a write to a damaged open database finds the loss", arguments: [Damage.noise, .half, .empty, .removed, .replacedByText])
  func whileOpen(damage: Damage) async throws {
    let fixture = try await stocked()
    let store = try fixture.open()
    try await store.force(5, "a")
    _ = try damage.strike(fixture)
    await #expect(throws: TestRefusal.self) { try await store.force(6, "a") }
    guard case .lost = store.health.condition else {
      Issue.record("\(store.health.condition)")
      return
    }
    #expect(try await store.served["a"] == 5)
    let edges = try await store.writeSurviving(WriteMode(), refusing: StoreError.self) { try $0.nextRevision(of: "g") }
    #expect(edges == 44)
    fixture.close()
    let again = try fixture.open()
    #expect(try await again.served["a"] == 5)
    #expect(try await again.contents().state.revisions == ["g": 44])
  }

  @Test("a check finds damage that no write has met, and sets the database aside")
  func check() async throws {
    let fixture = try await stocked()
    try await fixture.open().write(refusing: TestRefusal.self) { transaction in
      for number in 0..<200 {
        _ = try transaction.append(
          AuditRecord(
            at: Instant(seconds: 1), author: .daemon, action: .overrideSet, reason: "\(number)" + String(repeating: "x", count: 500)))
      }
    }
    fixture.close()
    var bytes = try fixture.temporary.read("state/gameconfd.db")
    // The last pages belong to the audit log, which a start does not read.
    for at in (bytes.count - 4096)..<bytes.count { bytes[at] = 0xff }
    try fixture.temporary.write(bytes, to: "state/gameconfd.db")
    let store = try fixture.open()
    #expect(store.health.condition == .good)
    let check = try? await store.check()
    #expect(check?.isGood != true)
    guard case .lost = store.health.condition else {
      Issue.record("\(store.health.condition), \(check.debugDescription)")
      return
    }
  }

  @Test("an intact database passes the check")
  func good() async throws {
    let fixture = try await stocked()
    let store = try fixture.open()
    #expect(try await store.check().isGood)
    #expect(store.health.lastCheck?.isGood == true && store.health.isGood)
    await #expect(throws: RestoreRefusal.nothingLost) { _ = try await store.rebuild(by: SQLiteStore.change) }
  }

  @Test("a database of a newer version is refused and left unchanged")
  func newer() async throws {
    let fixture = try await stocked()
    var bytes = try fixture.temporary.read("state/gameconfd.db")
    bytes[63] = 200
    try fixture.temporary.write(bytes, to: "state/gameconfd.db")
    let store = try fixture.open()
    guard case .lost(let words) = store.health.condition else {
      Issue.record("\(store.health.condition)")
      return
    }
    #expect(words.contains("newer"))
    #expect(try await store.served["a"] == 1)
    fixture.close()
    #expect(try fixture.temporary.read("state/gameconfd.db") == bytes)
    await #expect(throws: RestoreRefusal.newer(version: 200, known: store.health.schemaVersion)) {
      _ = try await fixture.open().restore(from: fixture.path + "/gameconfd.db", by: SQLiteStore.change)
    }
  }

  @Test("a database that is older than the served state is not accepted as the latest")
  func behind() async throws {
    let fixture = try await stocked()
    let old = try fixture.temporary.read("state/gameconfd.db")
    try await fixture.open().force(99, "a")
    fixture.close()
    try fixture.temporary.write(old, to: "state/gameconfd.db")
    let store = try fixture.open()
    guard case .lost(let words) = store.health.condition else {
      Issue.record("\(store.health.condition)")
      return
    }
    #expect(words.contains("43"))
    #expect(try await store.served["a"] == 99)
    let contents = try await store.restore(from: fixture.path + "/gameconfd.db", by: SQLiteStore.change).contents
    #expect(try await store.served["a"] == 1)
    #expect(contents.state.revisions["g", default: 0] > 43)
  }

  @Test("an invalid backup is refused and changes nothing", arguments: ["text", "half", "foreign", "missing", "noise"])
  func unfit(kind: String) async throws {
    let fixture = try await stocked()
    let store = try fixture.open()
    let backup = try await store.backup()
    var bytes = try fixture.temporary.read("state/" + (backup.path.split(separator: "/").last.map(String.init) ?? ""))
    #expect(Int64(bytes.count) == backup.bytesCount)
    switch kind {
    case "text": bytes = Array("hello".utf8)
    case "half": bytes.removeLast(bytes.count / 2)
    case "foreign": bytes[68...71] = [1, 2, 3, 4]
    default: for at in 5000..<bytes.count { bytes[at] = UInt8(truncatingIfNeeded: at &* 7) }
    }
    try fixture.temporary.write(bytes, to: "upload")
    let upload = fixture.temporary.path + (kind == "missing" ? "/nothing" : "/upload")
    await #expect(throws: RestoreRefusal.self) { _ = try await store.restore(from: upload, by: SQLiteStore.change) }
    #expect(try await store.force(5, "a") == 43)
    #expect(!fixture.names().contains { $0.contains("incoming") || $0.contains("replaced") })
  }

  @Test("a restore into a healthy store raises revisions by one and stores a copy of the replaced database")
  func overGood() async throws {
    let fixture = try await stocked()
    let store = try fixture.open()
    let backup = try await store.backup()
    try await store.force(5, "new")
    let contents = try await store.restore(from: backup.path, by: SQLiteStore.change).contents
    #expect(contents.state.revisions == ["g": 44])
    #expect(try await store.served["new"] == nil)
    #expect(contents.state.keyRevisions(of: "g")["new"] == 44)
    #expect(fixture.names().contains { $0.hasPrefix("gameconfd.db.replaced-") })
    #expect(try await store.force(6, "a") == 45)
    #expect(try await store.read { try $0.revision(of: "g") } == 45)
  }

  @Test("a directory in the place of the database file makes the store unhealthy, and a restore sets it aside")
  func directoryInItsPlace() async throws {
    let fixture = try await stocked()
    let backup = try await fixture.open().backup()
    let copy = fixture.temporary.path + "/kept.db"
    rename(backup.path, copy)
    fixture.close()
    unlink(fixture.path + "/gameconfd.db")
    mkdir(fixture.path + "/gameconfd.db", 0o700)
    let store = try fixture.open()
    #expect(store.health.condition != .good)
    #expect(try await store.served.count == 42)
    await #expect(throws: TestRefusal.self) { try await store.force(1, "a") }
    do {
      _ = try await store.read { try $0.revisions() }
      Issue.record("nothing can be read")
    } catch { guard case .unavailable = error else { throw error } }
    _ = try await store.restore(from: copy, by: SQLiteStore.change)
    #expect(try await store.force(1, "a") > 42)
    #expect(fixture.names().contains { $0.hasPrefix("gameconfd.db.replaced-") })
  }

  @Test("a restore gives a key whose override was set and cleared after the backup a revision above all served ones")
  func bareSlot() async throws {
    let fixture = try await stocked()
    let store = try fixture.open()
    let backup = try await store.backup()
    try await store.force(5, "late")
    try await store.write(refusing: TestRefusal.self) { transaction in
      let slot = OverrideSlot(game: "g", key: "late")
      try transaction.put(KeyOverrides(slot: slot), revision: try transaction.nextRevision(of: "g"))
    }
    let contents = try await store.restore(from: backup.path, by: SQLiteStore.change).contents
    #expect(contents.state.revisions == ["g": 45] && contents.state.keyRevisions(of: "g")["late"] == 45)
  }

  @Test("without a database and a readable last-good.json, no file is overwritten")
  func nothingLeft() async throws {
    let fixture = try await stocked()
    _ = try Damage.removed.strike(fixture)
    try fixture.temporary.write(Array("{".utf8), to: "state/last-good.json")
    let store = try fixture.open()
    #expect(try await store.contents().origin == .nothing)
    guard case .lost = store.health.condition else {
      Issue.record("\(store.health.condition)")
      return
    }
    #expect(store.health.lastGoodFault != nil)
    _ = try await store.writeSurviving(WriteMode(), refusing: StoreError.self) { try $0.nextRevision(of: "g") }
    await #expect(throws: RestoreRefusal.noLastGood) { _ = try await store.rebuild(by: SQLiteStore.change) }
    fixture.close()
    #expect(try fixture.temporary.read("state/last-good.json") == Array("{".utf8))
  }
}
