// A disk that is full or read-only: writes are refused meanwhile, reads continue. The tests mount a small file system and need root.
import GameConfCore
import GameConfEngine
import Glibc
import Testing

@testable import GameConfStorage

/// A tmpfs of 4 MiB, which is unmounted with the object; nil if it cannot be mounted.
private final class SmallDisk {
  let path: String

  init?() {
    var template = Array("/tmp/gameconf-disk-XXXXXX".utf8CString)
    guard geteuid() == 0, mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard Self.run("/bin/mount", "-t", "tmpfs", "-o", "size=4m", "gameconf-test", path) else {
      rmdir(path)
      return nil
    }
  }

  deinit {
    _ = Self.run("/bin/umount", "-l", path)
    rmdir(path)
  }

  func fill() {
    let descriptor = open(path + "/filler", O_WRONLY | O_CREAT, 0o600)
    let block = [UInt8](repeating: 1, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    close(descriptor)
  }

  func free() { unlink(path + "/filler") }

  /// Makes the disk read-only or writable again.
  ///
  /// mount(8) looks the disk up in the kernel's table of mounts. While other processes mount, a read of that table may miss entries, and the
  /// mode is not changed although mount(8) succeeds.
  func remount(_ mode: String) -> Bool {
    for _ in 0..<100 {
      var about = statvfs()
      guard Self.run("/bin/mount", "-o", "remount,\(mode)", path), statvfs(path, &about) == 0 else { return false }
      if (about.f_flag & UInt(ST_RDONLY) != 0) == (mode == "ro") { return true }
    }
    return false
  }

  private static func run(_ arguments: String...) -> Bool {
    var pid = pid_t()
    var pointers = arguments.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    guard posix_spawn(&pid, arguments[0], nil, nil, pointers, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status == 0
  }

  private static func free(_ pointer: UnsafeMutablePointer<CChar>?) { Glibc.free(pointer) }
}

@Suite("A full or read-only disk", .serialized)
struct FullDiskTests {
  private func disk() -> SmallDisk? {
    if let disk = SmallDisk() { return disk }
    print("SKIPPED: a full disk was not tried, since this user may not mount a tmpfs (run as root)")
    return nil
  }

  @Test("on a full disk writes are refused, reads and time windows continue; with space again, writes continue and nothing is lost")
  func full() async throws {
    guard let disk = disk() else { return }
    let fixture = try DiskFixture(at: disk.path + "/state")
    let store = try fixture.open()
    try await store.force(1, "a")
    try await store.force(5, "w", window: OverrideWindow(id: "w", from: Instant(seconds: 900), until: Instant(seconds: 1001)))
    disk.fill()
    let large = Value.string(String(repeating: "x", count: 100_000))
    var refusals = 0
    for number in 0..<60 {
      do { try await store.force(large, "large\(number)") } catch TestRefusal.store(.noSpace) { refusals += 1 }
    }
    #expect(refusals > 0)
    #expect(store.health.condition == .noSpace && store.health.since != nil)
    #expect(try await store.read { try $0.overrides(at: OverrideSlot(game: "g", key: "a")).inForce?.value } == 1)
    let before = try await store.contents().state.revisions["g", default: 0]
    #expect(try await store.applyWindowEdges(now: Instant(seconds: 1002)).map(\.kind) == [.ended])
    #expect(try await store.served["w"] == nil)
    _ = try await store.applyWindowEdges(now: Instant(seconds: 1003))
    disk.free()
    _ = try await store.applyWindowEdges(now: Instant(seconds: 1004))
    #expect(store.health.condition == .good)
    #expect(store.slotsWithEdges(at: Instant(seconds: 1005)).isEmpty)
    let ended = try await store.read { try $0.audits(AuditSelection(key: "w")).filter { $0.action == .windowEnded } }
    #expect(ended.count == 1 && ended.first?.at == Instant(seconds: 1001))
    #expect(try await store.force(2, "a") > before + 1)
    #expect(fixture.reported.contains(.noSpace) && fixture.reported.last == .good)
    fixture.close()
    let again = try fixture.open()
    #expect(again.health.condition == .good)
    #expect(try await again.served["a"] == 2)
  }

  @Test("a write-ahead log that fills the disk frees its own space")
  func logMakesSpace() async throws {
    guard let disk = disk() else { return }
    let fixture = try DiskFixture(at: disk.path + "/state")
    let store = try fixture.open()
    for number in 0..<600 {
      let slot = OverrideSlot(game: "g", key: "k\(number % 3)")
      let record = OverrideRecord(
        slot: slot, value: .string(String(repeating: "x", count: 9000)), author: .daemon, at: Instant(seconds: 1), revision: 1)
      try await store.write(refusing: TestRefusal.self) { try $0.put(KeyOverrides(slot: slot, records: [record])) }
    }
    #expect(store.health.condition == .good && fixture.reported.isEmpty)
  }

  @Test("at max_page_count a write that needs a page is refused, all else continues, and with more pages nothing is lost")
  func pageCount() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    // SQLite raises a smaller limit to the present number of pages.
    func limit(pages: Int64) async throws {
      let limit = try await store.write(refusing: TestRefusal.self) { transaction in
        try (transaction.database as? SQLiteConnection)?.integer("PRAGMA max_page_count = \(pages)")
      }
      #expect(limit.map { $0 >= pages } == true)
    }
    try await store.force(1, "a")
    try await limit(pages: 1)
    let large = Value.string(String(repeating: "x", count: 100_000))
    var refused: [String] = []
    for number in 0..<10 {
      do { try await store.force(large, "large\(number)") } catch TestRefusal.store(.noSpace) { refused.append("large\(number)") }
    }
    #expect(refused.count == 10)
    #expect(store.health.condition == .noSpace && store.health.since != nil)
    #expect(try await store.read { try $0.overrides(at: OverrideSlot(game: "g", key: "a")).inForce?.value } == 1)
    try await limit(pages: 1 << 30)
    for key in refused { try await store.force(large, key) }
    #expect(store.health.condition == .good)
    #expect(fixture.reported == [.noSpace, .good])
    fixture.close()
    let again = try fixture.open()
    #expect(again.health.condition == .good)
    #expect(try await again.served.count == 11)
    #expect(try await again.check().findings.isEmpty)
  }

  @Test("on a disk that is remounted read-only writes are refused and reads continue; remounted for writing, writes continue")
  func readOnly() async throws {
    guard let disk = disk() else { return }
    let fixture = try DiskFixture(at: disk.path + "/state")
    let store = try fixture.open()
    try await store.force(1, "a")
    fixture.close()
    guard disk.remount("ro") else {
      print("SKIPPED: a read-only disk was not tried, since it may not be remounted")
      return
    }
    let reader = try fixture.open()
    #expect(reader.health.condition == .readOnly, "before any write")
    for _ in 0..<3 { try await reader.look() }
    func isReplaced() -> Bool { fixture.published.contains { $0.changes.contains { if case .replaced = $0 { true } else { false } } } }
    #expect(fixture.reported == [.readOnly] && !isReplaced(), "it is not opened again and again while that would change nothing")
    #expect(try await reader.served["a"] == 1)
    await #expect(throws: TestRefusal.self) { try await reader.force(2, "a") }
    #expect(disk.remount("rw"))
    #expect(try await reader.force(2, "a") == 2)
    #expect(reader.health.condition == .good)
    #expect(isReplaced())
  }
}
