// Concurrent events of one player in one batch, over every store.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Synchronization
import Testing

@Suite("Concurrent events of one player")
struct PlayerInterleavingTests {
  private static let now = Instant(seconds: 1_795_262_400)
  private let id = PlayerID(game: "g", player: "p1")

  /// A publication that holds the writer until it is released.
  private final class Hold: Sendable {
    private let isHeld = Mutex(false)
    func begin() { isHeld.withLock { $0 = true } }
    func end() { isHeld.withLock { $0 = false } }
    func pass() async { while isHeld.withLock({ $0 }) { await Task.yield() } }
  }

  private func catalog() -> Catalog {
    var catalog = Catalog(game: "g", title: "G", locales: ["en"])
    catalog.events = [EventDefinition(name: "game_over", carriesScore: true)]
    catalog.milestones = [Milestone(id: "forest", metric: .lifetimeScore, threshold: .number(50))]
    catalog.themes = [Theme(id: "forest", name: [:], unlock: .milestone("forest"))]
    catalog.placements = [Placement(id: "over", format: .interstitial, event: "game_over", every: .number(2))]
    return catalog
  }

  /// A service whose store runs no further transaction while it is held.
  private func service(_ tested: StoreUnderTest, _ hold: Hold) -> PlayerService {
    let live = CurrentWorld(World(games: [GameSnapshot(catalog: catalog(), revision: 0)]))
    let recent = PlayerCache(store: tested.store)
    tested.store.publish { batch in
      {
        // Batches that only report the end of the audit log are not held, because that would delay the transaction of the first commit.
        if !batch.isLook { await hold.pass() }
        recent.apply(batch.changes)
      }
    }
    return PlayerService(store: tested.store, world: live, recent: recent, rates: WriteRateLimiter { 0 })
  }

  private func send(_ service: PlayerService, _ score: Value, requestID: String? = nil) async throws -> PlayerChangeOutcome<EventOutcome> {
    let change = ChangeContext(author: Author(uid: 1, name: "ada"), now: Self.now)
    return try await service.record(id, PlayerEvent(name: "game_over", score: score), requestID: requestID, change)
  }

  /// Sends events that all wait for the writer together, behind a batch whose publication is held.
  private func together(
    _ tested: StoreUnderTest, _ service: PlayerService, _ hold: Hold, _ events: [(score: Value, requestID: String?)]
  ) async throws -> [PlayerChangeOutcome<EventOutcome>] {
    _ = try await service.recent.read(id)
    hold.begin()
    return try await withThrowingTaskGroup(of: PlayerChangeOutcome<EventOutcome>?.self) { group in
      group.addTask {
        _ = try await tested.write { try $0.nextRevision(of: "g") }
        return nil
      }
      while try await tested.store.read({ try $0.revision(of: "g") }) == 0 { await Task.yield() }
      for event in events { group.addTask { try await send(service, event.score, requestID: event.requestID) } }
      while tested.store.health.writesWaiting < events.count { await Task.yield() }
      hold.end()
      return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
    }
  }

  @Test("two events both count, one of them reaches the milestone, and one shows the ad", arguments: StoreKind.allCases)
  func two(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let hold = Hold()
    let service = service(tested, hold)
    let outcomes = try await together(tested, service, hold, [(30, nil), (40, nil)])
    #expect(outcomes.map(\.outcome.lifetimeScore).max() == 70)
    #expect(outcomes.flatMap(\.outcome.milestones) == ["forest"] && outcomes.flatMap(\.outcome.themes) == ["forest"])
    #expect(outcomes.flatMap(\.outcome.ads).filter(\.shows).count == 1)
    #expect(Set(outcomes.map(\.player.revision)) == [1, 2])
    #expect(service.recent.cached(id)?.state?.lifetimeScore == 70)
    #expect(try await tested.store.read { try $0.player(id) } == service.recent.cached(id))
  }

  @Test("events of a cached player all count, and each is decided on the state that the one before it left", arguments: StoreKind.allCases)
  func known(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let hold = Hold()
    let service = service(tested, hold)
    #expect(try await send(service, 10).outcome.lifetimeScore == 10)
    let outcomes = try await together(tested, service, hold, [(20, nil), (30, "e"), (30, "e"), (40, nil)])
    #expect(outcomes.map(\.outcome.lifetimeScore).max() == 100 && outcomes.filter(\.isRepeat).count == 1)
    #expect(outcomes.filter { !$0.isRepeat }.flatMap(\.outcome.milestones) == ["forest"])
    #expect(Set(outcomes.map(\.player.revision)) == [2, 3, 4])
    #expect(service.recent.cached(id)?.state?.lifetimeScore == 100)
    #expect(try await tested.store.read { try $0.player(id) } == service.recent.cached(id))
  }

  @Test("an event that is sent twice in one batch counts once", arguments: StoreKind.allCases)
  func twice(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let hold = Hold()
    let service = service(tested, hold)
    let outcomes = try await together(tested, service, hold, [(60, "e"), (60, "e"), (60, "e")])
    #expect(outcomes.filter(\.isRepeat).count == 2 && Set(outcomes.map(\.outcome)).count == 1)
    #expect(service.recent.cached(id)?.state?.lifetimeScore == 60)
  }

  @Test("a refused event between two others does not affect the decision of the next", arguments: StoreKind.allCases)
  func refused(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let hold = Hold()
    let service = service(tested, hold)
    await #expect(throws: ChangeRefusal.refused(.scoreNegative(-1))) {
      _ = try await together(tested, service, hold, [(30, nil), (-1, nil), (40, nil)])
    }
    while service.recent.cached(id)?.state?.lifetimeScore != 70 { await Task.yield() }
    #expect(service.recent.cached(id)?.state?.gamesPlayed == 2)
  }
}
