// What the plays of one user may take, in every store.
import GameConfCore
import GameConfEngine
import Testing

@Suite("What plays a user opened may take")
struct PlayShareSuite {
  private static let game: GameSnapshot = {
    var catalog = Catalog(game: "g", title: "G", locales: ["en"])
    catalog.parameters = [Parameter(key: "size", type: .integer, defaultValue: .value(6), section: "S", description: "D")]
    return GameSnapshot(catalog: catalog, revision: 3)
  }()

  private static func content() -> PlayContent {
    let seen = Evaluation(EvaluationContext(player: "p", locale: "*"), in: game, host: Instant(seconds: 1))
    return PlayContent(of: seen, keys: nil, pinsSecrets: false, context: ObjectValue())
  }

  private static func change(by uid: UInt32) -> Change { Change(author: Author(uid: uid, name: "a"), now: Instant(seconds: 1)) }

  @Test(
    "1 GiB is counted against who opened them, the same values once; one play more is refused and keeps nothing",
    arguments: StoreKind.allCases)
  func full(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let desk = PlayerDesk(
      store: tested.store, world: PresentWorld(World(games: [Self.game])), recent: RecentPlayers(store: tested.store),
      rates: WriteRates { 0 })
    let content = Self.content()
    let own = PlayLimits.rowBytes
    let charged = Int64(content.bytes.count) + own
    try await tested.write { turn in
      // Their values are told, not made. What is left takes one play of new values and one of values that are there.
      var left = PlayLimits.userBytesMax - charged - own
      var number = 0
      while left > 0 {
        let bytes = left >= 2 * Int64(PlayLimits.pinnedBytesMax) ? Int64(PlayLimits.pinnedBytesMax) : left - own
        let play = StoredPlay(
          id: "old\(number)", openedAt: Instant(seconds: 1), revision: 1, keysCount: 1, digest: "d\(number)", bytesCount: Int(bytes), uid: 5
        )
        try turn.add(play, of: PlayerID(game: "g", player: "q\(number)"), values: [1])
        left -= bytes + own
        number += 1
      }
    }
    func open(_ play: String, _ player: String, by uid: UInt32) async throws {
      _ = try await OpenPlay(desk)(PlayerID(game: "g", player: player), content, as: play, Self.change(by: uid))
    }
    try await open("a", "p1", by: 5)
    try await open("b", "p2", by: 5)
    #expect(try await tested.store.read { try $0.playBytes(of: 5) } == PlayLimits.userBytesMax)
    await #expect(throws: PlayerRefusal.userPlaysTooLarge(max: PlayLimits.userBytesMax)) { try await open("c", "p3", by: 5) }
    let player = PlayerID(game: "g", player: "p3")
    #expect(try await tested.store.read { try $0.playCounts(of: player) } == PlayCounts())
    #expect(try await tested.store.read { try $0.playerRevision("p3", in: "g") } == 0)
    try await open("d", "p3", by: 6)
    #expect(try await tested.store.read { try $0.play("d", of: player) }?.uid == 6)
  }
}
