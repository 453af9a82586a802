// Tests the life cycle of subscriptions: renewal, billing retry, recovery, plan changes and expiration.

import GameConfCore
import Testing

@Suite("Simulated subscriptions")
struct SubscriptionTests {
  @Test(
    "the n-th renewal is n periods after the anchor, clipped to the end of the month",
    arguments: [
      ("monthly", "2028-01-31T10:00:00Z", ["2028-02-29", "2028-03-31", "2028-04-30", "2028-05-31", "2028-06-30", "2028-07-31"]),
      ("monthly", "2026-01-31T10:00:00Z", ["2026-02-28", "2026-03-31", "2026-04-30"]),
      ("monthly", "2026-12-31T23:59:59Z", ["2027-01-31", "2027-02-28", "2027-03-31"]),
      ("monthly", "2099-12-30T00:00:00Z", ["2100-01-30", "2100-02-28", "2100-03-30"]),
      ("yearly", "2028-02-29T00:00:00Z", ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]),
      ("yearly", "2096-02-29T00:00:00Z", ["2097-02-28", "2098-02-28", "2099-02-28", "2100-02-28", "2101-02-28"]),
      ("monthly", "2026-03-30T00:00:00Z", ["2026-04-30", "2026-05-30", "2026-06-30"]),
    ])
  func calendar(product: String, bought: String, dates: [String]) throws {
    var shop = try Shop(.sudoku, at: bought)
    try shop.buy(product)
    let period = product == "yearly" ? "P\(dates.count)Y" : "P\(dates.count)M"
    try shop.move(by: period)
    let renewals = shop.ledger.settled(at: shop.now).transactions.filter { $0.reason == .renewal }
    #expect(renewals.map { $0.purchasedAt.utcDate.text } == dates)
    #expect(shop.entitlements.ids == ["Pro"])
  }

  @Test("a monthly subscription renews twelve times in a year, the twelfth time exactly after the year") func year() throws {
    var shop = try Shop(.sudoku, at: "2028-01-31T10:00:00Z")
    try shop.buy("monthly")
    try shop.move(to: "2029-01-31T09:59:59.999Z")
    #expect(shop.notifications.count == 12)
    try shop.move(to: "2029-01-31T10:00:00Z")
    #expect(shop.notifications == ["SUBSCRIBED/INITIAL_BUY"] + Array(repeating: "DID_RENEW", count: 12))
    #expect(shop.entitlements.held.first?.expiresAt == (try Instant(parsing: "2029-02-28T10:00:00Z")))
    #expect(shop.entitlements.held.first?.willRenew == true)
    #expect(shop.entitlements.held.first?.heldSince == (try Instant(parsing: "2028-01-31T10:00:00Z")))
    #expect(shop.entitlements.nextChangeAt == (try Instant(parsing: "2029-02-28T10:00:00Z")))
  }

  @Test("a cancelled subscription ends with its period unless its renewal is turned on again") func cancel() throws {
    var shop = try Shop(.sudoku, at: "2026-01-31T00:00:00Z")
    let id = try shop.buy("monthly")
    try shop.act(.transaction(.cancel, id))
    #expect(shop.refusal(of: .transaction(.cancel, id)) == .renewalIsOff)
    #expect(shop.refusal(of: .transaction(.renew, id)) == .renewalIsOff)
    #expect(shop.entitlements.ids == ["Pro"])
    #expect(shop.entitlements.held.first?.willRenew == false)
    var retained = shop
    #expect(try retained.act(.purchase(product: "monthly")).status == .retained)
    try retained.move(to: "2026-02-28T00:00:00Z")
    #expect(retained.entitlements.ids == ["Pro"])
    try shop.move(to: "2026-02-27T23:59:59.999Z")
    #expect(shop.entitlements.ids == ["Pro"])
    try shop.move(to: "2026-02-28T00:00:00Z")
    #expect(shop.entitlements.ids.isEmpty)
    #expect(shop.notifications == ["SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY"])
    #expect(shop.refusal(of: .transaction(.renewalOn, id)) == .subscriptionEnded)
    let again = try shop.buy("monthly")
    #expect(shop.notifications.last == "SUBSCRIBED/RESUBSCRIBE")
    #expect(shop.ledger.transaction(again)?.originalID == id)
  }

  @Test("a subscription in billing retry is active only in its grace period, and expires after 60 days") func retry() throws {
    for grace in [ShopBehaviour.Grace.asProduct, .always, .never] {
      var shop = try Shop(.sudoku, at: "2026-01-31T00:00:00Z")
      var behaviour = ShopBehaviour()
      behaviour.failsBilling = true
      behaviour.grace = grace
      try shop.buy("monthly")
      try shop.act(.behave(behaviour))
      try shop.move(to: "2026-02-28T00:00:00Z")
      let hasGrace = grace != .never
      #expect(shop.entitlements.ids == (hasGrace ? ["Pro"] : []))
      #expect(shop.entitlements.subscriptions.first?.state == (hasGrace ? .inGracePeriod : .inBillingRetry))
      #expect(shop.entitlements.held.first?.isInGracePeriod == (hasGrace ? true : nil))
      #expect(shop.notifications.last == (hasGrace ? "DID_FAIL_TO_RENEW/GRACE_PERIOD" : "DID_FAIL_TO_RENEW"))
      try shop.move(to: "2026-03-16T00:00:00Z")
      #expect(shop.entitlements.ids.isEmpty)
      #expect(shop.entitlements.subscriptions.first?.state == .inBillingRetry)
      try shop.move(to: "2026-04-29T00:00:00Z")
      #expect(shop.notifications.last == "EXPIRED/BILLING_RETRY")
    }
  }

  @Test("a recovery within the grace period keeps the anchor, a later one sets a new anchor") func recovery() throws {
    var shop = try Shop(.sudoku, at: "2026-01-31T00:00:00Z")
    var behaviour = ShopBehaviour()
    behaviour.failsBilling = true
    let id = try shop.buy("monthly")
    #expect(shop.refusal(of: .transaction(.recover, id)) == .notInBillingRetry)
    try shop.act(.behave(behaviour))
    try shop.move(to: "2026-03-05T00:00:00Z")
    var late = shop
    try shop.act(.transaction(.recover, id))
    #expect(shop.entitlements.held.first?.expiresAt == (try Instant(parsing: "2026-03-31T00:00:00Z")))
    #expect(shop.notifications.last == "DID_RENEW/BILLING_RECOVERY")
    try late.move(to: "2026-04-05T06:00:00Z")
    #expect(late.entitlements.ids.isEmpty)
    #expect(late.refusal(of: .purchase(product: "monthly")) == .inBillingRetry)
    try late.act(.transaction(.recover, id))
    #expect(late.entitlements.held.first?.expiresAt == (try Instant(parsing: "2026-05-05T06:00:00Z")))
  }

  @Test("a forced billing retry begins immediately, and a cancellation during it ends the subscription") func retryByHand() throws {
    var shop = try Shop(.sudoku, at: "2026-01-10T00:00:00Z")
    let id = try shop.buy("monthly")
    try shop.move(to: "2026-01-20T00:00:00Z")
    var without = shop
    try without.act(.billingRetry(id, grace: .never))
    #expect(without.entitlements.ids.isEmpty)
    #expect(without.refusal(of: .transaction(.billingRetry, id)) == .inBillingRetry)
    try without.act(.transaction(.cancel, id))
    #expect(without.notifications.suffix(2) == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY"])
    try shop.act(.transaction(.billingRetry, id))
    #expect(shop.entitlements.ids == ["Pro"])
    try shop.move(to: "2026-01-25T00:00:00Z")
    try shop.act(.transaction(.recover, id))
    #expect(shop.entitlements.held.first?.expiresAt == (try Instant(parsing: "2026-02-20T00:00:00Z")))
  }

  @Test("a yearly upgrade begins immediately and refunds the rest of the month; the downgrade begins when the period ends") func plans()
    throws
  {
    var shop = try Shop(.sudoku, at: "2026-01-10T00:00:00Z")
    let monthly = try shop.buy("monthly")
    try shop.move(to: "2026-01-20T00:00:00Z")
    let yearly = try shop.buy("yearly")
    #expect(shop.notifications.last == "DID_CHANGE_RENEWAL_PREF/UPGRADE")
    #expect(shop.ledger.transaction(monthly)?.held?.until == shop.now)
    #expect(shop.ledger.transaction(yearly)?.originalID == monthly)
    #expect(shop.entitlements.held.first?.product == "yearly")
    #expect(shop.entitlements.held.first?.expiresAt == (try Instant(parsing: "2027-01-20T00:00:00Z")))
    #expect(shop.ledger.log.last?.detail == "rest until 2026-02-10T00:00:00Z given back")
    #expect(try shop.act(.purchase(product: "monthly")).status == .deferred)
    #expect(shop.notifications.last == "DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
    #expect(shop.entitlements.held.first?.product == "yearly")
    var stays = shop
    #expect(try stays.act(.purchase(product: "yearly")).status == .retained)
    #expect(stays.notifications.last == "DID_CHANGE_RENEWAL_PREF")
    try shop.move(to: "2027-01-20T00:00:00Z")
    #expect(shop.entitlements.held.first?.product == "monthly")
    #expect(shop.entitlements.held.first?.expiresAt == (try Instant(parsing: "2027-02-20T00:00:00Z")))
    try stays.move(to: "2027-01-20T00:00:00Z")
    #expect(stays.entitlements.held.first?.product == "yearly")
  }

  @Test("a downgrade of a subscription keeps the renewal anchor on the 31st") func downgradeAnchor() throws {
    var shop = try Shop(.sudoku, at: "2027-01-31T00:00:00Z")
    try shop.buy("yearly")
    try shop.act(.purchase(product: "monthly"))
    try shop.move(to: "2028-03-31T00:00:00Z")
    let dates = shop.ledger.settled(at: shop.now).transactions.map { $0.purchasedAt.utcDate.text }
    #expect(dates == ["2027-01-31", "2028-01-31", "2028-02-29", "2028-03-31"])
  }

  @Test("a trial is given once per subscription group") func trial() throws {
    var shop = try Shop(.sudoku, at: "2026-01-01T00:00:00Z")
    let id = try shop.buy("club")
    #expect(shop.entitlements.held.first?.periodType == .trial)
    #expect(shop.ledger.transaction(id)?.price == nil)
    try shop.move(to: "2026-01-04T00:00:00Z")
    #expect(shop.entitlements.held.first?.periodType == .normal)
    #expect(shop.entitlements.held.first?.expiresAt == (try Instant(parsing: "2026-01-11T00:00:00Z")))
    try shop.act(.transaction(.expire, id))
    #expect(shop.entitlements.ids.isEmpty)
    try shop.buy("club")
    #expect(shop.entitlements.held.first?.periodType == .normal)
  }

  @Test("a pay-as-you-go offer lasts for its number of periods and keeps the anchor") func payAsYouGo() throws {
    var shop = try Shop(.sudoku, at: "2026-01-31T00:00:00Z")
    try shop.buy("guild")
    try shop.move(to: "2026-04-30T00:00:00Z")
    let made = shop.ledger.settled(at: shop.now).transactions
    #expect(made.map { $0.purchasedAt.utcDate.text } == ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"])
    #expect(made.map { $0.offer != nil } == [true, true, false, false])
    #expect(made.map { $0.price?.amount } == ["0.49", "0.49", "0.99", "0.99"])
  }

  @Test("expire, refund and revoke end a subscription period now, and a forced renewal begins one now") func now() throws {
    var shop = try Shop(.sudoku, at: "2026-01-10T00:00:00Z")
    let id = try shop.buy("monthly")
    try shop.move(to: "2026-01-20T12:00:00Z")
    var renewed = shop
    try renewed.act(.transaction(.renew, id))
    #expect(renewed.entitlements.held.first?.expiresAt == (try Instant(parsing: "2026-02-20T12:00:00Z")))
    #expect(renewed.ledger.transaction(id)?.expiresAt == renewed.now)
    for (act, last, state) in [
      (ShopAct.transaction(.expire, id), "EXPIRED", SubscriptionLine.State.expired), (.transaction(.revoke, id), "REVOKE", .revoked),
      (.transaction(.refund, id), "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", .revoked),
    ] {
      var ended = shop
      try ended.act(act)
      #expect(ended.entitlements.ids.isEmpty)
      #expect(ended.notifications.last == last)
      #expect(ended.entitlements.subscriptions.first?.state == state)
      try ended.move(by: "P5Y")
      #expect(ended.entitlements.ids.isEmpty)
      #expect(ended.refusal(of: .transaction(.expire, id)) == .subscriptionEnded)
    }
  }

  @Test("a price change applies at the renewal; an increase without the needed consent ends the subscription") func price() throws {
    var shop = try Shop(.sudoku, at: "2026-01-10T00:00:00Z")
    let id = try shop.buy("monthly")
    #expect(shop.refusal(of: .changePrice(id, ShopPrice(currency: "USD", amount: "3,99"))) == .invalidPrice)
    #expect(shop.refusal(of: .changePrice(id, ShopPrice(currency: "EURO", amount: "3.99"))) == .invalidCurrency)
    #expect(shop.refusal(of: .transaction(.acceptPrice, id)) == .noPriceChange)
    try shop.act(.changePrice(id, ShopPrice(currency: "USD", amount: "3.99"), needsConsent: true))
    #expect(shop.notifications.last == "PRICE_INCREASE/PENDING")
    var accepted = shop
    try accepted.act(.transaction(.acceptPrice, id))
    try accepted.move(to: "2026-02-10T00:00:00Z")
    #expect(accepted.ledger.settled(at: accepted.now).transactions.map { $0.price?.amount } == ["2.99", "3.99"])
    try shop.move(to: "2026-02-10T00:00:00Z")
    #expect(shop.entitlements.ids.isEmpty)
    #expect(shop.notifications.last == "EXPIRED/PRICE_INCREASE")
  }

  @Test("a renewal depends on the simulated store's behaviour when the renewal was due, even if it is computed later")
  func behaviourThen() throws {
    var shop = try Shop(.sudoku, at: "2026-01-10T00:00:00Z")
    let id = try shop.buy("monthly")
    try shop.move(to: "2026-02-15T00:00:00Z")
    var behaviour = ShopBehaviour()
    behaviour.failsBilling = true
    behaviour.grace = .never
    try shop.act(.behave(behaviour))
    #expect(shop.entitlements.ids == ["Pro"])
    try shop.move(to: "2026-03-09T00:00:00Z")
    try shop.act(.behave(ShopBehaviour()))
    try shop.move(to: "2026-03-10T00:00:00Z")
    #expect(shop.entitlements.ids == ["Pro"])
    #expect(shop.ledger.transaction(id) != nil)
  }

  @Test("a subscription expires at the end of the calendar, and a purchase beyond it is refused") func calendarEnd() throws {
    var shop = try Shop(.sudoku, at: "9999-11-15T00:00:00Z")
    try shop.buy("monthly")
    #expect(shop.refusal(of: .purchase(product: "yearly")) == .outsideCalendar)
    try shop.move(to: "9999-12-31T23:59:59.999Z")
    #expect(shop.notifications == ["SUBSCRIBED/INITIAL_BUY", "EXPIRED"])
    #expect(shop.entitlements.ids.isEmpty)
  }

  @Test("a subscription renews at most the maximum number of times until the calendar's end, and a clock move to that end is refused")
  func bound() throws {
    var shop = try Shop(.sudoku, at: "2026-01-10T00:00:00Z")
    for product in ["monthly", "club", "guild"] { try shop.buy(product) }
    let end = Instant.latest
    let settled = shop.ledger.settled(at: end)
    #expect(settled.transactions.count == 3 + 3 * Ledger.renewalsMax)
    #expect(settled.log.count == Ledger.logEntriesMax)
    #expect(Entitlements(of: shop.ledger, at: end, catalog: shop.catalog).ids.isEmpty)
    let refusal = #expect(throws: Refusal.self) { try shop.ledger.admitMove(to: end) }
    #expect(refusal?.code == .clockTooFar)
    let decade = try #require(shop.now.adding(CalendarPeriod(count: 10, unit: .year)))
    #expect(throws: Never.self) { try shop.ledger.admitMove(to: decade) }
  }
}
