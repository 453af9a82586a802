// What is forced, in memory: counts, and what of it says that an answer may differ by player.
import GameConfCore
import GameConfEngine
import Testing

@Suite("What is forced, in memory")
struct OverrideBoardTests {
  private let bench = GameBench()

  @Test("overrides are counted with their windows, in quarantine or not, and no more when they are gone")
  func counts() async throws {
    bench.save("g", .g())
    let run = try await bench.start()
    func counts() -> [Int?] {
      let counts = run.world["g"]?.overrides.counts
      return [counts?.game, counts?.players, counts?.quarantined]
    }
    try await bench.set(run, 50, "a")
    try await bench.set(run, 51, "a", until: 1005)
    try await bench.set(run, 52, "a", player: "p")
    #expect(counts() == [2, 1, 0])
    bench.save("g", .g(max: 10))
    _ = try await run.reload(now: GameBench.now, because: .hangUp)
    #expect(counts() == [2, 1, 3])
    try await bench.unset(run, "a")
    try await bench.unset(run, "a", player: "p")
    #expect(counts() == [0, 0, 0])
  }

  @Test("a key is the same for everyone only while no player's override is in force, through what it refers to as well")
  func sameForEveryone() async throws {
    bench.save("g", .g(references: ["d": "a"]))
    let run = try await bench.start()
    func isSame(_ key: String) -> Bool { run.world["g"]?.table.entry(key)?.unchanging != nil }
    #expect(isSame("a") && isSame("d"))
    try await bench.set(run, 10, "a", player: "p")
    try await bench.set(run, 11, "a", player: "q")
    #expect(!isSame("a") && !isSame("d") && isSame("b"))
    try await bench.unset(run, "a", player: "p")
    #expect(!isSame("a"))
    try await bench.unset(run, "a", player: "q")
    #expect(isSame("a") && isSame("d"))
    #expect(run.world["g"]?.table.entry("a")?.layers.revision == 1)
  }

  @Test("of removed overrides only so many revisions are remembered, the newest")
  func revisionsOfRemoved() throws {
    var contents = StoreContents(revisions: ["g": 1_000_000])
    let max = StoreLimits.revisionsOfRemovedMax
    for number in 1...max { contents.playerSlotRevisions[OverrideBench.slot("a", player: "p\(number)")] = Int64(number) }
    let world = World(games: [GameSnapshot(catalog: .g(), revision: 1)])
    contents.playerSlotRevisions[OverrideBench.slot("a", player: "newest")] = 1_000_000
    let beyond = try #require(world.applying([.replaced(contents)])["g"])
    #expect(beyond.overrides.players.count == max / 2 + 1)
    #expect(beyond.overrides.player("newest").revisions == ["a": 1_000_000])
    #expect(beyond.overrides.player("p1").revisions.isEmpty)
    #expect(beyond.overrides.player("p\(max)").revisions == ["a": Int64(max)])
  }
}
