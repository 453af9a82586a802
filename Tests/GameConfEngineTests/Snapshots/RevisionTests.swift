// Revisions of games, keys and players' values: they never fall, and are the same after a restart.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("Revisions in memory and over restarts")
struct RevisionTests {
  private let fixture = CatalogFixture()
  private let now = CatalogFixture.now

  @Test("a new catalog raises the revisions of the keys that it changes and of the keys that refer to these")
  func changedKeys() async throws {
    fixture.save("g", .g(references: ["d": "a", "e": "d", "f": "b"]))
    let run = try await fixture.start()
    fixture.save("g", .g(["a": 7, "b": 2, "c": 3], references: ["d": "a", "e": "d", "f": "b"]))
    _ = try await run.reload(now: now, because: .hangUp)
    #expect(run.revisions() == ["": 2, "a": 2, "b": 1, "c": 1, "d": 2, "e": 2, "f": 1])
  }

  @Test("an override raises the revisions of its key and of keys that refer to it; one for a player, only for that player")
  func overridden() async throws {
    fixture.save("g", .g(references: ["d": "a"]))
    let run = try await fixture.start()
    try await fixture.set(run, 10, "a")
    try await fixture.set(run, 20, "b", player: "p")
    try await fixture.set(run, 30, "a", player: "p")
    #expect(run.value("d") == 10 && run.value("d", player: "p") == 30)
    #expect(
      run.revisions(of: ["p", "q"]) == [
        "": 4, "a": 2, "a p": 4, "a q": 2, "b": 1, "b p": 3, "b q": 1, "c": 1, "c p": 1, "c q": 1, "d": 2, "d p": 4, "d q": 2,
      ])
  }

  @Test("a key takes the revision of a key that it refers to, also if one import overrides both, the referring one for a player")
  func importedTogether() async throws {
    fixture.save("g", .g(references: ["d": "a"]))
    let run = try await fixture.start()
    let rows = [OverrideRow(key: "a", value: 10), OverrideRow(player: "p", key: "d", value: 20)]
    _ = try await OverrideService(store: fixture.store, checking: WorldChecking(run.live.present)).importRows(
      rows, into: "g", OverrideFixture.context())
    #expect(run.value("d") == 10 && run.value("d", player: "p") == 20)
    #expect(run.revisions(of: ["p"]) == ["": 2, "a": 2, "a p": 2, "b": 1, "b p": 1, "c": 1, "c p": 1, "d": 2, "d p": 2])
  }

  @Test("every revision is the same after a restart: of overrides, of removed ones, and of an ended window")
  func restart() async throws {
    fixture.save("g", .g(references: ["d": "a"]))
    var run = try await fixture.start()
    try await fixture.set(run, 10, "a")
    try await fixture.set(run, 20, "b", player: "p")
    try await fixture.unset(run, "b", player: "p")
    try await fixture.set(run, 20, "c", player: "p")
    try await fixture.set(run, 21, "c", player: "p", until: 1005)
    _ = try await fixture.store.applyWindowEdges(now: Instant(seconds: 1006))
    try await fixture.unset(run, "a")
    let before = run.revisions(of: ["p", "q"])
    run = try await fixture.start()
    #expect(run.revisions(of: ["p", "q"]) == before)
    #expect(before["b p"] == 4 && before["c p"] == 7 && before["d"] == 8)
  }

  @Test("stored contents with a lower revision than the served one do not lower the game's revision")
  func older() async throws {
    fixture.save("g", .g())
    let run = try await fixture.start()
    try await fixture.set(run, 10, "a")
    let world = run.world.applying([.replaced(StoreContents(state: StoredState(revisions: ["g": 1])))])
    #expect(world["g"]?.revision == 2)
    #expect(world["g"]?.overrides.counts.game == 0)
  }

  @Test("a game retains its revision until another host's catalog is read, unless another change is published with the acceptance")
  func awaited() {
    let world = World(games: [GameSnapshot(catalog: .g(), revision: 1)])
    let accepted: [StoreChange] = [
      .revision(game: "g", revision: 3), .catalogAccepted(game: "g", digest: 7, keyRevisions: ["a": 2]),
    ]
    #expect(world.applying(accepted)["g"]?.revision == 1)
    #expect(world.applying(accepted).state.revisions == ["g": 3])
    let clock = SimulatedClock(anchor: Instant(seconds: 9_000), hostAnchor: Instant(seconds: 1_000), rateThousandths: 2_000)
    #expect(world.applying(accepted + [.clock(game: "g", clock)])["g"]?.revision == 3)
    let read: [StoreChange] = [.catalog(.g(title: "G2"), revision: 3, keyRevisions: ["a": 2], warnings: [])]
    for each in [world.applying(accepted).applying(read), world.applying(accepted + read)] { #expect(each["g"]?.revision == 3) }
    // A third host may change the game before this host has read the catalog.
    let given: [StoreChange] = [
      .revision(game: "g", revision: 4),
      .overrides(KeyOverrides(slot: OverrideSlot(game: "g", key: "a")), revision: 4, playerRevision: nil),
    ]
    #expect(world.applying(accepted).applying(given)["g"]?.revision == 1)
    #expect(world.applying(accepted).applying(read).applying(given)["g"]?.revision == 4)
    // The game does not wait for a catalog that this host cannot read.
    let degradation = ActiveDegradation(.catalogRefused, since: Instant(seconds: 1), details: [])
    let degraded = world.applying(accepted).replacing([GameSnapshot(catalog: .g(), revision: 1).degraded(by: [degradation])])
    #expect(degraded.applying([.revision(game: "g", revision: 3)])["g"]?.revision == 3)
  }
}
