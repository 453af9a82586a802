// Tests price changes and plan changes: the price of the next renewal, and when another plan begins.

import GameConfCore
import Testing

extension Catalog {
  /// A subscription group with four plans of level 2 (two monthly, one of twelve months, one yearly), a monthly plan above and a weekly
  /// plan below. A plan in a second group has an introductory offer.
  fileprivate static let plans: Catalog = {
    var catalog = Catalog(game: "plans", title: "Plans", locales: ["en"])
    func plan(_ id: String, _ level: Int, _ period: String, _ price: String, group: String = "g") throws -> Product {
      var subscription = Subscription(group: group, level: level, period: try CalendarPeriod(parsing: period))
      if group == "h" {
        subscription.intro = Subscription.Intro(
          mode: .payAsYouGo, period: try CalendarPeriod(parsing: "P1M"), periods: 3, price: ["USD": "0.99"])
      }
      return Product(
        id: id, storeID: id, kind: .autoRenewable, name: ["en": id], price: ["USD": price], grants: [id], subscription: subscription)
    }
    catalog.products =
      (try? [
        plan("top", 1, "P1M", "9.99"), plan("basic", 2, "P1M", "2.99"), plan("other", 2, "P1M", "3.99"), plan("year", 2, "P1Y", "24.99"),
        plan("twelve", 2, "P12M", "19.99"), plan("w", 3, "P1W", "0.99"), plan("intro", 1, "P1M", "4.99", group: "h"),
      ]) ?? []
    return catalog
  }()
}

@Suite("Price changes of a subscription")
struct PriceChangeTests {
  private func shop() throws -> Shop { try Shop(.plans, at: "2028-01-31T10:00:00Z") }

  private func change(_ amount: String, needsConsent: Bool = false, _ id: String) -> ShopAct {
    .changePrice(id, ShopPrice(currency: "USD", amount: amount), needsConsent: needsConsent)
  }

  private func prices(_ shop: Shop) -> [String] {
    shop.ledger.settled(at: shop.now).transactions.map { "\($0.product ?? "") \($0.price?.amount ?? "-")" }
  }

  private func line(_ shop: Shop) throws -> SubscriptionLine { try #require(shop.ledger.settled(at: shop.now).subscriptions.first) }

  @Test(
    "a price change does not change the price of another product after a plan change, and no consent is needed for it",
    arguments: ["12.99", "0.10"])
  func anotherProduct(amount: String) throws {
    for needsConsent in [false, true] {
      var shop = try shop()
      let id = try shop.buy("top")
      #expect(try shop.act(.purchase(product: "w")).status == .deferred)
      try shop.act(change(amount, needsConsent: needsConsent, id))
      #expect(try line(shop).nextPrice?.amount == "0.99")
      #expect(try !line(shop).needsConsent && !line(shop).endsWithoutConsent)
      try shop.move(by: "P1M")
      #expect(prices(shop) == ["top 9.99", "w 0.99"])
      #expect(shop.notifications.last == "DID_RENEW")
      try shop.move(to: "2028-03-14T10:00:00Z")
      #expect(Set(prices(shop).dropFirst()) == ["w 0.99"], "also in later periods")
    }
  }

  @Test("a price change applies to its product if a plan change, made before or after it, is undone before the period ends") func undone()
    throws
  {
    for isPriceFirst in [true, false] {
      var shop = try shop()
      let id = try shop.buy("top")
      if isPriceFirst { try shop.act(change("12.99", id)) }
      try shop.act(.purchase(product: "w"))
      if !isPriceFirst { try shop.act(change("12.99", id)) }
      #expect(try shop.act(.purchase(product: "top")).status == .retained)
      #expect(try line(shop).nextPrice?.amount == "12.99")
      try shop.move(by: "P1M")
      #expect(prices(shop) == ["top 9.99", "top 12.99"])
    }
  }

  @Test("a price change applies to a forced renewal; without the needed consent the renewal has the old price") func renewedNow() throws {
    var shop = try shop()
    let id = try shop.buy("top")
    try shop.act(change("12.99", id))
    var consenting = shop
    try shop.act(.transaction(.renew, id))
    #expect(prices(shop) == ["top 9.99", "top 12.99"])
    try consenting.act(change("14.99", needsConsent: true, id))
    try consenting.act(.transaction(.renew, id))
    #expect(prices(consenting) == ["top 9.99", "top 9.99"])
    #expect(try line(consenting).needsConsent && line(consenting).nextPrice?.amount == "14.99")
    try consenting.act(.transaction(.acceptPrice, id))
    try consenting.move(by: "P1M")
    #expect(prices(consenting).last == "top 14.99")
  }

  @Test("a price change takes effect after the introductory offer; a subscription without the needed consent ends at that time")
  func afterOffer() throws {
    for needsConsent in [false, true] {
      var shop = try shop()
      let id = try shop.buy("intro")
      try shop.act(change("7.99", needsConsent: needsConsent, id))
      try shop.move(to: "2028-03-31T10:00:00Z")
      #expect(prices(shop) == ["intro 0.99", "intro 0.99", "intro 0.99"])
      #expect(try line(shop).nextPrice?.amount == "7.99")
      #expect(try line(shop).endsWithoutConsent == needsConsent)
      try shop.move(to: "2028-04-30T10:00:00Z")
      #expect(prices(shop).dropFirst(3) == (needsConsent ? [] : ["intro 7.99"]))
      #expect(shop.notifications.last == (needsConsent ? "EXPIRED/PRICE_INCREASE" : "DID_RENEW"))
    }
  }

  @Test("a ledger with a price change is decoded as it was encoded", arguments: [true, false]) func stored(isChanged: Bool) throws {
    var shop = try shop()
    let id = try shop.buy("top")
    try shop.act(change("12.99", needsConsent: true, id))
    if isChanged { try shop.act(.purchase(product: "w")) }
    #expect(try Ledger(decoding: shop.ledger.encoded, for: "p") == shop.ledger)
  }
}

@Suite("Plan changes of a subscription")
struct PlanChangeTests {
  @Test(
    "a change to a higher level, or to the same level and period, begins immediately; any other at the end of the period",
    arguments: [
      ("basic", "other", true), ("other", "basic", true), ("basic", "top", true), ("year", "twelve", true), ("basic", "year", false),
      ("year", "basic", false), ("top", "basic", false), ("basic", "w", false),
    ])
  func atOnce(from: String, to: String, isAtOnce: Bool) throws {
    var shop = try Shop(.plans, at: "2028-01-31T10:00:00Z")
    let first = try shop.buy(from)
    try shop.move(by: "P10D")
    let outcome = try shop.act(.purchase(product: to))
    #expect(outcome.status == (isAtOnce ? .success : .deferred))
    #expect(shop.notifications.last == "DID_CHANGE_RENEWAL_PREF/" + (isAtOnce ? "UPGRADE" : "DOWNGRADE"))
    #expect(shop.entitlements.ids == [isAtOnce ? to : from])
    let current = try #require(outcome.transaction.flatMap { shop.ledger.transaction($0) })
    #expect(current.originalID == first)
    #expect(current.purchasedAt == (isAtOnce ? shop.now : try Instant(parsing: "2028-01-31T10:00:00Z")))
  }
}
