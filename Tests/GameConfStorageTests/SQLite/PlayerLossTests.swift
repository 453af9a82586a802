// Players when the database is lost, brought back, or full.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("Players and a lost database")
struct PlayerLossTests {
  private let id = PlayerID(game: "g", player: "p1")

  private func desk(_ store: SQLiteStore) -> PlayerDesk {
    var catalog = Catalog(game: "g", title: "G", locales: ["en"])
    catalog.events = [EventDefinition(name: "game_over", carriesScore: true)]
    return .over(store, catalog)
  }

  private func send(_ desk: PlayerDesk, _ score: Value, requestID: String? = nil) async throws -> PlayerChanged<EventOutcome> {
    let change = Change(author: Author(uid: 1, name: "ada"), now: Instant(seconds: 1_795_262_400))
    return try await RecordEvent(desk)(id, PlayerEvent(name: "game_over", score: score), requestID: requestID, change)
  }

  @Test("what was answered is there after a restart, with its answers to repeats")
  func restart() async throws {
    let bench = try DiskBench()
    let first = try await send(desk(try bench.open()), 30, requestID: "e1")
    let desk = desk(try bench.open())
    let again = try await send(desk, 30, requestID: "e1")
    #expect(again.isRepeat && again.outcome == first.outcome && again.player == first.player)
    #expect(try await send(desk, 5).outcome.lifetimeScore == 35)
  }

  @Test("after a restart a player of whom nothing is known is at no revision")
  func unknown() async throws {
    let bench = try DiskBench()
    let before = desk(try bench.open())
    for _ in 0..<3 { _ = try await send(before, 1) }
    let after = desk(try bench.open())
    #expect(try await after.recent.read(id).revision == 3)
    #expect(try await after.recent.read(PlayerID(game: "g", player: "nobody")).revision == 0)
  }

  @Test("of a lost database no player is read or written, and a rebuilt one begins above every player revision")
  func rebuilt() async throws {
    let bench = try DiskBench()
    let desk = desk(try bench.open())
    for _ in 0..<3 { _ = try await send(desk, 1) }
    bench.close()
    try bench.temporary.write(Array("not a database, but long enough to be taken for one\n".utf8), to: "state/gameconfd.db")
    for suffix in ["-wal", "-shm"] { try bench.temporary.write([], to: "state/gameconfd.db" + suffix) }
    let store = try bench.open()
    let lost = self.desk(store)
    func isUnavailable(_ body: () async throws -> Void) async -> Bool {
      do {
        try await body()
        return false
      } catch StoreError.unavailable { return true } catch ChangeRefusal.store(.unavailable) { return true } catch { return false }
    }
    #expect(await isUnavailable { _ = try await lost.recent.read(id) })
    #expect(await isUnavailable { _ = try await send(lost, 1) })
    _ = try await store.rebuild(by: SQLiteStore.change)
    #expect(try await lost.recent.read(id).state == nil)
    let after = try await send(lost, 1)
    #expect(after.outcome.lifetimeScore == 1 && after.player.revision > 3)
  }

  @Test("a restored backup replaces what is in memory")
  func restored() async throws {
    let bench = try DiskBench()
    let store = try bench.open()
    let desk = desk(store)
    _ = try await send(desk, 10, requestID: "e1")
    let backup = try await store.backup()
    let last = try await send(desk, 5)
    #expect(desk.recent.cached(id)?.state?.lifetimeScore == 15)
    _ = try await store.restore(from: backup.path, by: SQLiteStore.change)
    #expect(desk.recent.cached(id) == nil)
    let read = try await desk.recent.read(id)
    #expect(read.state?.lifetimeScore == 10 && read.revision > last.player.revision)
    #expect(try await send(desk, 10, requestID: "e1").isRepeat)
    #expect(try await send(desk, 1).outcome.lifetimeScore == 11)
  }

  @Test("simulated clocks of games survive the loss of the database")
  func clocks() async throws {
    let bench = try DiskBench()
    let clock = SimulatedClock(anchor: Instant(seconds: 9_000_000), hostAnchor: Instant(seconds: 5), rateThousandths: 2_000)
    let store = try bench.open()
    try await store.write(refusing: StoreError.self) { turn in
      try turn.put(clock, ofGame: "g")
      _ = try turn.nextRevision(of: "g")
    }
    bench.close()
    try bench.temporary.write(Array("not a database, but long enough to be taken for one\n".utf8), to: "state/gameconfd.db")
    let lost = try bench.open()
    #expect(try await lost.contents().state.clocks == ["g": clock])
    _ = try await lost.rebuild(by: SQLiteStore.change)
    #expect(try await lost.read { try $0.clock(ofGame: "g") } == clock)
  }
}
