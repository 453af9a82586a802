// The order in which observers apply, show and are notified of commits, and the contents of the notifications.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Synchronization
import TestStore
import Testing

@Suite("Publications to observers")
struct PublicationsTests {
  /// A record of the steps of all observers, in order.
  private final class ObserverRecord: Sendable {
    private let lines = Mutex<[String]>([])
    private let steps = Mutex<[WorldStep]>([])

    var all: [String] { lines.withLock { $0 } }
    var received: [WorldStep] { steps.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    func add(_ step: WorldStep) { steps.withLock { $0.append(step) } }
  }

  private struct Follower: PublicationObserver {
    let name: String
    let note: ObserverRecord

    func take(_ batch: CommittedBatch) { note.add("\(name) takes") }
    func show(_ world: World) async {
      await Task.yield()
      note.add("\(name) shows \(world["g"]?.revision ?? 0)")
    }
    func receive(_ published: WorldStep) {
      note.add("\(name) is told \(published.world["g"]?.revision ?? 0)")
      note.add(published)
    }
  }

  private struct Fixture {
    let store = MemoryStore()
    let note = ObserverRecord()
    let live: LiveWorld

    init(_ catalog: Catalog = .g()) {
      let publications = PublicationObservers()
      live = LiveWorld(World(games: [GameSnapshot(catalog: catalog, revision: 0)]), publication: publications)
      publications.follow(Follower(name: "one", note: note))
      publications.follow(Follower(name: "two", note: note))
      store.publish(to: publications.publication(changing: live))
    }

    func set(_ value: Value, _ key: String, player: String? = nil) async throws {
      _ = try await OverrideService(store: store, checking: WorldChecking(live.present)).change(
        .set(value), at: OverrideFixture.slot(key, player: player), OverrideFixture.context())
    }
  }

  @Test("all observers apply a batch, then all show the new world, then all are notified, and then the write is answered")
  func order() async throws {
    let fixture = Fixture()
    try await fixture.set(10, "a")
    #expect(
      fixture.note.all == [
        "one takes", "two takes", "one shows 1", "two shows 1", "one is told 1", "two is told 1",
      ])
    try await fixture.set(11, "a")
    #expect(fixture.note.received.map { $0.world["g"]?.revision } == [1, 1, 2, 2])
  }

  @Test("a change of one player's stored data publishes no new world, and observers are notified immediately")
  func players() async throws {
    let fixture = Fixture()
    try await fixture.store.write(refusing: ChangeRefusal.self) { transaction in
      transaction.publish(.player(PlayerID(game: "g", player: "p"), StoredPlayer(revision: 1)))
    }
    #expect(fixture.note.all == ["one takes", "two takes", "one is told 0", "two is told 0"])
    #expect(fixture.note.received.first?.games.isEmpty == true && fixture.note.received.first?.batch?.number == 1)
  }

  @Test("the notification of a changed override has the affected keys and the audit lines")
  func touched() async throws {
    let fixture = Fixture()
    try await fixture.set(10, "a")
    let step = try #require(fixture.note.received.first)
    let change = try #require(step.games.first)
    #expect(change.game == "g" && change.touched.contains("a") && change.removed.isEmpty)
    #expect(step.lines.map(\.key) == ["a"] && !step.isReplaced)
  }

  @Test("a world that changes without a commit is shown, and the notification has the old and the new world")
  func withoutCommit() async throws {
    let fixture = Fixture()
    let degradation = ActiveDegradation(.catalogRefused, since: Instant(seconds: 1), details: ["g.yaml:1:1: no"])
    await fixture.live.change { world in world.replacing([world["g"]?.degraded(by: [degradation])].compactMap { $0 }) }
    let step = try #require(fixture.note.received.first)
    #expect(step.batch == nil && step.before["g"]?.degraded.isEmpty == true && step.world["g"]?.degraded == [degradation])
    #expect(step.games.first?.touched.isEmpty == true)
  }

  @Test("a new catalog affects the keys that it adds, changes or removes")
  func catalogs() {
    let old = GameSnapshot(catalog: .g(["a": 1, "b": 2, "c": 3]), keyRevisions: ["a": 1, "b": 1, "c": 1], GameState(revision: 1))
    let after = GameSnapshot(catalog: .g(["a": 1, "b": 5, "d": 4]), keyRevisions: ["a": 1, "b": 2, "d": 2], GameState(revision: 2))
    let change = GameChange(before: old, after: after)
    #expect(change.touched == ["b", "d"] && change.removed == ["c"])
    #expect(GameChange(before: nil, after: after).touched == ["a", "b", "d"])
    #expect(GameChange(before: after, after: nil).removed == ["a", "b", "d"])
  }
}
