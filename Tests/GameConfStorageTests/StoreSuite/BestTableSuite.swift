// The requirements for every store's best scores, leaderboards and streams.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

private func at(_ seconds: Int64) -> Instant { Instant(seconds: seconds) }

@Suite("Best scores, leaderboards and streams in every store")
struct BestTableSuite {
  private static let catalog: Catalog = {
    var catalog = Catalog(game: "g", title: "G", locales: ["en"])
    var solved = EventDefinition(name: "solved", carriesScore: true)
    solved.details = [
      EventDetail(Parameter(key: "puzzle", type: .string, defaultValue: .absent, section: "", description: ""))
    ]
    solved.bestBy = ["puzzle"]
    catalog.events = [solved, EventDefinition(name: "seen")]
    catalog.leaderboards = [Leaderboard(id: "top", event: "solved")]
    return catalog
  }()

  private static let list = BoardList(game: "g", place: ImprovableScores.BoardPartition(board: "top", per: ""))

  /// A daemon's engine over the store.
  private struct Fixture {
    let tested: StoreUnderTest
    let service: PlayerService

    init(_ kind: StoreKind) throws {
      tested = try StoreUnderTest(kind)
      let world = CurrentWorld(World(games: [GameSnapshot(catalog: BestTableSuite.catalog, revision: 0)]))
      var limits = WriteRateLimits()
      (limits.writesPerSecond, limits.unknownPlayersPerMinute) = (1_000_000, 1_000_000)
      service = PlayerService(
        store: tested.store, world: world, recent: PlayerCache(store: tested.store), rates: WriteRateLimiter(limits) { 0 })
      tested.store.publish { [recent = service.recent] batch in
        recent.apply(batch.changes)
        return nil
      }
    }

    @discardableResult
    func solve(_ puzzle: String, _ score: Int64, _ player: String = "ada", at seconds: Int64 = 1) async throws -> EventOutcome {
      try await service.record(
        PlayerID(game: "g", player: player), PlayerEvent(name: "solved", score: .integer(score), details: ["puzzle": .string(puzzle)]),
        change(at: seconds)
      ).outcome
    }

    func change(at seconds: Int64 = 1) -> ChangeContext { ChangeContext(author: Author(uid: 1, name: "a"), now: at(seconds)) }

    func bests(_ selection: BestSelection = BestSelection(), _ player: String = "ada") async throws -> [String] {
      try await service.bests(of: PlayerID(game: "g", player: player), selection, limit: 1_000).map {
        "\($0.event) \($0.detail) \($0.score ?? -1)"
      }
    }

    func top(_ limit: Int = 10) async throws -> [String] {
      try await tested.store.read { try $0.rows(of: BestTableSuite.list, limit: limit) }.map { "\($0.player) \($0.score)" }
    }

    /// Returns the number of leaderboard rows above the player.
    func before(_ player: String, max: Int = 100) async throws -> Int? {
      try await tested.store.read { view in
        guard let row = try view.row(of: PlayerID(game: "g", player: player), at: nil, in: BestTableSuite.list) else { return nil }
        return try view.rows(before: row, in: BestTableSuite.list, max: max)
      }
    }
  }

  @Test("a best is stored for each puzzle and only ever rises", arguments: StoreKind.allCases)
  func bests(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    #expect(try await fixture.solve("4-Easy-1", 25).best == EventBest(detail: "4-Easy-1", score: 25, isBest: true))
    #expect(try await fixture.solve("4-Easy-1", 20).best == EventBest(detail: "4-Easy-1", score: 25, isBest: false))
    #expect(try await fixture.solve("4-Easy-1", 25).best?.isBest == false)
    #expect(try await fixture.solve("4-Easy-1", 30).best == EventBest(detail: "4-Easy-1", score: 30, isBest: true))
    try await fixture.solve("4-Hard-2", 10)
    try await fixture.solve("6-Easy-1", 5)
    try await fixture.solve("4-Easy-1", 1, "bob")
    #expect(try await fixture.bests() == ["solved 4-Easy-1 30", "solved 4-Hard-2 10", "solved 6-Easy-1 5"])
    #expect(try await fixture.bests(BestSelection(event: "solved", prefix: "4-")) == ["solved 4-Easy-1 30", "solved 4-Hard-2 10"])
    #expect(try await fixture.bests(BestSelection(event: "seen")).isEmpty)
    #expect(try await fixture.bests(BestSelection(), "bob") == ["solved 4-Easy-1 1"])
    #expect(try await fixture.bests(BestSelection(), "eve").isEmpty)
    let id = PlayerID(game: "g", player: "ada")
    let page = try await fixture.service.bests(of: id, BestSelection(), limit: 2)
    #expect(try await fixture.service.bests(of: id, BestSelection(), after: page.last, limit: 2).map(\.detail) == ["6-Easy-1"])
    #expect(try await fixture.tested.store.read { try $0.bestsCount(of: id, at: nil) } == 3)
  }

  @Test("after a player's bests of a puzzle size are removed, the next score of such a puzzle is a best", arguments: StoreKind.allCases)
  func removed(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    for puzzle in ["4-Easy-1", "4-Easy-2", "6-Easy-1"] { try await fixture.solve(puzzle, 20) }
    let id = PlayerID(game: "g", player: "ada")
    let gone = try await fixture.service.change(id, .removeBests(BestSelection(prefix: "4-")), fixture.change())
    #expect(gone.fresh?.outcome == 2 && gone.fresh?.player.revision == 4)
    #expect(try await fixture.bests() == ["solved 6-Easy-1 20"])
    #expect(try await fixture.tested.store.read { try $0.bestsCount(of: id, at: nil) } == 1)
    #expect(try await fixture.service.change(id, .removeBests(BestSelection(prefix: "4-")), fixture.change()).fresh?.outcome == 0)
    #expect(try await fixture.solve("4-Easy-1", 5).best == EventBest(detail: "4-Easy-1", score: 5, isBest: true))
    #expect(try await fixture.top() == ["ada 20"], "a board keeps what it has")
    let lines = try await fixture.service.history(of: id, limit: 10)
    #expect(lines.first { $0.kind == .bestsRemoved }?.details == ["prefix": "4-", "removed": 2])
  }

  @Test("a player's row is removed from a leaderboard until the next score; other rows and bests stay", arguments: StoreKind.allCases)
  func rowRemoved(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    try await fixture.solve("4-Easy-1", 30)
    try await fixture.solve("4-Easy-1", 10, "bob")
    let (id, board) = (PlayerID(game: "g", player: "ada"), "top")
    #expect(try await fixture.top() == ["ada 30", "bob 10"])
    let gone = try await fixture.service.change(id, .removeRows(BoardSelection(board: board)), fixture.change())
    #expect(gone.fresh?.outcome.values.sorted() == [30])
    #expect(try await fixture.top() == ["bob 10"])
    #expect(try await fixture.bests() == ["solved 4-Easy-1 30"])
    #expect(
      try await fixture.service.change(id, .removeRows(BoardSelection(board: board)), fixture.change()).fresh?.outcome.isEmpty == true)
    try await fixture.solve("4-Easy-2", 5)
    #expect(try await fixture.top() == ["bob 10", "ada 5"])
  }

  @Test("a leaderboard has each player's best score, and of equal scores the earlier comes first", arguments: StoreKind.allCases)
  func board(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    for (player, score, second) in [("a", 10, 1), ("b", 30, 5), ("c", 30, 4), ("d", 7, 6), ("a", 30, 9), ("b", 2, 10)] {
      try await fixture.solve("p", Int64(score), player, at: Int64(second))
    }
    #expect(try await fixture.top() == ["c 30", "b 30", "a 30", "d 7"])
    #expect(try await fixture.top(2) == ["c 30", "b 30"])
    for (player, before) in [("c", 0), ("b", 1), ("a", 2), ("d", 3)] { #expect(try await fixture.before(player) == before) }
    #expect(try await fixture.before("d", max: 2) == 2)
    #expect(try await fixture.before("e") == nil)
    _ = try await fixture.service.change(PlayerID(game: "g", player: "b"), .forget, fixture.change())
    #expect(try await fixture.top() == ["c 30", "a 30", "d 7"])
    #expect(try await fixture.before("d") == 2, "who was forgotten stands before nobody, removed or not")
    _ = try await fixture.tested.store.applyRetention(now: at(20), passed: 0)
    #expect(try await fixture.before("d") == 2)
    try await fixture.solve("p", 8, "b", at: 30)
    #expect(try await fixture.top() == ["c 30", "a 30", "b 8", "d 7"])
    #expect(try await fixture.bests(BestSelection(), "b") == ["solved p 8"])
  }

  @Test("a leaderboard's histogram gives a lower bound of the number of rows above a score", arguments: StoreKind.allCases)
  func histogram(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    for score in [50, 40, 40, 30, 10] { try await fixture.solve("p", Int64(score), "p\(score)\(Int.random(in: 0...999_999))") }
    let histogram = try await fixture.tested.store.read { try $0.histogram(of: Self.list) }
    #expect(histogram.count == 5)
    for (score, above) in [(60, 0), (50, 0), (45, 0), (40, 1), (30, 3), (20, 3), (10, 4), (0, 4)] {
      #expect(histogram.above(Int64(score)) == Int64(above), "\(score)")
    }
  }

  @Test("a stream has only the game's own events, in order, and none of a forgotten player", arguments: StoreKind.allCases)
  func stream(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    for number in 1...3 {
      try await fixture.solve("p\(number)", Int64(number), at: Int64(number * 10))
      try await fixture.solve("q\(number)", Int64(number), "bob", at: Int64(number * 10))
    }
    _ = try await fixture.service.change(PlayerID(game: "g", player: "ada"), .openVisit, fixture.change(at: 50))
    let store = fixture.tested.store
    // If other hosts write too, the newest lines are visible only when no transaction before them is open.
    let patience = ContinuousClock.now + .seconds(120)
    var whole = try await store.read { try $0.stream(of: "g", after: 0) }
    while whole.events.count < 6, .now < patience {
      await Task.yield()
      whole = try await store.read { try $0.stream(of: "g", after: 0) }
    }
    #expect(whole.isAtEnd && whole.tail == 0 && whole.events.map(\.player) == ["ada", "bob", "ada", "bob", "ada", "bob"])
    #expect(whole.events.map(\.number) == whole.events.map(\.number).sorted() && whole.events[2].recordedAt == at(20))
    let first = try JSONReader.value(from: whole.events[0].details)
    #expect(first == ["event": "solved", "score": 1, "details": ["puzzle": "p1"]])
    let known = whole.events[3].number
    let rest = try await store.read { try $0.stream(of: "g", after: known) }
    #expect(rest.events.map(\.number) == whole.events[4...].map(\.number))
    #expect(try await store.read { try $0.stream(of: "h", after: 0) }.events.isEmpty)
    #expect(try await store.read { try $0.lastLine(before: at(20)) } == whole.events[1].number)
    _ = try await fixture.service.change(PlayerID(game: "g", player: "bob"), .forget, fixture.change(at: 60))
    #expect(try await store.read { try $0.stream(of: "g", after: 0) }.events.map(\.player) == ["ada", "ada", "ada"])
  }

  @Test("a list of events in one transaction stores the better of two scores, and counts a new best once", arguments: StoreKind.allCases)
  func listed(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    let client = "018f2b6c-0000-7000-8000-000000000001"
    let scores: [(String, Int64)] = [("x", 10), ("x", 30), ("x", 20), ("y", 5)]
    let events = try scores.enumerated().map { at, each in
      QueuedEvent(
        PlayerEvent(name: "solved", score: .integer(each.1), details: ["puzzle": .string(each.0)]),
        at: try SequencePosition(client: client, number: Int64(at + 1)))
    }
    let id = PlayerID(game: "g", player: "ada")
    let outcomes = await fixture.service.record(id, events, fixture.change())
    let bests = outcomes.map { try? $0.get().outcome.best }
    #expect(bests.map { $0?.isBest } == [true, true, false, true] && bests.map { $0?.score } == [10, 30, 30, 5])
    #expect(try await fixture.bests() == ["solved x 30", "solved y 5"])
    #expect(try await fixture.tested.store.read { try $0.bestsCount(of: id, at: nil) } == 2)
    let again = await fixture.service.record(id, events, fixture.change())
    #expect(again.allSatisfy { (try? $0.get().isRepeat) == true } && again.map { try? $0.get().outcome.best } == bests)
  }

  @Test("ten thousand bests are stored, one more is refused and changes nothing")
  func tooMany() async throws {
    let fixture = try Fixture(.sqlite)
    let id = PlayerID(game: "g", player: "ada")
    let client = "018f2b6c-0000-7000-8000-000000000001"
    func solve(_ numbers: ClosedRange<Int>) async throws -> PlayerService.EventOutcomes {
      let events = try numbers.map { number in
        QueuedEvent(
          PlayerEvent(name: "solved", score: 1, details: ["puzzle": .string("p\(number)")]),
          at: try SequencePosition(client: client, number: Int64(number)))
      }
      return await fixture.service.record(id, events, fixture.change())
    }
    for from in stride(from: 1, to: PlayerLimits.bestsMax, by: 250) {
      #expect(try await solve(from...(from + 249)).allSatisfy { (try? $0.get()) != nil })
    }
    #expect(try await fixture.tested.store.read { try $0.bestsCount(of: id, at: nil) } == 10_000)
    let known = try await fixture.service.recent.read(id)
    let extra = try await solve(10_001...10_001)
    #expect(throws: ChangeRefusal.refused(.tooManyBests)) { try extra[0].get() }
    #expect(try await fixture.service.recent.read(id) == known)
    #expect(try await solve(9_990...9_990)[0].get().isRepeat == true)
    #expect(try await fixture.solve("p7", 9).best == EventBest(detail: "p7", score: 9, isBest: true))
    _ = try await fixture.service.change(id, .removeBests(BestSelection(prefix: "p9999")), fixture.change())
    #expect(try await fixture.solve("fresh", 9).best?.isBest == true)
    _ = try await fixture.service.change(id, .forget, fixture.change())
    #expect(try await fixture.bests().isEmpty)
    var slices = 0
    while try await fixture.tested.store.applyRetention(now: at(5), passed: 0) { slices += 1 }
    #expect(slices >= 20, "what is forgotten is removed in pieces")
    try await fixture.solve("p1", 3)
    #expect(try await fixture.bests() == ["solved p1 3"])
  }

  @Test("ranks are counted to the limit, and beyond it estimated by a histogram", arguments: StoreKind.allCases)
  func ranks(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    for number in 1...20 { try await fixture.solve("p", Int64(number), "p\(number)", at: Int64(number)) }
    let boards = BoardHistograms(store: fixture.tested.store)
    func board(_ id: String, player: String?, limit: Int?) async throws(ChangeRefusal) -> LeaderboardPage {
      try await fixture.service.leaderboard(id, of: "g", player: player, per: nil, limit: limit, host: at(50), estimatingBy: boards)
    }
    let shown = try await board("top", player: "p3", limit: 2)
    #expect(shown.rows.map(\.player) == ["p20", "p19"] && shown.standing?.rank == 18 && shown.standing?.rankAtLeast == nil)
    #expect(try await board("top", player: "nobody", limit: nil).standing == nil)
    await #expect(throws: ChangeRefusal.unknownBoard("tpo", in: "g", known: ["top"])) {
      try await board("tpo", player: nil, limit: nil)
    }
  }
}
