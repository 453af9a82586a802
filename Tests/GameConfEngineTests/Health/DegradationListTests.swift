// The list of degradations: the start of each, the time from which it is shown, and the notifications.

import GameConfCore
import GameConfStorage
import Synchronization
import TestStore
import Testing

@testable import GameConfEngine

@Suite("The list of degradations")
struct DegradationListTests {
  private final class HandClock: HostClock {
    private let shown = Mutex(Instant(seconds: 1000))
    var now: Instant { shown.withLock { $0 } }
    var isFrozen: Bool { false }
    func step(milliseconds: Int64) { shown.withLock { $0.milliseconds += milliseconds } }
  }

  private struct Fixture {
    let store = MemoryStore()
    let expected = ExpectedGames()
    let clock = HandClock()
    let list: DegradationList
    let world = World(games: [GameSnapshot(catalog: .g(), revision: 1)])

    init() { list = DegradationList(store: store, expected: expected, clock: clock) }

    func present(_ world: World? = nil) -> [DegradationKind] { list.present(in: world ?? self.world).map(\.kind) }
  }

  @Test(
    "each kind of failure of the store has its own degradation",
    arguments: [
      (StoreError.noSpace, DegradationKind.storeFull), (.readOnly, .storeReadOnly), (.failed("io"), .storeFailing),
      (.unavailable("gone"), .storeLost),
    ])
  func conditions(error: StoreError, kind: DegradationKind) {
    let fixture = Fixture()
    #expect(fixture.present() == [])
    fixture.store.fail(with: error)
    #expect(fixture.present() == [kind] && kind.declaration.part == .store)
    fixture.store.fail(with: nil)
    #expect(fixture.present() == [])
  }

  @Test("a game that has only a refused catalog is degraded, with the command that lists its faults")
  func unserved() {
    let fixture = Fixture()
    fixture.expected.set(refused: ["new": ["new.yaml:1:1: no"]], faulty: ["new": "/d/new.yaml"])
    let list = fixture.list.present(in: fixture.world)
    #expect(list.map(\.kind) == [.notServed] && list.map(\.game) == ["new"])
    #expect(list.first?.details == ["new.yaml:1:1: no", "“gameconfctl catalog validate /d/new.yaml” lists every fault"])
  }

  @Test("a degradation without a start time begins when the list first has it")
  func firstSeen() {
    let fixture = Fixture()
    fixture.expected.set(refused: ["new": ["no"]], faulty: [:])
    func since() -> Int64? { fixture.list.present(in: fixture.world).first?.since.milliseconds }
    #expect(since() == 1_000_000)
    fixture.clock.step(milliseconds: 5_000)
    #expect(since() == 1_000_000)
    fixture.expected.set(refused: [:], faulty: [:])
    #expect(since() == nil)
    fixture.expected.set(refused: ["new": ["no"]], faulty: [:])
    #expect(since() == 1_005_000)
  }

  @Test("a degradation is shown once it has lasted as long as its declaration says")
  func shownAfter() {
    let fixture = Fixture()
    let lasts = DegradationKind.templateOverdue.declaration.shownAfterMilliseconds
    fixture.list.add { _, _ in
      [DegradationList.DegradationFinding(.templateOverdue, of: "g", since: Instant(seconds: 1000), details: ["late"])]
    }
    fixture.clock.step(milliseconds: lasts - 1)
    #expect(fixture.present() == [])
    fixture.clock.step(milliseconds: 1)
    #expect(fixture.present() == [.templateOverdue])
  }

  @Test("followers of the list are notified once when a degradation begins and once when it ends")
  func followers() {
    let fixture = Fixture()
    let seen = Mutex<[[DegradationKind]]>([])
    fixture.list.follow { list in seen.withLock { $0.append(list.map(\.kind)) } }
    fixture.list.refresh(in: fixture.world)
    fixture.store.fail(with: .noSpace)
    for _ in 0..<3 { fixture.list.refresh(in: fixture.world) }
    fixture.expected.set(refused: ["new": ["no"]], faulty: [:])
    fixture.list.refresh(in: fixture.world)
    fixture.store.fail(with: nil)
    fixture.list.refresh(in: fixture.world)
    #expect(seen.withLock { $0 } == [[.storeFull], [.storeFull, .notServed], [.notServed]])
  }

  @Test("the daemon's degradations come first, then the games in the order of their ids")
  func order() {
    let fixture = Fixture()
    let own = ActiveDegradation(.catalogRefused, since: Instant(seconds: 1), details: ["no"])
    let world = World(games: [GameSnapshot(catalog: .g(), revision: 1).degraded(by: [own])])
    fixture.expected.set(refused: ["a": ["no"], "z": ["no"]], faulty: [:])
    fixture.store.fail(with: .readOnly)
    #expect(fixture.list.present(in: world).map(\.game) == [nil, "a", "g", "z"])
  }

  @Test("followers of the expected games are notified when the reason changes why a game is not served")
  func reasons() {
    let expected = ExpectedGames()
    let count = Mutex(0)
    expected.follow { count.withLock { $0 += 1 } }
    for reasons in [["no"], ["no"], ["other"]] { expected.set(refused: ["g": reasons], faulty: [:]) }
    expected.set(refused: [:], faulty: [:])
    #expect(count.withLock { $0 } == 3)
  }
}
