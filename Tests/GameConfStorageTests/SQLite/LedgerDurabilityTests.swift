// Simulated purchases and clocks on disk: reopening the store between any two steps makes no difference.
import GameConfCore
import GameConfEngine
import GameConfStorage
import TestStore
import Testing

@Suite("Purchases on disk")
struct LedgerDurabilityTests {
  private static let noon = Instant(seconds: 1_795_262_400)
  private static let id = PlayerID(game: "shop", player: "p")

  /// A catalog with a subscription, a coin, and an ad that an entitlement removes.
  private static let shop: Catalog = {
    var catalog = Catalog(game: "shop", title: "Shop", locales: ["en"])
    catalog.purchases = .games
    catalog.events = [EventDefinition(name: "game_over")]
    let month = CalendarPeriod(count: 1, unit: .month)
    catalog.products = [
      Product(
        id: "monthly", kind: .autoRenewable, name: ["en": "Monthly"], price: ["USD": "2.99"], grants: ["ad_free"],
        subscription: Subscription(group: "pro", level: 1, period: month, gracePeriod: CalendarPeriod(count: 16, unit: .day))),
      Product(id: "coins", kind: .consumable, name: ["en": "Coins"]),
    ]
    var placement = Placement(id: "game_over", format: .interstitial, event: "game_over", every: .number(3))
    placement.exempt = ["ad_free"]
    catalog.placements = [placement]
    return catalog
  }()

  private struct Unwatched: WorldPublisher {
    func publish(_ world: World) async {}
  }

  /// Builds the service over a store as the daemon's start does.
  private func service(over store: any Store) async throws -> PlayerService {
    let contents = try await store.contents()
    let live = LiveWorld(
      World(games: [GameSnapshot(catalog: Self.shop, revision: 1)]).applying([.replaced(contents)]), publication: Unwatched())
    let recent = PlayerCache(store: store)
    store.publish { batch in
      recent.apply(batch.changes)
      return { await live.change { $0.applying(batch.changes) } }
    }
    return PlayerService(store: store, world: live.present, recent: recent, rates: WriteRateLimiter(uptimeMilliseconds: { 0 }))
  }

  private enum LedgerStep: Sendable {
    case act(ShopAct)
    case game(GameClockMove)
    case player(PlayerClockMove)
    case event
  }

  private func take(_ step: LedgerStep, at service: PlayerService, host: Instant) async throws {
    let author = Author(uid: 0, name: "root")
    let change = ChangeContext(author: author, now: host, isAdmin: true)
    switch step {
    case .act(let act): _ = try await service.change(Self.id, .shop(act), change)
    case .game(let move): _ = try await service.setClock(of: "shop", move, ChangeContext(author: author, now: host))
    case .player(let move): _ = try await service.change(Self.id, .moveClock(move), change)
    case .event: _ = try await service.record(Self.id, PlayerEvent(name: "game_over"), change)
    }
  }

  private var steps: [LedgerStep] {
    var failing = ShopBehaviour()
    failing.failsBilling = true
    failing.failures[.purchase] = ShopBehaviour.Failure(.notAllowed, times: 2)
    let month = CalendarPeriod(count: 1, unit: .month)
    return [
      .event, .event, .act(.purchase(product: "monthly")), .event, .game(GameClockMove(.period(month), rateThousandths: 60_000)),
      .act(.purchase(product: "coins")), .player(.to(.period(month))), .act(.behave(failing)), .act(.purchase(product: "coins")),
      .player(.to(.period(month))), .act(.purchase(product: "coins")), .act(.purchase(product: "coins")),
      .act(.grant(entitlement: "ad_free", period: CalendarPeriod(count: 3, unit: .day))), .game(GameClockMove(.period(month))),
      .player(.to(.period(month))), .event, .event, .event, .act(.restore),
    ]
  }

  @Test("a store that is reopened between any two steps ends with the same player and clock, byte for byte") func restarts() async throws {
    let whole = try DiskFixture()
    let cut = try DiskFixture()
    let wholeService = try await service(over: try whole.open())
    var host = Self.noon
    for step in steps {
      host.milliseconds += 60_000
      try await take(step, at: wholeService, host: host)
      try await take(step, at: try await service(over: try cut.open()), host: host)
    }
    let cutService = try await service(over: try cut.open())
    let expected = try await wholeService.view(Self.id, host: host)
    let found = try await cutService.view(Self.id, host: host)
    #expect(found.stored == expected.stored)
    #expect(found.now == expected.now)
    #expect(cutService.world.world["shop"]?.clock == wholeService.world.world["shop"]?.clock)
    #expect(found.holdings == expected.holdings)
    let ledger = try #require(found.stored.ledger)
    #expect(JSONWriter.bytes(ledger.encoded) == JSONWriter.bytes(try #require(expected.stored.ledger).encoded))
    #expect(ledger.log.contains { $0.event == .renewed })
    #expect(ledger.log.contains { $0.event == .renewalFailed })
    #expect(ledger.log.contains { $0.event == .failed })
  }

  @Test("a purchase that cannot be written is refused, nothing of it is visible, and it succeeds when there is space again") func noSpace()
    async throws
  {
    let store = MemoryStore()
    let service = try await service(over: store)
    try await take(.act(.purchase(product: "coins")), at: service, host: Self.noon)
    let before = try await service.view(Self.id, host: Self.noon).stored
    store.fail(with: .noSpace)
    await #expect(throws: ChangeRefusal.store(.noSpace)) {
      try await take(.act(.purchase(product: "monthly")), at: service, host: Self.noon)
    }
    #expect(try await service.view(Self.id, host: Self.noon).stored == before)
    store.fail(with: nil)
    try await take(.act(.purchase(product: "monthly")), at: service, host: Self.noon)
    #expect(try await service.view(Self.id, host: Self.noon).entitlements.held == ["ad_free"])
  }
}
