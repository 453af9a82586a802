// Temporary faults: a missing folder, missing permissions, a file that returns.
import GameConfCore
import GameConfEngine
import Glibc
import Synchronization
import Testing

@testable import GameConfStorage

@Suite("Temporary faults of a store's files")
struct PassingTroubleTests {
  private func stocked() async throws -> (fixture: DiskFixture, store: SQLiteStore) {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    for number in 0..<20 { try await store.force(.integer(Int64(number)), "k\(number)") }
    return (fixture, store)
  }

  private func isLost(_ store: SQLiteStore) -> Bool { if case .lost = store.health.condition { true } else { false } }

  @Test("without the state folder writes are refused and no file is moved; with the folder back, the store is healthy without a write")
  func folderAway() async throws {
    let (fixture, store) = try await stocked()
    let away = fixture.temporary.path + "/away"
    rename(fixture.path, away)
    await #expect(throws: TestRefusal.self) { try await store.force(1, "late") }
    try await store.look()
    #expect(!isLost(store) && store.health.condition != .good)
    // An empty folder in the place of the state folder makes no difference.
    mkdir(fixture.path, 0o700)
    try await store.look()
    await #expect(throws: TestRefusal.self) { try await store.force(1, "late") }
    #expect(!isLost(store))
    rename(fixture.path, fixture.temporary.path + "/other")
    rename(away, fixture.path)
    try await store.look()
    #expect(store.health.condition == .good)
    #expect(try await store.force(2, "late") == 21)
    #expect(fixture.names().allSatisfy { !$0.contains("damaged") })
    fixture.close()
    #expect(try await fixture.open().served.count == 21)
  }

  @Test("a lost database that is put back is used again, but one with lower revisions is not")
  func fileBack() async throws {
    let (fixture, store) = try await stocked()
    let (path, away) = (fixture.path + "/gameconfd.db", fixture.temporary.path + "/away.db")
    let copy = try await store.backup().path
    try await store.force(1, "late")
    for suffix in ["", "-wal"] { rename(path + suffix, away + suffix) }
    try await store.look()
    #expect(isLost(store))
    rename(copy, path)
    try await store.look()
    #expect(isLost(store))
    for suffix in ["", "-wal"] { rename(away + suffix, path + suffix) }
    try await store.look()
    #expect(store.health.condition == .good)
    #expect(try await store.served["late"] == 1)
    #expect(try await store.force(2, "late") == 22)
  }

  /// Makes a file immutable, so that even root cannot write to it.
  /// - Returns: True if that succeeded.
  private func forbid(_ path: String) -> Bool {
    if getuid() != 0 { return chmod(path, 0o440) == 0 }
    return setImmutable(path, true)
  }

  private func allow(_ path: String) {
    if getuid() == 0 { _ = setImmutable(path, false) }
    chmod(path, 0o640)
  }

  private func setImmutable(_ path: String, _ isImmutable: Bool) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    // FS_IOC_GETFLAGS, FS_IOC_SETFLAGS and FS_IMMUTABLE_FL of linux/fs.h, whose macros Swift cannot read.
    var flags: CLong = 0
    guard ioctl(descriptor, 0x8008_6601, &flags) == 0 else { return false }
    flags = isImmutable ? flags | 0x10 : flags & ~0x10
    return ioctl(descriptor, 0x4008_6602, &flags) == 0 && (access(path, W_OK) != 0) == isImmutable
  }

  @Test("a database without write permission is reported at the start; with permission the store is healthy without a write")
  func notWritable() async throws {
    let (fixture, _) = try await stocked()
    fixture.close()
    let path = fixture.path + "/gameconfd.db"
    guard forbid(path) else {
      print("SKIPPED: a database that may not be written was not tried, since nothing binds root here")
      return
    }
    defer { allow(path) }
    let store = try fixture.open()
    func expectNamed() {
      guard case .failing(let words) = store.health.condition else {
        Issue.record("\(store.health.condition)")
        return
      }
      #expect(words.contains(path) && words.contains("give it"), "\(words)")
    }
    expectNamed()
    #expect(store.health.since != nil)
    #expect(try await store.served.count == 20, "what is there is served")
    #expect(try await store.read { try $0.overrides(at: OverrideSlot(game: "g", key: "k3")).inForce?.value } == 3)
    for _ in 0..<3 { try await store.look() }
    await #expect(throws: TestRefusal.self) { try await store.force(1, "late") }
    expectNamed()
    let replaced = { fixture.published.count { $0.changes.contains { if case .replaced = $0 { true } else { false } } } }
    #expect(replaced() == 0, "it is not opened again and again while that would change nothing")
    #expect(fixture.reported.count == 1, "and not told again and again: \(fixture.reported)")
    allow(path)
    try await store.look()
    #expect(store.health.condition == .good && replaced() == 1)
    #expect(try await store.force(2, "late") == 21)
    fixture.close()
    #expect(try await fixture.open().served.count == 21)
  }

  @Test("the permissions of the files beside an unwritable database are restored together with its own")
  func besideNotWritable() async throws {
    let (fixture, _) = try await stocked()
    fixture.close()
    let files = ["", "-wal", "-shm"].map { fixture.path + "/gameconfd.db" + $0 }
    // Killed readers leave these files; SQLite creates them with the database's permissions.
    for path in files.dropFirst() where access(path, F_OK) != 0 {
      try fixture.temporary.write([], to: "state" + path.dropFirst(fixture.path.utf8.count))
    }
    for path in files { chmod(path, 0o440) }
    _ = try fixture.open()
    fixture.close()
    chmod(files[0], 0o640)
    let again = try fixture.open()
    #expect(again.health.condition == .good)
    #expect(try await again.force(2, "late") > 20)
    for path in files.dropFirst() {
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      #expect(status.st_mode & 0o200 != 0, "\(path)")
    }
  }

  @Test("a dry run within a batch is rolled back alone, even if another transaction of the batch is refused after writing")
  func dryAmongWrites() async throws {
    let (fixture, store) = try await stocked()
    defer { fixture.close() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          if number % 3 == 0 {
            _ = try await store.write(WriteMode(isDryRun: true), refusing: TestRefusal.self) { transaction in
              let slot = OverrideSlot(game: "g", key: "dry\(number)")
              let record = OverrideRecord(
                slot: slot, value: 1, author: .daemon, at: Instant(seconds: 1), revision: try transaction.nextRevision(of: "g"))
              try transaction.put(KeyOverrides(slot: slot, records: [record]))
            }
          } else if number % 3 == 1 {
            _ = try? await store.write(refusing: TestRefusal.self) { transaction in
              _ = try transaction.nextRevision(of: "g")
              _ = try transaction.append(AuditRecord(at: Instant(seconds: 1), author: .daemon, action: .overrideSet, reason: "refused"))
              throw TestRefusal.store(.late)
            }
          } else {
            try await store.force(.integer(Int64(number)), "wet\(number)")
          }
        }
      }
      try await group.waitForAll()
    }
    let served = try await store.served
    #expect(served.count == 20 + 66 && served.keys.allSatisfy { !$0.hasPrefix("dry") })
    #expect(try await store.contents().state.revisions["g"] == 86, "neither a dry run nor what is refused takes a revision")
    #expect(try await store.read { try $0.audits(AuditSelection(limit: 1_000)) }.allSatisfy { $0.reason != "refused" })
    fixture.close()
    #expect(try await fixture.open().served == served)
  }

  @Test("the path of a database that was set aside is known over a restart, as long as the database is lost")
  func asideOverRestart() async throws {
    let (fixture, _) = try await stocked()
    fixture.close()
    try fixture.temporary.write([UInt8](repeating: 7, count: 30_000), to: "state/gameconfd.db")
    let aside = try #require(fixture.open().health.asidePath)
    #expect(try fixture.temporary.read("state/" + aside.split(separator: "/").suffix(1).joined()).count == 30_000)
    let store = try fixture.open()
    #expect(store.health.asidePath == aside)
    _ = try await store.rebuild(by: SQLiteStore.change)
    #expect(store.health.asidePath == nil)
  }

  @Test("a batch that leaves nothing stored does not prove that the disk has recovered")
  func refusedSaysNothing() async throws {
    let (fixture, store) = try await stocked()
    defer { fixture.close() }
    store.enqueueForWriter { $0.meet(.noSpace) }
    await #expect(throws: TestRefusal.self) {
      try await store.write(refusing: TestRefusal.self) { _ in throw TestRefusal.store(.late) }
    }
    #expect(store.health.condition == .noSpace)
    _ = try await store.write(WriteMode(isDryRun: true), refusing: TestRefusal.self) { try $0.nextRevision(of: "g") }
    #expect(store.health.condition == .noSpace)
    try await store.force(1, "a")
    #expect(store.health.condition == .good)
  }

  @Test("a fault that a read has met ends at the next check, not with a write")
  func readersTrouble() async throws {
    let (fixture, store) = try await stocked()
    store.enqueueForWriter { $0.meet(.failing("too many files are open"), isReaders: true) }
    try await store.force(1, "a")
    #expect(store.health.condition != .good, "what is written says nothing about what can be read")
    try await store.look()
    #expect(store.health.condition == .good)
    #expect(fixture.reported.count == 2)
  }

  @Test("frequent faults and recoveries are reported a few times, and then at most once a second")
  func flapping() async throws {
    let (fixture, store) = try await stocked()
    let began = ContinuousClock.now
    for _ in 0..<100 {
      store.enqueueForWriter { $0.meet(.noSpace) }
      try await store.force(1, "a")
    }
    // At most eight pairs of a fault and a recovery are reported in ten seconds, however long this machine takes for a hundred.
    let spans = Int(began.duration(to: .now) / .seconds(10)) + 2
    #expect(fixture.reported.count <= spans * 16 + 2 && fixture.reported.count < 200, "\(fixture.reported.count)")
    try await store.look()
    #expect(store.health.condition == .good)
  }

  @Test("damage that a check reports is verified, and the store continues if the database is intact")
  func falseAlarm() async throws {
    let (fixture, store) = try await stocked()
    for _ in 0..<2 { store.enqueueForWriter { $0.meet(.damaged("database disk image is malformed")) } }
    #expect(try await store.force(1, "a") == 21)
    #expect(store.health.condition == .good && fixture.names().allSatisfy { !$0.contains("damaged") })
    #expect(fixture.published.count { batch in batch.changes.contains { if case .replaced = $0 { true } else { false } } } == 1)
  }

  private func opening(_ fixture: DiskFixture, pauses: @escaping @Sendable () -> Void) -> DatabaseOpening {
    DatabaseOpening(
      file: DatabaseFile(path: fixture.path + "/gameconfd.db"), known: nil, isKnownDamaged: false, wasOpen: true, pauses: pauses)
  }

  @Test("apparent damage is verified after a pause: an intact database is opened, a damaged one is lost")
  func secondLook() async throws {
    let (fixture, _) = try await stocked()
    fixture.close()
    let name = "state/gameconfd.db"
    let whole = try fixture.temporary.read(name)
    try fixture.temporary.write([UInt8](repeating: 7, count: whole.count), to: name)
    let pauses = Mutex(0)
    guard case .lost(_, isDamaged: true) = opening(fixture, pauses: { pauses.withLock { $0 += 1 } }).open() else {
      Issue.record("what is damaged at both looks is lost")
      return
    }
    #expect(pauses.withLock { $0 } == 1)
    let repairing = opening(fixture) { try? fixture.temporary.write(whole, to: name) }
    guard case .open(let connection, let state, _, _) = repairing.open() else {
      Issue.record("what is whole at the second look is opened")
      return
    }
    connection.close()
    #expect(state.revisions == ["g": 20])
  }

  @Test("a database whose folder is missing at opening is not lost: it is opened when the folder is back")
  func openedAway() async throws {
    let (fixture, _) = try await stocked()
    fixture.close()
    let away = fixture.temporary.path + "/away"
    rename(fixture.path, away)
    guard case .later(let failure) = opening(fixture, pauses: {}).open() else {
      Issue.record("a folder that is away is no loss")
      return
    }
    #expect(failure.description.contains(fixture.path), "\(failure)")
    rename(away, fixture.path)
    guard case .open(let connection, let state, _, _) = opening(fixture, pauses: {}).open() else {
      Issue.record("it is back")
      return
    }
    connection.close()
    #expect(state.revisions == ["g": 20])
  }

  @Test("the end of a time window that was applied in memory is retained until it is saved, whatever else is committed")
  func unsavedEdges() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open(at: 1005)
    defer { fixture.close() }
    try await store.force(5, "w", window: OverrideWindow(id: "w", from: Instant(seconds: 900), until: Instant(seconds: 1001)))
    store.shared.keepUnsaved([OverrideSlot(game: "g", key: "w")])
    _ = try await store.writeSurviving(WriteMode(), refusing: StoreError.self) { try $0.nextRevision(of: "h") }
    #expect(store.shared.unsaved.count == 1, "a catalog that was accepted saved no edge")
    _ = try await store.applyWindowEdges(now: Instant(seconds: 1005))
    #expect(store.shared.unsaved.isEmpty)
  }

  @Test("a revision that was served while writing was impossible is not assigned again by the next write")
  func servedRevisions() async throws {
    let (fixture, store) = try await stocked()
    defer { fixture.close() }
    let stored = try await store.force(1, "a")
    let transaction = UnsavedTransaction(store.shared.served)
    #expect(transaction.nextRevision(of: "g") == stored + 1)
    store.shared.noteUnsaved(transaction)
    #expect(try await store.force(2, "a") == stored + 2)
  }

  @Test("a failed statement is a fault of the store, and its transaction is refused whole even if the transaction ignores the error")
  func failedStatement() async throws {
    let (fixture, store) = try await stocked()
    defer { fixture.close() }
    let before = try await store.contents().state.revisions
    await #expect(throws: StoreError.self) {
      try await store.write(refusing: StoreError.self) { transaction in
        _ = try transaction.nextRevision(of: "g")
        _ = try? transaction.row(Statement(.query, "SELECT * FROM nothing"))
      }
    }
    #expect(store.health.condition != .good)
    #expect(try await store.contents().state.revisions == before)
  }

  @Test("a time window that has ended is no longer among the windows to open or close")
  func endedWindow() async throws {
    let (fixture, store) = try await stocked()
    defer { fixture.close() }
    try await store.force(5, "w", window: OverrideWindow(id: "w", from: Instant(seconds: 900), until: Instant(seconds: 1001)))
    #expect(try await store.applyWindowEdges(now: Instant(seconds: 1002)).map(\.kind) == [.ended])
    #expect(store.slotsWithEdges(at: Instant(seconds: 1003)).isEmpty)
  }

  @Test("player revisions that were assigned while writing was impossible are not assigned again after a crash")
  func playerRevisions() async throws {
    let (fixture, store) = try await stocked()
    try await store.force(1, "a", player: "p")
    store.shared.lose("test", aside: nil)
    fixture.close()
    var state = try #require(try fixture.lastGood)
    state.state.playerRevisionMax = 40
    let directory = try StateDirectory(path: fixture.path)
    try LastGoodFile(in: directory).store(state)
    directory.unlock()
    let again = try fixture.open()
    #expect(try await again.write(refusing: StoreError.self) { try $0.nextPlayerRevision("p", in: "g") } == 41)
  }

  @Test(
    "the operating system's error is reported with the remedy",
    arguments: [
      (EDQUOT, "noSpace"), (ENOSPC, "noSpace"), (EROFS, "readOnly"), (EIO, "check the disk"), (EACCES, "give it"), (ENOENT, "mounted"),
    ])
  func words(code: Int32, hint: String) {
    let error = DatabaseFailure(sqlite: 778, "disk I/O error", systemCode: code)
    #expect("\(error.kind): \(error)".contains(hint))
  }
}
