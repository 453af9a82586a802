// Players during the loss of the database, a restore, or a full disk.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("Players and a lost database")
struct PlayerLossTests {
  private let id = PlayerID(game: "g", player: "p1")

  private func service(_ store: SQLiteStore) -> PlayerService {
    var catalog = Catalog(game: "g", title: "G", locales: ["en"])
    catalog.events = [EventDefinition(name: "game_over", carriesScore: true)]
    return .over(store, catalog)
  }

  private func send(_ service: PlayerService, _ score: Value, requestID: String? = nil) async throws -> PlayerChangeOutcome<EventOutcome> {
    let change = ChangeContext(author: Author(uid: 1, name: "ada"), now: Instant(seconds: 1_795_262_400))
    return try await service.record(id, PlayerEvent(name: "game_over", score: score), requestID: requestID, change)
  }

  @Test("a player's acknowledged changes survive a restart, with the answers for repeated requests")
  func restart() async throws {
    let fixture = try DiskFixture()
    let first = try await send(service(try fixture.open()), 30, requestID: "e1")
    let service = service(try fixture.open())
    let again = try await send(service, 30, requestID: "e1")
    #expect(again.isRepeat && again.outcome == first.outcome && again.player == first.player)
    #expect(try await send(service, 5).outcome.lifetimeScore == 35)
  }

  @Test("after a restart an unknown player has no revision")
  func unknown() async throws {
    let fixture = try DiskFixture()
    let before = service(try fixture.open())
    for _ in 0..<3 { _ = try await send(before, 1) }
    let after = service(try fixture.open())
    #expect(try await after.recent.read(id).revision == 3)
    #expect(try await after.recent.read(PlayerID(game: "g", player: "nobody")).revision == 0)
  }

  @Test("players of a lost database are neither read nor written, and a rebuilt database begins above every player revision")
  func rebuilt() async throws {
    let fixture = try DiskFixture()
    let service = service(try fixture.open())
    for _ in 0..<3 { _ = try await send(service, 1) }
    fixture.close()
    try fixture.temporary.write(Array("not a database, but long enough to be taken for one\n".utf8), to: "state/gameconfd.db")
    for suffix in ["-wal", "-shm"] { try fixture.temporary.write([], to: "state/gameconfd.db" + suffix) }
    let store = try fixture.open()
    let lost = self.service(store)
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

  @Test("a restored backup replaces the cached players")
  func restored() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    let service = service(store)
    _ = try await send(service, 10, requestID: "e1")
    let backup = try await store.backup()
    let last = try await send(service, 5)
    #expect(service.recent.cached(id)?.state?.lifetimeScore == 15)
    _ = try await store.restore(from: backup.path, by: SQLiteStore.change)
    #expect(service.recent.cached(id) == nil)
    let read = try await service.recent.read(id)
    #expect(read.state?.lifetimeScore == 10 && read.revision > last.player.revision)
    #expect(try await send(service, 10, requestID: "e1").isRepeat)
    #expect(try await send(service, 1).outcome.lifetimeScore == 11)
  }

  @Test("simulated clocks of games survive the loss of the database")
  func clocks() async throws {
    let fixture = try DiskFixture()
    let clock = SimulatedClock(anchor: Instant(seconds: 9_000_000), hostAnchor: Instant(seconds: 5), rateThousandths: 2_000)
    let store = try fixture.open()
    try await store.write(refusing: StoreError.self) { transaction in
      try transaction.put(clock, ofGame: "g")
      _ = try transaction.nextRevision(of: "g")
    }
    fixture.close()
    try fixture.temporary.write(Array("not a database, but long enough to be taken for one\n".utf8), to: "state/gameconfd.db")
    let lost = try fixture.open()
    #expect(try await lost.contents().state.clocks == ["g": clock])
    _ = try await lost.rebuild(by: SQLiteStore.change)
    #expect(try await lost.read { try $0.clock(ofGame: "g") } == clock)
  }
}
