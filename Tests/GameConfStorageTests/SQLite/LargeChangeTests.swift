// The write-ahead log after a large change.
import GameConfCore
import Testing

@testable import GameConfStorage

@Suite("After a large change")
struct LargeChangeTests {
  private func slots(_ count: Int, revision: Int64 = 1) -> [KeyOverrides] {
    (0..<count).map { number in
      let slot = OverrideSlot(game: "g", player: "player-\(number)", key: "key")
      let value = Value.string(String(repeating: "v", count: 200))
      return KeyOverrides(
        slot: slot,
        records: [OverrideRecord(slot: slot, value: value, author: .daemon, reason: nil, at: Instant(seconds: 1), revision: revision)])
    }
  }

  @Test("every concurrent read after a large change sees the whole change")
  func manyLooks() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    for revision in Int64(1)...60 {
      let changed = slots(600, revision: revision)
      try await store.write(refusing: StoreError.self) { try $0.put(changed, revision: revision) }
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<3 {
          group.addTask {
            let overrides = try await store.contents().state.sortedOverrides
            return overrides.count == 600 && overrides.allSatisfy { $0.permanent?.revision == revision }
          }
        }
        for try await isWhole in group { #expect(isWhole) }
      }
    }
  }

  @Test(
    "the pages of a large change are checkpointed without another commit, and later commits checkpoint their own pages",
    .timeLimit(.minutes(15)))
  func log() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    let file = DatabaseFile(path: fixture.path + "/gameconfd.db")
    let written = OverrideRowBatch(slots(20_000), revision: 1)
    let least = 20_000 * 200
    try await store.write(refusing: StoreError.self) { try $0.put(written, over: 0, at: 1) }
    #expect(file.identity(of: file.logPath)?.bytesCount ?? 0 > least)
    while file.identity()?.bytesCount ?? 0 < least { await Task.yield() }
    #expect(try await store.read { try $0.playerOverridesCount(in: "g") } == 20_000)
    // The writes are far larger than the write-ahead log ever was.
    let few = slots(900)
    for _ in 0..<60 { try await store.write(refusing: StoreError.self) { try $0.put(few, revision: 1) } }
    #expect(file.identity(of: file.logPath)?.bytesCount ?? 0 < 3 * least)
  }
}
