// The frequency at which the last good state is written: for its contents instead of for every event.
import GameConfCore
import Synchronization
import TestSupport
import Testing

@testable import GameConfStorage

@Suite("The frequency of last-good.json")
struct LastGoodPaceTests {
  /// A writer of last-good.json that counts the states that it receives.
  private final class CountingLastGood: LastGood {
    let stored = Mutex<[LastGoodState]>([])
    func load() throws(StateFault) -> LastGoodState? { nil }
    func store(_ state: LastGoodState) throws(StateFault) { stored.withLock { $0.append(state) } }
    var count: Int { stored.withLock { $0.count } }
  }

  @Test("last-good.json is written for an override, a large rise of player revisions, and closing, but not for players' events")
  func pace() async throws {
    let temporary = try TemporaryFolder()
    let lastGood = CountingLastGood()
    let directory = try StateDirectory(path: temporary.path + "/state")
    let store = SQLiteStore(in: directory, lastGood: lastGood, now: { Instant(seconds: 1) })
    func written() -> Bool { store.health.lastGoodIsBehind == false }
    try await store.force(1, "a")
    for _ in 0..<50 { _ = try await store.write(refusing: StoreError.self) { try $0.nextPlayerRevision("p", in: "g") } }
    store.keeper.save()
    let before = lastGood.count
    for _ in 0..<50 { _ = try await store.write(refusing: StoreError.self) { try $0.nextPlayerRevision("p", in: "g") } }
    #expect(written() && lastGood.count == before)
    try await store.write(refusing: StoreError.self) { transaction in
      _ = try transaction.run(Statement(.change, "UPDATE player_revisions SET revision = 60000"))
      _ = try transaction.nextPlayerRevision("p", in: "g")
    }
    #expect(!written() || lastGood.count > before)
    store.keeper.save()
    _ = try await store.write(refusing: StoreError.self) { try $0.nextPlayerRevision("p", in: "g") }
    store.close()
    #expect(lastGood.stored.withLock { $0.last?.state.playerRevisionMax } == 60_002)
  }

  /// A writer of last-good.json that fails while its flag is set.
  private final class FailingLastGood: LastGood {
    let isFailing = Mutex(true)
    func load() throws(StateFault) -> LastGoodState? { nil }
    func store(_ state: LastGoodState) throws(StateFault) {
      if isFailing.withLock({ $0 }) { throw StateFault(code: .failed, path: "last-good.json", message: "is a folder") }
    }
  }

  @Test("a failed write of last-good.json is reported once, and the recovery once")
  func fault() async throws {
    let temporary = try TemporaryFolder()
    let lastGood = FailingLastGood()
    let faults = Mutex<[String?]>([])
    let store = SQLiteStore(
      in: try StateDirectory(path: temporary.path + "/state"), lastGood: lastGood, now: { Instant(seconds: 1) },
      conditionChanged: { health in faults.withLock { $0.append(health.lastGoodFault) } })
    for value in 1...2 {
      try await store.force(Value.integer(Int64(value)), "a")
      store.keeper.save()
    }
    #expect(faults.withLock { $0 } == ["last-good.json is a folder"] && store.health.condition == .good)
    lastGood.isFailing.withLock { $0 = false }
    store.keeper.save()
    store.keeper.save()
    #expect(faults.withLock { $0 } == ["last-good.json is a folder", nil])
    store.close()
  }
}
