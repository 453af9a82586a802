// Random purchase histories: the entitlements that RevenueCat's libraries compute, against the daemon's own.

import GameConfCore
import GameConfEngine
import GameConfStorage
import TestSupport
import Testing

@testable import GameConfRevenueCat

@Suite("A player's purchases as RevenueCat's subscriber")
struct SubscriberTests {
  private static let start = Instant(milliseconds: 1_764_277_200_123)

  private static let catalog: Catalog = {
    var catalog = Catalog(game: "puzzles", title: "Puzzles", locales: ["en"])
    func product(_ id: String, _ kind: Product.Kind, _ grants: [String], _ subscription: Subscription? = nil) -> Product {
      Product(
        id: id, storeID: "store." + id, kind: kind, name: ["en": id], price: ["USD": "1.99"], grants: grants, subscription: subscription)
    }
    let (month, year, week) = (
      CalendarPeriod(count: 1, unit: .month), CalendarPeriod(count: 1, unit: .year), CalendarPeriod(count: 1, unit: .week)
    )
    catalog.products = [
      product(
        "monthly", .autoRenewable, ["Pro"],
        Subscription(group: "pro", level: 2, period: month, gracePeriod: CalendarPeriod(count: 16, unit: .day))),
      product("yearly", .autoRenewable, ["Pro", "Themes"], Subscription(group: "pro", level: 1, period: year)),
      product(
        "weekly", .autoRenewable, ["Themes"],
        Subscription(group: "themes", level: 1, period: week, intro: .init(mode: .freeTrial, period: week))),
      product("lifetime", .nonConsumable, ["Pro"]), product("season", .nonRenewing, ["Season"]), product("coins", .consumable, []),
    ]
    catalog.purchases = .games
    return catalog
  }()

  /// Returns the ledger of a player after random acts with time passing between them, and the time after the last act.
  private static func ledger(_ random: inout SeededGenerator) -> (Ledger, Instant) {
    var (ledger, now) = (Ledger(game: "puzzles", player: "p"), start)
    for _ in 0..<Int.random(in: 1...25, using: &random) {
      if Bool.random(using: &random) {
        let day: Int64 = 86_400_000
        let steps: [Int64] = [0, 1, 999, 60_000, day, 7 * day, 16 * day, 31 * day]
        let step = steps.randomElement(using: &random) ?? 0
        now = Instant(milliseconds: now.milliseconds + step)
      }
      guard let act = act(on: ledger, &random), let after = try? ledger.after(act, catalog: catalog, now: now) else { continue }
      ledger = after.ledger
    }
    return (ledger, now)
  }

  private static func act(on ledger: Ledger, _ random: inout SeededGenerator) -> ShopAct? {
    let id = ledger.transactions.randomElement(using: &random)?.id ?? ""
    var behaviour = ShopBehaviour()
    behaviour.failsBilling = Bool.random(using: &random)
    behaviour.asksToBuy = Int.random(in: 0..<8, using: &random) == 0
    let purchase = ShopAct.purchase(product: catalog.products.randomElement(using: &random)?.id ?? "")
    let period = [nil, CalendarPeriod(count: 7, unit: .day)].randomElement(using: &random) ?? nil
    return [
      purchase, purchase, purchase, .transaction(.refund, id), .transaction(.revoke, id), .transaction(.expire, id),
      .transaction(.renew, id), .transaction(.cancel, id), .transaction(.renewalOn, id), .transaction(.billingRetry, id),
      .transaction(.recover, id), .transaction(.approve, id), .behave(behaviour), .grant(entitlement: "Pro", period: period),
    ].randomElement(using: &random)
  }

  /// Returns the active entitlements as a client library computes them from the answer.
  /// - Parameter isActive: The library's comparison of an end with the present.
  private func active(_ body: Value, _ isActive: (Instant) -> Bool) throws -> Set<String> {
    let subscriber = try #require(body["subscriber"])
    var active: Set<String> = []
    for member in subscriber["entitlements"]?.objectValue?.members ?? [] {
      let product = try #require(member.value["product_identifier"]?.stringValue)
      let isListed = subscriber["subscriptions"]?[product] != nil
      // The library for JavaScript treats every product that is not listed as a subscription as permanent.
      if !isListed { #expect(subscriber["non_subscriptions"]?[product] != nil, "\(member.name) leads to no purchase of \(product)") }
      guard let end = member.value["expires_date"]?.stringValue else {
        active.insert(member.name)
        continue
      }
      #expect(isListed, "\(member.name) has an end, and its product is no subscription")
      if isActive(try Instant(parsing: end)) { active.insert(member.name) }
    }
    return active
  }

  @Test(
    "in 100 random purchase histories RevenueCat's libraries compute the ledger's entitlements, to the millisecond", arguments: 0..<100)
  func histories(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let (ledger, now) = Self.ledger(&random)
    let ends = ledger.transactions.compactMap(\.accessEnd).filter { $0 >= now }
    let instants = [now] + ends.flatMap { end in [-1, 0, 1].map { Instant(milliseconds: end.milliseconds + $0) } }
    let offset: Int64 = [0, 35 * 86_400_000].randomElement(using: &random) ?? 0
    let rate: Int64 = [1000, 3_600_000, 0].randomElement(using: &random) ?? 1000
    for instant in instants where instant >= now {
      // The host's clock differs from the player's, so that a missing conversion fails the test.
      let host = Instant(milliseconds: Self.start.milliseconds + 7_777)
      let clock = SimulatedClock(
        anchor: Instant(milliseconds: instant.milliseconds - offset), hostAnchor: host, rateThousandths: rate)
      var state = GameState(revision: 1)
      state.clock = clock
      let game = GameSnapshot(catalog: Self.catalog, keyRevisions: [:], state)
      let stored = StoredPlayer(ledger: ledger, clock: PlayerClock(offsetMilliseconds: offset), revision: 1)
      let view = PlayerView(stored, PlayerID(game: "puzzles", player: "p"), of: game, host: host)
      #expect(view.now == instant)
      let subscriber = Subscriber(view, host: host)
      let own = Entitlements(of: ledger, at: max(instant, ledger.settledUntil), catalog: Self.catalog)
      let request = try Instant(parsing: subscriber.body["request_date"]?.stringValue ?? "")
      #expect(try active(subscriber.body) { $0 > host } == own.ids, "as JavaScript's, at \(instant)")
      #expect(try active(subscriber.body) { $0 >= request } == own.ids, "as iOS', at \(instant)")
      #expect(try active(subscriber.body) { $0 > request } == own.ids, "as Android's, at \(instant)")
      try check(subscriber, own)
    }
  }

  /// Checks the renewal state and period type of active entitlements, and that every date has the form that the libraries parse.
  private func check(_ subscriber: Subscriber, _ own: Entitlements) throws {
    let body = subscriber.body["subscriber"] ?? .null
    for held in own.held {
      let product = try #require(body["entitlements"]?[held.id]?["product_identifier"]?.stringValue)
      guard let subscription = body["subscriptions"]?[product] else { continue }
      let renews = ["unsubscribe_detected_at", "billing_issues_detected_at"].allSatisfy { subscription[$0] == .null }
      #expect(
        (renews && subscription["store"] != "promotional") == (held.willRenew && held.billingFailedAt == nil), "\(held) \(subscription)")
      let kind = held.periodType == .promotional ? "normal" : held.periodType.rawValue
      #expect(subscription["period_type"]?.stringValue == kind)
      #expect((subscription["grace_period_expires_date"] != .null) == held.isInGracePeriod)
    }
    for member in body["subscriptions"]?.objectValue?.members ?? [] {
      for name in ["expires_date", "purchase_date", "original_purchase_date", "unsubscribe_detected_at", "refunded_at"] {
        guard let text = member.value[name]?.stringValue else { continue }
        #expect(text.utf8.count == 20 && text.hasSuffix("Z") && !text.contains("."), "\(text)")
      }
    }
  }
}
