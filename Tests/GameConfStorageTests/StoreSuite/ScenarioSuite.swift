// A scenario's limits on both sides, its lease, and an end that leaves nothing, on every store.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("Scenarios on every store")
struct ScenarioSuite {
  private static let keys = (1...60).map { "k\($0)" }

  private static let catalog: Catalog = {
    var catalog = Catalog(game: "g", title: "G", locales: ["en"])
    catalog.parameters = keys.map { Parameter(key: $0, type: .integer, defaultValue: .value(1), section: "S", description: "D") }
    catalog.events = [EventDefinition(name: "solved", carriesScore: true)]
    catalog.leaderboards = [Leaderboard(id: "top", event: "solved")]
    return catalog
  }()

  /// A daemon's engine over a store.
  private struct Fixture {
    let tested: StoreUnderTest
    let service: PlayerService
    let present: CurrentWorld

    init(_ kind: StoreKind) throws {
      tested = try StoreUnderTest(kind)
      present = CurrentWorld(World(games: [GameSnapshot(catalog: ScenarioSuite.catalog, revision: 0)]))
      service = PlayerService(
        store: tested.store, world: present, recent: PlayerCache(store: tested.store), rates: WriteRateLimiter(WriteRateLimits()) { 0 })
      tested.store.publish { [recent = service.recent] batch in
        recent.apply(batch.changes)
        return nil
      }
    }

    static func context(_ uid: UInt32 = 1, at seconds: Int64 = 1_000, isDryRun: Bool = false) -> ChangeContext {
      ChangeContext(author: Author(uid: uid, name: "u\(uid)"), now: Instant(seconds: seconds), isDryRun: isDryRun)
    }

    @discardableResult
    func begin(
      _ number: Int, keys: [String] = ["k1"], players: [String] = [], isForGame: Bool = false, lease: Int64 = 60, uid: UInt32 = 1
    ) async throws -> String {
      var game = ScenarioPlan.Game(game: "g", pointer: "/games/g")
      game.overrides = keys.map { ScenarioPlan.Override(key: $0, value: 7, pointer: "/games/g/overrides/\($0)") }
      game.players = players.map { name in
        var player = ScenarioPlan.Player(name: name, pointer: "/games/g/players/\(name)")
        player.scores = ScoreChange(lifetimeScore: 5)
        return player
      }
      let hex = String(number, radix: 16)
      let id = String(repeating: "0", count: ScenarioNames.idDigits - hex.utf8.count) + hex
      let plan = ScenarioPlan(isForGame: isForGame, leaseSeconds: lease, games: [game])
      return try #require(try await service.begin(plan, id: id, Self.context(uid)).fresh).scenario.id
    }

    func due(_ seconds: Int64) async throws -> [String] { try await service.endDueScenarios(now: Instant(seconds: seconds)).map(\.id) }

    func renew(_ id: String, at seconds: Int64, isDryRun: Bool = false) async throws(ChangeRefusal) -> Instant {
      try await service.renewLease(id, now: Instant(seconds: seconds), isDryRun: isDryRun).leaseUntil
    }

    var live: Int { get async throws { try await tested.store.read { try $0.scenarios() }.count } }

    var overrides: [KeyOverrides] {
      get async throws { try await tested.store.read { try $0.overrides(in: "g", OverrideSelection(.all)) } }
    }

    var players: [String] {
      get async throws { try await tested.store.read { try $0.players(in: "g", after: nil, limit: 1_000) }.map(\.player) }
    }

    func audited(_ action: String) async throws -> [AuditRecord] {
      try await tested.store.audits(AuditSelection(limit: 1_000)).filter { $0.action.rawValue == action }
    }
  }

  @Test("a scenario with more keys and players than one transaction removes is removed whole by several", arguments: StoreKind.allCases)
  func many(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    let names = (1...59).map { "p\($0)" } + ["\u{301}joined"]
    let id = try await fixture.begin(1, keys: Self.keys, players: names)
    #expect(try await fixture.overrides.count == 60)
    #expect(try await fixture.players.count == 60)
    try await fixture.service.endScenario(id, why: "it was ended", Fixture.context())
    #expect(try await fixture.overrides.isEmpty)
    #expect(try await fixture.players.isEmpty)
    #expect(try await fixture.live == 0)
    let ended = try await fixture.audited("scenario.end")
    #expect(ended.count == 1 && ended.first?.detail?["why"] == "it was ended")
    let removed = try await fixture.audited("override.remove")
    #expect(removed.count == 60)
    #expect(Set(removed.map(\.revision)).count == 2, "fifty in a turn, which has one revision")
  }

  @Test("a call that ends a scenario runs a limited number of transactions, and the next call continues", arguments: StoreKind.allCases)
  func bounded(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    let id = try await fixture.begin(1, keys: Self.keys, players: ["a", "b"])
    await #expect(throws: ChangeRefusal.self) {
      try await fixture.service.endScenario(id, why: "it was ended", Fixture.context(), stepsMax: 2)
    }
    #expect(try await fixture.live == 1)
    try await fixture.service.endScenario(id, why: "it was ended", Fixture.context())
    #expect(try await fixture.live == 0)
  }

  @Test("an interrupted end of a scenario continues where it stopped, once the lease is over", arguments: StoreKind.allCases)
  func cutShort(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    let id = try await fixture.begin(1, keys: Self.keys, players: ["a", "b"])
    try await fixture.tested.write { transaction in
      var scenario = try #require(try transaction.scenario(id))
      scenario.isEnding = true
      try transaction.put(scenario)
      _ = try transaction.put(KeyOverrides(slot: OverrideSlot(game: "g", player: scenario.prefix, key: "k1")))
    }
    let player = PlayerID(game: "g", player: "scn-\(id)-c")
    await #expect(throws: ChangeRefusal.notOfScenario(player.player)) {
      try await fixture.service.change(player, .openVisit, ChangeContext(author: Author(uid: 1, name: "a"), now: Instant(seconds: 1_001)))
    }
    await #expect(throws: ChangeRefusal.self) { try await fixture.renew(id, at: 1_001) }
    #expect(try await fixture.due(1_001) == [id])
    #expect(try await fixture.overrides.isEmpty)
    #expect(try await fixture.players.isEmpty)
    #expect(try await fixture.live == 0)
    #expect(try await fixture.due(1_002).isEmpty)
  }

  @Test("a lease expires at its time; a renewal extends the lease alone, and is refused after a day", arguments: StoreKind.allCases)
  func lease(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    let id = try await fixture.begin(1, lease: 600)
    let revision = try await fixture.tested.store.read { try $0.revision(of: "g") }
    #expect(try await fixture.due(1_599).isEmpty)
    #expect(try await fixture.renew(id, at: 1_599, isDryRun: true) == Instant(seconds: 2_199))
    #expect(try await fixture.renew(id, at: 1_500) == Instant(seconds: 2_100))
    #expect(try await fixture.renew(id, at: 1_400) == Instant(seconds: 2_100), "a lease is never shortened")
    let ends = 1_000 + ScenarioLimits.secondsMax
    for second in stride(from: Int64(2_000), to: ends, by: 590) { _ = try await fixture.renew(id, at: second) }
    #expect(try await fixture.renew(id, at: ends - 1) == Instant(seconds: ends))
    #expect(try await fixture.tested.store.read { try $0.revision(of: "g") } == revision)
    #expect(try await fixture.due(ends - 1).isEmpty)
    await #expect(throws: ChangeRefusal.self) { try await fixture.renew(id, at: ends) }
    #expect(try await fixture.due(ends) == [id])
    #expect(try await fixture.overrides.isEmpty)
    let ended = try await fixture.audited("scenario.end")
    #expect(ended.count == 1 && ended.first?.author == .daemon)
  }

  @Test("eight scenarios of one user and thirty-two in total may be active, one more of either is refused")
  func live() async throws {
    let fixture = try Fixture(.sqlite)
    for number in 0..<ScenarioLimits.liveMax {
      let uid = UInt32(number / ScenarioLimits.livePerUserMax)
      try await fixture.begin(number, uid: uid)
      guard number % ScenarioLimits.livePerUserMax == ScenarioLimits.livePerUserMax - 1, number + 1 < ScenarioLimits.liveMax else {
        continue
      }
      await #expect(throws: ChangeRefusal.tooManyScenarios(max: 8, ofUser: true)) { try await fixture.begin(999, uid: uid) }
    }
    await #expect(throws: ChangeRefusal.tooManyScenarios(max: 32, ofUser: false)) { try await fixture.begin(999, uid: 77) }
    #expect(try await fixture.live == 32)
    #expect(try await fixture.due(1_060).count == 32)
    try await fixture.begin(999, uid: 77)
  }

  @Test("a scenario has at most a thousand steps and a hundred players")
  func large() async throws {
    let fixture = try Fixture(.sqlite)
    func plan(steps: Int, players: Int) -> ScenarioPlan {
      var game = ScenarioPlan.Game(game: "g", pointer: "/games/g")
      game.overrides = [ScenarioPlan.Override(key: "k1", value: 7, pointer: "/games/g/overrides/k1")]
      for number in 0..<players {
        var player = ScenarioPlan.Player(name: "p\(number)", pointer: "")
        player.scores = ScoreChange(lifetimeScore: 1)
        player.purchases = []
        game.players.append(player)
      }
      let rest = steps - players - 1
      game.overrides += (0..<max(rest, 0)).map { _ in ScenarioPlan.Override(key: "k2", value: 7, pointer: "/games/g/overrides/k2") }
      return ScenarioPlan(games: [game])
    }
    for (steps, players, refusal) in [
      (1_001, 10, ChangeRefusal.scenarioTooLarge("steps", count: 1_001, max: 1_000)),
      (200, 101, .scenarioTooLarge("players", count: 101, max: 100)),
    ] {
      await #expect(throws: refusal) {
        try await fixture.service.begin(plan(steps: steps, players: players), id: "00000000000a", Fixture.context())
      }
    }
    #expect(try await fixture.live == 0)
    let most = try await fixture.service.begin(plan(steps: 1_000, players: 100), id: "00000000000b", Fixture.context())
    #expect(most.fresh?.steps.count == 1_000)
    #expect(try await fixture.players.count == 100)
    try await fixture.service.endScenario("00000000000b", why: "it was ended", Fixture.context())
    #expect(try await fixture.players.isEmpty)
  }

  @Test("a scenario of a game that is no longer served is reverted nevertheless", arguments: StoreKind.allCases)
  func unserved(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    let id = try await fixture.begin(1, keys: ["k1", "k2"], players: ["a"])
    let gone = PlayerService(
      store: fixture.tested.store, world: CurrentWorld(World(games: [])), recent: fixture.service.recent, rates: fixture.service.rates)
    #expect(try await gone.endDueScenarios(now: Instant(seconds: 2_000)).map(\.id) == [id])
    #expect(try await fixture.overrides.isEmpty)
    #expect(try await fixture.players.isEmpty)
    #expect(try await fixture.live == 0)
  }

  @Test("a scenario's players are on no leaderboard and have bests of their own", arguments: StoreKind.allCases)
  func boards(kind: StoreKind) async throws {
    let fixture = try Fixture(kind)
    let id = try await fixture.begin(1)
    for (player, score) in [("ada", 5), ("scn-\(id)-x", 99), ("scn-x", 7)] as [(String, Int64)] {
      _ = try await fixture.service.record(
        PlayerID(game: "g", player: player), PlayerEvent(name: "solved", score: .integer(score)),
        ChangeContext(author: Author(uid: 1, name: "a"), now: Instant(seconds: 1_001)))
    }
    let list = BoardList(game: "g", place: ImprovableScores.BoardPartition(board: "top", per: ""))
    #expect(try await fixture.tested.store.read { try $0.rows(of: list, limit: 9) }.map(\.player) == ["scn-x", "ada"])
    let shown = try await fixture.service.leaderboard(
      "top", of: "g", player: "scn-\(id)-x", per: nil, limit: nil, host: Instant(seconds: 1_002),
      estimatingBy: BoardHistograms(store: fixture.tested.store))
    #expect(shown.standing == nil)
    let known = try await fixture.service.recent.read(PlayerID(game: "g", player: "scn-\(id)-x"))
    #expect(known.state?.lifetimeScore == 99, "the player's own scores count")
  }
}
