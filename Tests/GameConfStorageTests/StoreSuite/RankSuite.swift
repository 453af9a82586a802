// Ranks beyond those that are counted exactly, and leaderboards for each value of a parameter, in every store.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("Ranks on long leaderboards")
struct RankSuite {
  private static let catalog: Catalog = {
    var catalog = Catalog(game: "g", title: "G", locales: ["en"])
    var size = Parameter(key: "size", type: .integer, defaultValue: .value(6), section: "S", description: "D")
    size.isPlayerSetting = true
    catalog.parameters = [size]
    catalog.events = [EventDefinition(name: "solved", carriesScore: true)]
    catalog.leaderboards = [Leaderboard(id: "top", event: "solved"), Leaderboard(id: "sized", event: "solved", per: ["size"])]
    return catalog
  }()

  /// A daemon's engine over a store.
  private struct Fixture {
    let tested: StoreUnderTest
    let service: PlayerService
    let boards: BoardHistograms

    init(_ kind: StoreKind) throws {
      tested = try StoreUnderTest(kind)
      let world = CurrentWorld(World(games: [GameSnapshot(catalog: RankSuite.catalog, revision: 0)]))
      var limits = WriteRateLimits()
      (limits.writesPerSecond, limits.unknownPlayersPerMinute) = (10_000_000, 10_000_000)
      service = PlayerService(
        store: tested.store, world: world, recent: PlayerCache(store: tested.store), rates: WriteRateLimiter(limits) { 0 })
      boards = BoardHistograms(store: tested.store, deadlineMilliseconds: 600_000)
      tested.store.publish { [recent = service.recent] batch in
        recent.apply(batch.changes)
        return nil
      }
    }

    func solve(_ score: Int, as player: String) async throws {
      _ = try await service.record(
        PlayerID(game: "g", player: player), PlayerEvent(name: "solved", score: .integer(Int64(score))), Self.change)
    }

    /// Adds a player for each score.
    func solve(_ scores: ClosedRange<Int>) async throws {
      for from in stride(from: scores.lowerBound, through: scores.upperBound, by: 300) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for score in from...min(from + 299, scores.upperBound) { group.addTask { try await solve(score, as: "p\(score)") } }
          try await group.waitForAll()
        }
      }
    }

    static let change = ChangeContext(author: Author(uid: 1, name: "a"), now: Instant(seconds: 1))

    func standing(_ player: String, on board: String = "top", per: String? = nil, at seconds: Int64 = 100) async throws -> LeaderboardRank?
    {
      try await service.leaderboard(
        board, of: "g", player: player, per: per, limit: 1, host: Instant(seconds: seconds), estimatingBy: boards
      ).standing
    }
  }

  @Test("a rank is exact up to ten thousand; beyond that it is a lower bound of the true rank")
  func exact() async throws {
    let fixture = try Fixture(.sqlite)
    let count = 10_300
    try await fixture.solve(1...count)
    for (board, per) in [("top", nil), ("sized", "6")] as [(String, String?)] {
      for rank in [1, 9_999, 10_000] {
        let standing = try await fixture.standing("p\(count + 1 - rank)", on: board, per: per)
        #expect(standing?.rank == rank && standing?.rankAtLeast == nil)
      }
      for rank in [10_001, 10_150, count] {
        let standing = try #require(try await fixture.standing("p\(count + 1 - rank)", on: board, per: per))
        let atLeast = try #require(standing.rankAtLeast)
        #expect(standing.rank == nil && atLeast > 10_000 && atLeast <= rank, "\(rank): \(atLeast)")
        #expect(Int(atLeast) > rank - 25, "a histogram of 512 steps is this near")
      }
    }
    // Others overtake the player; the histogram is at most a minute old.
    try await fixture.solve((count + 1)...(count + 300))
    let last = try await fixture.standing("p1", at: 100)?.rankAtLeast
    #expect(try await fixture.standing("p1", at: 159)?.rankAtLeast == last)
    let later = try #require(try await fixture.standing("p1", at: 160)?.rankAtLeast)
    #expect(later > Int64(count) + 300 - 25 && later <= Int64(count) + 300)
    #expect(try await fixture.standing("p\(count + 300)", at: 160)?.rank == 1)
  }

  @Test("an event counts on the leaderboard for the parameter's value at its time, whatever is chosen later", arguments: StoreKind.allCases)
  func lists(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    try await fixture.solve(5, as: "ada")
    try await fixture.solve(9, as: "bob")
    _ = try await fixture.service.change(PlayerID(game: "g", player: "ada"), .choose([("size", .integer(8))]), Fixture.change)
    try await fixture.solve(3, as: "ada")
    #expect(try await fixture.standing("ada", on: "sized")?.row.score == 3, "the player's own list unless another is asked for")
    #expect(try await fixture.standing("ada", on: "sized")?.rank == 1)
    #expect(try await fixture.standing("ada", on: "sized", per: "6")?.rank == 2)
    #expect(try await fixture.standing("ada", on: "sized", per: "6")?.row.score == 5)
    #expect(try await fixture.standing("bob", on: "sized", per: "8") == nil)
    #expect(try await fixture.standing("ada", on: "top")?.row.score == 5)
  }
}
