// The quota of the plays of one user, in every store.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("The quota of a user's plays")
struct PlayShareSuite {
  private static let game: GameSnapshot = {
    var catalog = Catalog(game: "g", title: "G", locales: ["en"])
    catalog.parameters = ["size", "depth"].map {
      Parameter(key: $0, type: .integer, defaultValue: .value(6), section: "S", description: "D")
    }
    return GameSnapshot(catalog: catalog, revision: 3)
  }()

  private static func content(_ keys: [String]) -> PlayContent {
    let seen = Evaluation(EvaluationContext(player: "p", locale: "*"), in: game, host: Instant(seconds: 1))
    return PlayContent(of: seen, keys: keys, pinsSecrets: false, context: ObjectValue())
  }

  private static func change(by uid: UInt32) -> ChangeContext {
    ChangeContext(author: Author(uid: uid, name: "a"), now: Instant(seconds: 1))
  }

  /// The bytes of a play without its values.
  private static let own = PlayLimits.rowBytes
  private static let few = Self.content(["size"])
  private static let many = Self.content(["size", "depth"])

  private static func bytes(_ content: PlayContent) -> Int64 { Int64(content.bytes.count) }

  /// A daemon's engine over a store, with a quota of bytes for a user's plays.
  private struct Fixture {
    let tested: StoreUnderTest
    let service: PlayerService
    let max: Int64

    init(_ kind: StoreKind, max: Int64) throws {
      tested = try StoreUnderTest(kind)
      service = PlayerService(
        store: tested.store, world: CurrentWorld(World(games: [PlayShareSuite.game])), recent: PlayerCache(store: tested.store),
        rates: WriteRateLimiter { 0 })
      self.max = max
    }

    func open(_ content: PlayContent, _ play: String, of player: String, by uid: UInt32) async throws(ChangeRefusal) {
      _ = try await service.change(id(player), .openPlay(content, as: play, userBytesMax: max), PlayShareSuite.change(by: uid))
    }

    func id(_ player: String) -> PlayerID { PlayerID(game: "g", player: player) }

    func taken(by uid: UInt32) async throws -> Int64 { try await tested.store.read { try $0.playBytes(of: uid) } }
  }

  @Test(
    "a play is stored up to the last byte of the quota; one more of the user is refused and stores nothing, another user's is stored",
    arguments: StoreKind.allCases)
  func full(kind: StoreKind) async throws {
    let max = Self.bytes(Self.few) + Self.bytes(Self.many) + 3 * Self.own
    let fixture = try Fixture(kind, max: max)
    try await fixture.open(Self.few, "a", of: "p1", by: 5)
    try await fixture.open(Self.many, "b", of: "p2", by: 5)
    #expect(try await fixture.taken(by: 5) == max - Self.own)
    try await fixture.open(Self.few, "c", of: "p2", by: 5)
    #expect(try await fixture.taken(by: 5) == max, "the same values count once")
    for content in [Self.few, Self.many] {
      await #expect(throws: ChangeRefusal.userPlaysTooLarge(max: max)) { try await fixture.open(content, "d", of: "p3", by: 5) }
    }
    let store = fixture.tested.store
    let player = fixture.id("p3")
    #expect(try await store.read { try $0.playCounts(of: player) } == PlayCounts())
    #expect(try await store.read { try $0.playerRevision("p3", in: "g") } == 0)
    #expect(try await fixture.taken(by: 5) == max)
    try await fixture.open(Self.few, "d", of: "p3", by: 6)
    #expect(try await store.read { try $0.play("d", of: player) }?.uid == 6)
    #expect(try await fixture.taken(by: 6) == Self.own, "who pinned the values first is charged with them")
  }

  @Test("when the quota has no space for new values, a play whose values are stored already is accepted", arguments: StoreKind.allCases)
  func known(kind: StoreKind) async throws {
    let fixture = try Fixture(kind, max: Self.bytes(Self.few) + 2 * Self.own)
    try await fixture.open(Self.few, "a", of: "p1", by: 5)
    await #expect(throws: ChangeRefusal.userPlaysTooLarge(max: fixture.max)) { try await fixture.open(Self.many, "b", of: "p2", by: 5) }
    #expect(try await fixture.tested.store.read { try $0.pinnedValues(Self.many.digest) } == nil)
    try await fixture.open(Self.few, "b", of: "p2", by: 5)
    #expect(try await fixture.taken(by: 5) == fixture.max)
    let short = try Fixture(kind, max: fixture.max - 1)
    try await short.open(Self.few, "a", of: "p1", by: 5)
    await #expect(throws: ChangeRefusal.userPlaysTooLarge(max: short.max)) { try await short.open(Self.few, "b", of: "p2", by: 5) }
  }

  @Test("a forgotten player's plays no longer count against the user's quota, but closed plays still do", arguments: StoreKind.allCases)
  func freed(kind: StoreKind) async throws {
    let fixture = try Fixture(kind, max: Self.bytes(Self.few) + Self.bytes(Self.many) + 2 * Self.own)
    try await fixture.open(Self.few, "a", of: "p1", by: 5)
    try await fixture.open(Self.many, "b", of: "p2", by: 5)
    let change = Self.change(by: 5)
    _ = try await fixture.service.change(fixture.id("p1"), .closePlay("a"), change)
    #expect(try await fixture.taken(by: 5) == fixture.max)
    await #expect(throws: ChangeRefusal.userPlaysTooLarge(max: fixture.max)) { try await fixture.open(Self.few, "c", of: "p3", by: 5) }
    _ = try await fixture.service.change(fixture.id("p1"), .forget, change)
    while try await fixture.tested.store.applyRetention(now: change.now, passed: 0) {}
    #expect(try await fixture.taken(by: 5) == Self.bytes(Self.many) + Self.own)
    try await fixture.open(Self.few, "c", of: "p3", by: 5)
    #expect(try await fixture.taken(by: 5) == fixture.max)
  }
}
