// The stored state in games' snapshots: every member of it, also after a player is forgotten.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("The stored state in a game's snapshot")
struct GameStateTests {
  /// The members of ``StoredState``, and the members of ``GameState`` that have a game's part of them.
  private static let taken = [
    "overrides": "overrides", "clocks": "clock", "activations": "scheduledTemplate", "templates": "template", "revisions": "revision",
  ]

  /// The members of ``StoredState`` that no snapshot of a game has, with the reasons.
  private static let elsewhere = [
    "epoch": "of the store", "playerRevisionMax": "of all players", "catalogDigests": "compared with the files of catalogs",
    "hostSeen": "of the host",
  ]

  @Test("every member of the stored state is in a game's snapshot, or in the list of those that no snapshot has")
  func members() {
    let stored = Set(Mirror(reflecting: StoredState()).children.compactMap(\.label))
    let missing = stored.subtracting(Self.taken.keys).subtracting(Self.elsewhere.keys)
    #expect(missing.isEmpty, "add it to GameState.take and to the list of taken members, or say why no snapshot has it")
    #expect(stored == Set(Self.taken.keys).union(Self.elsewhere.keys))
    #expect(Set(Self.taken.values).isSubset(of: Mirror(reflecting: GameState(revision: 1)).children.compactMap(\.label)))
  }

  @Test("a forgotten player changes the snapshot if the game's stored state has changed, and otherwise leaves it as it is")
  func forgotten() throws {
    let world = World(games: [GameSnapshot(catalog: .g(), revision: 1)])
    let change = StoreChange.forgotten(PlayerID(game: "g", player: "p"), [.overrides])
    let game = try #require(world["g"])
    #expect(world.applying([change])["g"] === game)
    // The clock is an example of any kind of stored state.
    var state = world.state
    state.clocks["g"] = SimulatedClock(anchor: Instant(seconds: 9_000), hostAnchor: Instant(seconds: 1_000), rateThousandths: 2_000)
    #expect(world.applying([change], reaching: state)["g"]?.clock == state.clocks["g"])
  }
}
