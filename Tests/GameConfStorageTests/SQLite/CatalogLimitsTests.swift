// The database can hold everything that the catalog's check admits: purchases at every upper limit, through a restart.
import GameConfCore
import GameConfEngine
import GameConfStorage
import TestSupport
import Testing

@Suite("A catalog at its upper limits")
struct CatalogLimitsTests {
  private static let noon = Instant(seconds: 1_795_262_400)

  private struct Unwatched: WorldPublisher {
    func publish(_ world: World) async {}
  }

  private static func longName(_ number: Int) -> String { "a\(number)" + String(repeating: "Z", count: 128 - "a\(number)".count) }

  /// Returns products, offers and placements, each of whose numbers is its maximum or its minimum.
  private func catalog(_ seed: UInt64) -> Catalog {
    var random = SeededGenerator(seed: seed)
    var catalog = Catalog(game: "shop", title: "Shop", locales: ["en"])
    catalog.purchases = .games
    catalog.events = [EventDefinition(name: Self.longName(0), reasons: [Self.longName(1)], carriesScore: true)]
    catalog.modes = [Self.longName(2)]
    let grace = [nil, CalendarPeriod(count: CalendarPeriod.countMax, unit: .year), CalendarPeriod(count: 1, unit: .day)]
    let money = ["USD": "999999999999.9999"]
    for number in 0..<6 {
      let periods = Bool.random(using: &random) ? CatalogCheck.introPeriodsMax : 1
      let month = CalendarPeriod(count: 1, unit: .month)
      let intro: Subscription.Intro? =
        switch number % 3 {
        case 0: nil
        case 1: Subscription.Intro(mode: .payAsYouGo, period: month, periods: periods, price: money)
        default: Subscription.Intro(mode: .freeTrial, period: CalendarPeriod(count: 1, unit: .year))
        }
      let group = String(repeating: "\u{10FFFF}\"\\\u{0}", count: 1 + number % 2 * 200) + "\(number)"
      catalog.products.append(
        Product(
          id: Self.longName(10 + number), kind: .autoRenewable, name: ["en": "x"], price: money, grants: [Self.longName(20 + number)],
          subscription: Subscription(
            group: group, level: Bool.random(using: &random) ? CatalogCheck.levelMax : 1,
            period: [month, CalendarPeriod(count: 1, unit: .year)].randomElement(using: &random) ?? month, intro: intro,
            gracePeriod: grace[Int.random(in: 0..<3, using: &random)])))
    }
    catalog.products.append(Product(id: Self.longName(30), kind: .consumable, name: ["en": "x"], price: money, grants: []))
    func most(_ least: Int64) -> Placement.NumberSource { .number(.integer(Bool.random(using: &random) ? .max : least)) }
    var placement = Placement(id: Self.longName(40), format: .interstitial, event: Self.longName(0), every: .number(1))
    (placement.offset, placement.minSeconds, placement.firstAdDelaySeconds) = (most(0), most(0), most(0))
    (placement.graceEvents, placement.graceVisits, placement.afterRewardedSeconds) = (most(0), most(0), most(0))
    placement.caps = [Placement.Cap(count: most(1), per: .day)]
    var shown = Placement(id: Self.longName(41), format: .interstitial, event: Self.longName(0), every: .number(1))
    shown.caps = [Placement.Cap(count: .number(.integer(.max)), per: .hour)]
    catalog.placements = [placement, shown]
    return catalog
  }

  private func service(_ catalog: Catalog, over store: any Store) async throws -> PlayerService {
    let contents = try await store.contents()
    let live = LiveWorld(
      World(games: [GameSnapshot(catalog: catalog, revision: 1)]).applying([.replaced(contents)]), publication: Unwatched())
    let recent = PlayerCache(store: store)
    store.publish { batch in
      recent.apply(batch.changes)
      return { await live.change { $0.applying(batch.changes) } }
    }
    return PlayerService(store: store, world: live.present, recent: recent, rates: WriteRateLimiter(uptimeMilliseconds: { 0 }))
  }

  @Test("a player's purchases survive a restart unchanged, with nothing unreadable", arguments: 0..<24 as Range<UInt64>)
  func bought(seed: UInt64) async throws {
    let catalog = catalog(seed)
    #expect(CatalogCheck(catalog).faults == [])
    let fixture = try DiskFixture()
    let id = PlayerID(game: "shop", player: String(repeating: "\u{10FFFF}", count: 64))
    let change = ChangeContext(author: Author(uid: .max, name: "root"), now: Self.noon, isAdmin: true)
    let first = try await service(catalog, over: try fixture.open())
    for product in catalog.products { _ = try await first.change(id, .shop(.purchase(product: product.id)), change) }
    let event = PlayerEvent(name: Self.longName(0), mode: Self.longName(2), score: .integer(.max), reason: Self.longName(1))
    for _ in 0..<3 { _ = try? await first.record(id, event, change) }
    _ = try await first.change(id, .moveClock(.to(.period(CalendarPeriod(count: 2, unit: .year)))), change)
    let before = try await first.view(id, host: Self.noon)
    let second = try await service(catalog, over: try fixture.open())
    let after = try await second.view(id, host: Self.noon)
    #expect(after.stored == before.stored && after.stored.ledger?.transactions.isEmpty == false && after.stored.state != nil)
    #expect(try fixture.open().health.unreadable.isEmpty)
  }

  @Test("a catalog with one level or period more than a ledger can hold is refused", arguments: [("level", 1_001), ("periods", 1_201)])
  func beyond(field: String, number: Int) throws {
    #expect(CatalogCheck.levelMax == 1_000 && CatalogCheck.introPeriodsMax == 1_200)
    var catalog = Catalog(game: "shop", title: "Shop", locales: ["en"])
    func product(_ number: Int) -> Product {
      let month = CalendarPeriod(count: 1, unit: .month)
      let intro = Subscription.Intro(
        mode: .payAsYouGo, period: month, periods: field == "periods" ? number : 1, price: ["USD": "1"])
      return Product(
        id: "a", kind: .autoRenewable, name: ["en": "x"], price: ["USD": "1"], grants: ["x"],
        subscription: Subscription(group: "g", level: field == "level" ? number : 1, period: month, intro: intro))
    }
    catalog.products = [product(number - 1)]
    #expect(CatalogCheck(catalog).faults == [])
    catalog.products = [product(number)]
    #expect(CatalogCheck(catalog).faults.map(\.path.pointer.description).count == 1)
    catalog.products = [product(0)]
    #expect(CatalogCheck(catalog).faults.count == 1)
  }
}
