// Durability over a restart and a crash, and the interaction of reads and writes.
import GameConfCore
import GameConfEngine
@testable import GameConfStorage
import Glibc
import Testing

@Suite("A store on disk")
struct DurabilityTests {
  @Test("everything is stored over a restart, and revisions continue")
  func restart() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    #expect(store.health.condition == .good && store.health.isGood)
    try await store.force(1, "a")
    try await store.force(2, "a", player: "p")
    let window = OverrideWindow(id: "w", from: Instant(seconds: 1500), until: Instant(seconds: 1600))
    try await store.force(3, "a", window: window)
    let contents = try await store.contents()
    let again = try fixture.open(at: 1100)
    #expect(try await again.contents().state.overrides == contents.state.overrides)
    #expect(try await again.contents().state.revisions == ["g": 3])
    #expect(try await again.contents().state.keyRevisions(of: "g") == ["a": 3])
    #expect(again.slotsWithEdges(at: Instant(seconds: 1550)) == [OverrideSlot(game: "g", key: "a")])
    #expect(try await again.applyWindowEdges(now: Instant(seconds: 1700)).map(\.kind) == [.opened, .ended])
    #expect(try await again.force(4, "a") == 6)
    #expect(try await again.read { try $0.audits(AuditSelection()).count } == 6)
    #expect(try await again.read { try $0.playerRevision("p", in: "g") } == 1)
  }

  @Test("the writer's page cache is freed after a large change")
  func cache() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    let text = Value.string(String(repeating: "x", count: 2_000))
    let bytes = try await store.write(refusing: StoreError.self) { transaction in
      let revision = try transaction.nextRevision(of: "g")
      try transaction.put(
        (0..<1_500).map { number in
          let slot = OverrideSlot(game: "g", player: "p\(number)", key: "a")
          let author = Author(uid: 1, name: "ada")
          return KeyOverrides(
            slot: slot, records: [OverrideRecord(slot: slot, value: text, author: author, at: Instant(seconds: 1), revision: revision)])
        }, revision: revision)
      return (transaction.database as? SQLiteConnection)?.cacheBytes
    }
    #expect(try #require(bytes) > 1 << 20)
    #expect(try await store.command { $0.cacheBytes } < 1 << 18)
    fixture.close()
  }

  @Test("last-good.json has the state after the last commit when the store is closed, and is written again after commits while it is open")
  func lastGood() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    for number in 0..<20 { try await store.force(.integer(Int64(number)), "a", player: "p\(number)") }
    while store.health.lastGoodIsBehind { await Task.yield() }
    #expect(store.health.lastGoodSavedAt == Instant(seconds: 1000))
    #expect(try fixture.lastGood?.state.revisions == ["g": 20])
    try await store.force(1, "b")
    fixture.close()
    let saved = try #require(try fixture.lastGood)
    #expect(saved.state.revisions == ["g": 21] && saved.state.sortedOverrides.count == 21 && saved.state.playerRevisionMax == 1)
  }

  @Test("last-good.json has every write that is immediately followed by closing the store")
  func closedAtOnce() async throws {
    let fixture = try DiskFixture()
    for number: Int64 in 1...60 {
      let store = try fixture.open()
      try await store.force(.integer(number), "a")
      fixture.close()
      let saved = try #require(try fixture.lastGood)
      #expect(saved.state.revisions == ["g": number] && saved.state.allOverrides.flatMap(\.records).map(\.value) == [.integer(number)])
    }
  }

  @Test("a full queue refuses writes and reports it once, and again only after it was half empty")
  func fullQueue() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    for round in 1...2 {
      let (hasBegun, mayEnd) = (Monitor(false), Monitor(false))
      async let held: Void = store.write(refusing: StoreError.self) { _ in
        hasBegun.change { $0 = true }
        mayEnd.wait { $0 ? () : nil }
      }
      while !hasBegun.change({ $0 }) { await Task.yield() }
      let refused = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
        for _ in 0..<StoreLimits.writesWaitingMax + 20 {
          group.addTask { await Self.isOverloaded { try await store.write(refusing: StoreError.self) { _ in } } }
        }
        var refused = 0
        for await isRefused in group {
          refused += isRefused ? 1 : 0
          if refused == 20 { mayEnd.change { $0 = true } }
        }
        return refused
      }
      try await held
      #expect(refused == 20 && fixture.timesFull == round)
    }
  }

  private static func isOverloaded(_ write: () async throws -> Void) async -> Bool {
    do {
      try await write()
      return false
    } catch { return error as? StoreError == .overloaded }
  }

  @Test("an unreadable last-good.json is rewritten from a healthy database")
  func lastGoodDamaged() async throws {
    let fixture = try DiskFixture()
    try await fixture.open().force(1, "a")
    fixture.close()
    try fixture.temporary.write(Array("noise".utf8), to: "state/last-good.json")
    let store = try fixture.open()
    while store.health.lastGoodIsBehind { await Task.yield() }
    #expect(store.health.isGood)
    #expect(try fixture.lastGood?.state.revisions == ["g": 1])
  }

  @Test("a write-ahead log that is cut anywhere contains only whole transactions, without a gap")
  func cutLog() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    for number in 0..<12 { try await store.force(.integer(Int64(number)), "k\(number)") }
    let database = try fixture.temporary.read("state/gameconfd.db")
    let log = try fixture.temporary.read("state/gameconfd.db-wal")
    fixture.close()
    var seen: Set<Int64> = []
    var cuts: [Int] = [log.count - 1, log.count]
    for end in stride(from: 0, to: log.count, by: 4096 + 24) { cuts.append(max(end - 7, 0)) }
    for cut in cuts {
      let copy = try DiskFixture()
      _ = try StateDirectory(path: copy.path)
      try copy.temporary.write(database, to: "state/gameconfd.db")
      try copy.temporary.write(Array(log.prefix(cut)), to: "state/gameconfd.db-wal")
      let reopened = try copy.open()
      let revision = try await reopened.read { view in
        let lines = try view.audits(AuditSelection(limit: 1000))
        #expect(lines.map(\.id).sorted() == Array(1...max(Int64(lines.count), 1)).filter { $0 <= lines.count })
        let revision = try view.revision(of: "g")
        #expect(lines.count == Int(revision))
        #expect(try view.overrides().count == Int(revision))
        return revision
      }
      seen.insert(revision)
      #expect(try await reopened.force(1, "z") == revision + 1)
    }
    #expect(seen.count > 5 && seen.contains(12))
  }

  @Test("many concurrent writers: every answer is stored once, and revisions rise without a gap")
  func manyWriters() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    let revisions = try await withThrowingTaskGroup(of: Int64.self) { group in
      for number in 0..<400 { group.addTask { try await store.force(.integer(Int64(number)), "k\(number % 50)") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(revisions.sorted() == Array(1...400))
    #expect(try await store.read { try $0.audits(AuditSelection(limit: 1000)).count } == 400)
    #expect(fixture.published.count < 400)
    #expect(fixture.published.map(\.number) == Array(1...Int64(fixture.published.count)))
  }

  @Test("a read waits for no writer, and is abandoned at its deadline when all readers are busy")
  func deadline() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open(times: StoreTiming())
    try await store.force(1, "a")
    let gate = Monitor(false)
    let isEntered = Monitor(0)
    let pass: @Sendable () -> Void = {
      isEntered.change { $0 += 1 }
      gate.wait { $0 ? () : nil }
    }
    async let writing: Int64 = store.write(refusing: StoreError.self) { transaction in
      pass()
      return try transaction.nextRevision(of: "g")
    }
    isEntered.wait { $0 == 1 ? () : nil }
    #expect(try await store.read(deadlineMilliseconds: 600_000) { try $0.revision(of: "g") } == 1)
    async let first: Void = store.read(deadlineMilliseconds: 600_000) { _ in pass() }
    async let second: Void = store.read(deadlineMilliseconds: 600_000) { _ in pass() }
    isEntered.wait { $0 == 3 ? () : nil }
    await #expect(throws: StoreError.late) { _ = try await store.read(deadlineMilliseconds: 20) { try $0.revision(of: "g") } }
    gate.change { $0 = true }
    #expect(try await writing == 2)
    try await first
    try await second
    #expect(try await store.read(deadlineMilliseconds: 600_000) { try $0.revision(of: "g") } == 2)
  }

  @Test("waiting writes are answered when the store is closed, and none are accepted afterwards")
  func closing() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    async let writes = withTaskGroup(of: Int64?.self) { group in
      for number in 0..<100 { group.addTask { try? await store.force(.integer(Int64(number)), "a") } }
      return await group.reduce(into: []) { if let revision = $1 { $0.append(revision) } }
    }
    fixture.close()
    let answered = await writes
    await #expect(throws: TestRefusal.self) { try await store.force(1, "a") }
    let again = try fixture.open()
    #expect(try await again.read { try $0.revision(of: "g") } == Int64(answered.count))
  }

  @Test("a backup is consistent while writes continue, and other users cannot read it")
  func backup() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 { group.addTask { try await store.force(.integer(Int64(number)), "k\(number)") } }
      group.addTask {
        let backup = try await store.backup()
        var status = stat()
        #expect(stat(backup.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let copy = try DiskFixture()
        _ = try StateDirectory(path: copy.path)
        rename(backup.path, copy.path + "/gameconfd.db")
        let (lines, revision) = try await copy.open().read { view in
          (try view.audits(AuditSelection(limit: 1000)).count, try view.revision(of: "g"))
        }
        #expect(lines == Int(revision))
      }
      try await group.waitForAll()
    }
    #expect(!fixture.names().contains { $0.hasPrefix(".gameconfd-passing-") })
  }

  @Test("while the whole database is read, commits do not checkpoint the write-ahead log; it is checkpointed after the last such read")
  func longReads() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    func databaseBytes() throws -> Int { try fixture.temporary.read("state/gameconfd.db").count }
    let reads = (0..<2).map { _ in WholeDatabaseRead(logBytesMax: 1 << 30) }
    for read in reads { store.enqueueForWriter { $0.begins(read) } }
    for number in 0..<60 { try await store.force(.string(String(repeating: "x", count: 100_000)), "k\(number)") }
    #expect(try fixture.temporary.read("state/gameconfd.db-wal").count > 6_000_000)
    let before = try databaseBytes()
    store.enqueueForWriter { $0.ended(reads[0]) }
    try await store.force(1, "a")
    #expect(try before < 1_000_000 && databaseBytes() == before)
    store.enqueueForWriter { $0.ended(reads[1]) }
    try await store.force(2, "a")
    #expect(try databaseBytes() > 6_000_000)
    _ = try await store.check()
    for number in 0..<60 { try await store.force(.string(String(repeating: "y", count: 100_000)), "l\(number)") }
    #expect(try databaseBytes() > 10_000_000, "after a check as before")
  }

  @Test("a read of the whole database is abandoned when too much is written meanwhile, and the write-ahead log is emptied then")
  func givenUp() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    let (short, long) = (WholeDatabaseRead(logBytesMax: 1_000_000), WholeDatabaseRead(logBytesMax: 1 << 30))
    for read in [short, long] { store.enqueueForWriter { $0.begins(read) } }
    try await store.force(.string(String(repeating: "x", count: 100_000)), "first")
    #expect(!short.isGivenUp)
    for number in 0..<20 { try await store.force(.string(String(repeating: "x", count: 100_000)), "k\(number)") }
    #expect(short.isGivenUp && !long.isGivenUp)
    let copy = try SQLiteConnection(path: fixture.temporary.path + "/copy", for: .writing)
    let reading = try DatabaseFile(path: fixture.path + "/gameconfd.db").connectReading()
    var pieces = 0
    let broken = #expect(throws: DatabaseFailure.self) {
      try reading.backup(to: copy) {
        pieces += 1
        return pieces < 3
      }
    }
    #expect(broken?.primaryCode == 9 && pieces == 3)
    try reading.backup(to: copy)
    #expect(try copy.integer("SELECT count(*) FROM overrides") == 21)
    for read in [short, long] { store.enqueueForWriter { $0.ended(read) } }
    #expect(try await store.check().isGood)
  }

  @Test("an older database is copied before its tables are migrated, and its contents stay")
  func migration() async throws {
    let fixture = try DiskFixture()
    try await fixture.open().force(1, "a")
    fixture.close()
    let file = DatabaseFile(path: fixture.path + "/gameconfd.db")
    let later = StoreSchema.SchemaMigration(sqlite: ["CREATE TABLE later (x)", "INSERT INTO later VALUES (1)"], postgres: [])
    let schema = StoreSchema(steps: StoreSchema.current.steps + [later])
    guard
      case .open(let connection, let state, playerFloor: 0, unreadable: []) = DatabaseOpening(
        file: file, known: nil, isKnownDamaged: false, schema: schema
      )
      .open()
    else {
      Issue.record("the database opens")
      return
    }
    connection.close()
    #expect(state.revisions == ["g": 1])
    let next = StoreSchema.current.version + 1
    #expect(fixture.names().contains("gameconfd.db.before-version-\(next)"))
    var status = stat()
    #expect(stat(fixture.path + "/gameconfd.db.before-version-\(next)", &status) == 0 && status.st_mode & 0o777 == 0o640)
    guard case .newer(let words) = DatabaseOpening(file: file, known: nil, isKnownDamaged: false).open() else {
      Issue.record("a newer database is refused")
      return
    }
    #expect(words.contains("version \(next)"))
    rename(file.path + ".before-version-\(next)", file.path)
    #expect(try await fixture.open().served == ["a": 1])
  }

  @Test("a failed migration leaves the older database as it was")
  func migrationFails() async throws {
    let fixture = try DiskFixture()
    try await fixture.open().force(1, "a")
    fixture.close()
    let file = DatabaseFile(path: fixture.path + "/gameconfd.db")
    let later = StoreSchema.SchemaMigration(sqlite: ["CREATE TABLE later (x)", "no SQL at all"], postgres: [])
    let schema = StoreSchema(steps: StoreSchema.current.steps + [later])
    guard case .later = DatabaseOpening(file: file, known: nil, isKnownDamaged: false, schema: schema).open() else {
      Issue.record("the step fails")
      return
    }
    #expect(try await fixture.open().served == ["a": 1])
  }
}
