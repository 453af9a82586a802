// A game's simulated clock in the world: set, unaffected by other changes, and restored with its catalog.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("Games' simulated clocks in the world")
struct GameClockTests {
  private let clock = SimulatedClock(anchor: Instant(seconds: 9_000), hostAnchor: Instant(seconds: 1_000), rateThousandths: 2_000)

  private var world: World { World(games: [GameSnapshot(catalog: .g(), revision: 1)]) }

  @Test("a game's clock is the host's until it is set")
  func set() {
    #expect(world["g"]?.clock == .host)
    #expect(world.applying([.clock(game: "g", clock)])["g"]?.clock == clock)
    #expect(world.applying([.clock(game: "g", .host), .clock(game: "g", clock)])["g"]?.clock == clock)
  }

  @Test("other changes of the game leave its clock unchanged")
  func unchanged() throws {
    let set = world.applying([.clock(game: "g", clock)])
    let slot = OverrideSlot(game: "g", player: nil, key: "a")
    let changes: [StoreChange] = [
      .overrides(KeyOverrides(slot: slot), revision: 2, playerRevision: nil), .revision(game: "g", revision: 3),
      .catalog(.g(title: "G2"), revision: 4, keyRevisions: [:], warnings: []), .player(PlayerID(game: "g", player: "p"), StoredPlayer()),
    ]
    for change in changes { #expect(set.applying([change])["g"]?.clock == clock) }
    #expect(set.applying(changes)["g"]?.clock == clock)
    #expect(try #require(set["g"]).degraded(by: []).clock == clock)
    #expect(world.applying([.clock(game: "g", clock)] + changes)["g"]?.clock == clock, "set in the same batch")
  }

  @Test("a game that is not served and served again has its former clock")
  func unserved() {
    let gone = World(games: []).applying([.clock(game: "g", clock)])
    #expect(gone.applying([.catalog(.g(), revision: 1, keyRevisions: [:], warnings: [])])["g"]?.clock == clock)
    #expect(world.applying([.clock(game: "g", clock)]).removing("g").state.clocks == ["g": clock])
  }

  @Test("after the database is replaced, each game has the clock that the new database has")
  func replaced() {
    let set = world.applying([.clock(game: "g", clock)])
    #expect(set.applying([.replaced(StoreContents())])["g"]?.clock == .host)
    #expect(world.applying([.replaced(StoreContents(state: StoredState(clocks: ["g": clock])))])["g"]?.clock == clock)
  }

  @Test("a change of a player does not concern the world, and a change of a clock does")
  func concerns() {
    #expect(!StoreChange.player(PlayerID(game: "g", player: "p"), StoredPlayer()).concernsWorld)
    #expect(StoreChange.clock(game: "g", clock).concernsWorld)
  }
}
