// The index of overrides in memory: their counts, their revisions, and the keys whose values may differ by player.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("The index of overrides in memory")
struct OverrideIndexTests {
  private let fixture = CatalogFixture()

  @Test("overrides are counted with their time windows, in quarantine or not, and no longer after their removal")
  func counts() async throws {
    fixture.save("g", .g())
    let run = try await fixture.start()
    func counts() -> [Int?] {
      let counts = run.world["g"]?.overrides.counts
      return [counts?.game, counts?.players, counts?.quarantined]
    }
    try await fixture.set(run, 50, "a")
    try await fixture.set(run, 51, "a", until: 1005)
    try await fixture.set(run, 52, "a", player: "p")
    #expect(counts() == [2, 1, 0])
    fixture.save("g", .g(max: 10))
    _ = try await run.reload(now: CatalogFixture.now, because: .hangUp)
    #expect(counts() == [2, 1, 3])
    try await fixture.unset(run, "a")
    try await fixture.unset(run, "a", player: "p")
    #expect(counts() == [0, 0, 0])
  }

  @Test("a key has one value for everyone only while no player has an override of it, or of a key that it refers to")
  func sameForEveryone() async throws {
    fixture.save("g", .g(references: ["d": "a"]))
    let run = try await fixture.start()
    func isSame(_ key: String) -> Bool { run.world["g"]?.table.entry(key)?.unchanging != nil }
    #expect(isSame("a") && isSame("d"))
    try await fixture.set(run, 10, "a", player: "p")
    try await fixture.set(run, 11, "a", player: "q")
    #expect(!isSame("a") && !isSame("d") && isSame("b"))
    try await fixture.unset(run, "a", player: "p")
    #expect(!isSame("a"))
    try await fixture.unset(run, "a", player: "q")
    #expect(isSame("a") && isSame("d"))
    #expect(run.world["g"]?.table.entry("a")?.layers.revision == 1)
  }

  @Test("a state lists its overrides in the order of their slots: game, then player, then key, each by its bytes")
  func sorted() {
    var state = StoredState()
    let texts = ["é", "e\u{301}", "a", "b", "Z", "aa"]
    for game in texts {
      for (player, key) in [nil, "é", "e\u{301}", "a", "Z", "aa"].flatMap({ player in texts.reversed().map { (player, $0) } }) {
        let slot = OverrideSlot(game: game, player: player, key: key)
        var overrides = KeyOverrides(slot: slot)
        overrides.setPermanent(
          OverrideRecord(
            slot: slot, value: 1, author: Author(uid: 1, name: "ada", pid: nil), reason: nil, at: Instant(seconds: 1), revision: 1))
        state.put(overrides)
      }
    }
    let slots = state.sortedOverrides.map(\.slot)
    #expect(slots == state.allOverrides.map(\.slot).sorted())
    #expect(slots.first == OverrideSlot(game: "Z", key: "Z"))
  }

  @Test("the revisions of removed overrides are retained up to a limit; beyond it, the oldest are evicted")
  func revisionsOfRemoved() throws {
    var contents = StoreContents(state: StoredState(revisions: ["g": 1_000_000]))
    let max = StoreLimits.revisionsOfRemovedMax
    for number in 1...max { contents.state.note(Int64(number), at: OverrideFixture.slot("a", player: "p\(number)")) }
    let world = World(games: [GameSnapshot(catalog: .g(), revision: 1)])
    contents.state.note(1_000_000, at: OverrideFixture.slot("a", player: "newest"))
    let beyond = try #require(world.applying([.replaced(contents)])["g"])
    #expect(beyond.overrides.players.count == max / 2 + 1)
    #expect(beyond.overrides.player("newest").revisions == ["a": 1_000_000])
    #expect(beyond.overrides.player("p1").revisions.isEmpty)
    #expect(beyond.overrides.player("p\(max)").revisions == ["a": Int64(max)])
  }

  @Test("a forgotten player's present overrides stay, and revisions of the player's removed overrides no longer count towards the limit")
  func forgotten() throws {
    let max = StoreLimits.revisionsOfRemovedMax
    var contents = StoreContents(state: StoredState(revisions: ["g": 1_000_000]))
    for number in 1...max { contents.state.note(Int64(number), at: OverrideFixture.slot("a", player: "p\(number)")) }
    let slot = OverrideFixture.slot("b", player: "p1")
    let record = OverrideRecord(slot: slot, value: 7, author: Author(uid: 0, name: "root"), at: CatalogFixture.now, revision: 9)
    let permanent = KeyOverrides(slot: slot, records: [record])
    let full = World(games: [GameSnapshot(catalog: .g(), revision: 1)]).applying([.replaced(contents)])
    let forgotten = [1, 2].map { StoreChange.forgotten(PlayerID(game: "g", player: "p\($0)"), [.overrides]) }
    let left = full.applying([.overrides(permanent, revision: 9, playerRevision: 1)] + forgotten)
    #expect(left["g"]?.overrides.player("p1").revisions == ["b": 9] && left["g"]?.overrides.player("p1").values == ["b": 7])
    #expect(left["g"]?.overrides.players.count == max - 1 && left["g"]?.overrides.counts.players == 1)
    // The limit has space for two more revisions now, so no other is evicted.
    let later = ["x", "y"].map { player in
      StoreChange.overrides(KeyOverrides(slot: OverrideFixture.slot("a", player: player)), revision: 10, playerRevision: 1)
    }
    #expect(left.applying(later)["g"]?.overrides.players.count == max + 1)
    #expect(full.applying(later)["g"]?.overrides.players.count == max / 2 + 2)
  }

  @Test("a player's overrides are forgotten in a game without a catalog too")
  func unserved() {
    let slot = OverrideFixture.slot("a", player: "p")
    let world = World(games: []).applying([.overrides(KeyOverrides(slot: slot), revision: 3, playerRevision: 1)])
    #expect(world.state.overrides["g"]?.player("p").revisions == ["a": 3])
    #expect(world.applying([.forgotten(PlayerID(game: "g", player: "p"), [.overrides])]).state.overrides["g"] == nil)
  }
  @Test("players whose overrides were removed retain only the revisions, and no storage for overrides")
  func revisionSpace() throws {
    func change(_ number: Int, _ records: [OverrideRecord]) -> StoreChange {
      let slot = OverrideFixture.slot("a", player: "p\(number)")
      return .overrides(KeyOverrides(slot: slot, records: records), revision: records.isEmpty ? 3 : 2, playerRevision: 1)
    }
    let record = OverrideRecord(
      slot: OverrideFixture.slot("a"), value: 7, author: Author(uid: 0, name: "root"), at: CatalogFixture.now, revision: 2)
    let players = 0..<20_000
    let full = World(games: [GameSnapshot(catalog: .g(), revision: 1)]).applying(players.map { change($0, [record]) })
    #expect(full["g"]?.overrides.counts.players == players.count)
    let cleared = try #require(full.applying(players.map { change($0, []) })["g"]).overrides
    for number in [0, 777, 19_999] {
      let player = cleared.player("p\(number)")
      #expect(player.revisions == ["a": 3] && player.slots.capacity == 0 && player.values.capacity == 0)
    }
  }
}
