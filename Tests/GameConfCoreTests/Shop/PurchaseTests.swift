// Tests purchases, and everything that can interrupt one.

import GameConfCore
import Testing

@Suite("Simulated purchases")
struct PurchaseTests {
  @Test("a product that includes all others grants their entitlements, and its refund revokes them all") func premium() throws {
    var shop = try Shop(.dots)
    #expect(shop.entitlements.ids.isEmpty)
    #expect(!shop.entitlements.isAdFree)
    let id = try shop.buy("premium")
    #expect(shop.entitlements.ids == ["ad_free", "theme.aurora", "theme.space", "premium", "season"])
    #expect(shop.entitlements.purchased.allSatisfy { $0.isPurchased })
    #expect(shop.entitlements.isAdFree)
    #expect(shop.entitlements.held.allSatisfy { $0.product == "premium" && $0.expiresAt == nil && !$0.willRenew })
    try shop.act(.transaction(.refund, id))
    #expect(shop.entitlements.ids.isEmpty)
    #expect(!shop.entitlements.purchased.contains { $0.isPurchased })
    #expect(!shop.entitlements.isAdFree)
    #expect(shop.notifications == ["ONE_TIME_CHARGE", "REFUND"])
    try shop.buy("premium")
  }

  @Test("consumables never grant an entitlement, and non-renewing products are owned for ever") func kinds() throws {
    var shop = try Shop(.dots)
    try shop.buy("coins")
    try shop.buy("coins")
    try shop.buy("season")
    try shop.move(by: "P9Y")
    #expect(shop.entitlements.ids == ["season"])
    #expect(shop.entitlements.purchased.filter(\.isPurchased).map(\.product) == ["season"])
  }

  @Test("a player's purchases get the same transaction ids in each new ledger; the same purchases of another player get other ids")
  func ids() throws {
    func ids(_ player: String) throws -> [String] {
      var shop = try Shop(.dots, player: player)
      return [try shop.buy("coins"), try shop.buy("coins")]
    }
    let mine = try ids("p")
    #expect(try ids("p") == mine)
    #expect(Set(mine + (try ids("q"))).count == 4)
    #expect(mine.allSatisfy { $0.count == 18 && $0.allSatisfy { $0.isNumber } })
    #expect(mine.map { $0.suffix(6) } == ["000001", "000002"])
  }

  @Test("Ask to Buy: a pending purchase grants nothing, its approval grants, and its refusal does not") func askToBuy() throws {
    var shop = try Shop(.dots)
    var behaviour = ShopBehaviour()
    behaviour.asksToBuy = true
    try shop.act(.behave(behaviour))
    let pending = try shop.act(.purchase(product: "removeads"))
    #expect(pending.status == .pending)
    let id = try #require(pending.transaction)
    #expect(shop.entitlements.ids.isEmpty)
    #expect(shop.refusal(of: .purchase(product: "removeads")) == .purchaseOpen)
    #expect(shop.refusal(of: .transaction(.finish, id)) == .notPurchased)
    #expect(shop.refusal(of: .transaction(.refund, id)) == .notPurchased)
    #expect(shop.refusal(of: .transaction(.resolve, id)) == .notInterrupted)
    try shop.move(by: "P1D")
    var declined = shop
    try declined.act(.transaction(.decline, id))
    #expect(declined.entitlements.ids.isEmpty)
    #expect(declined.refusal(of: .transaction(.approve, id)) == .notPending)
    #expect(try shop.act(.transaction(.approve, id)).transaction == id)
    #expect(shop.entitlements.ids == ["ad_free"])
    #expect(shop.ledger.transaction(id)?.purchasedAt == shop.now)
    #expect(shop.refusal(of: .transaction(.approve, id)) == .notPending)
  }

  @Test("an interrupted purchase succeeds when it is resolved") func interrupted() throws {
    var shop = try Shop(.sudoku)
    var behaviour = ShopBehaviour()
    behaviour.interruptsPurchases = true
    try shop.act(.behave(behaviour))
    let id = try #require(try shop.act(.purchase(product: "monthly")).transaction)
    #expect(shop.entitlements.ids.isEmpty)
    try shop.act(.transaction(.resolve, id))
    #expect(shop.entitlements.ids == ["Pro"])
    #expect(shop.refusal(of: .transaction(.resolve, id)) == .notInterrupted)
  }

  @Test("a simulated failure of two purchase calls affects exactly two, one without a count affects all") func failures() throws {
    var shop = try Shop(.dots)
    var behaviour = ShopBehaviour()
    behaviour.failures = [.purchase: .init(.notAllowed, times: 2), .loadProducts: .init(.networkError)]
    try shop.act(.behave(behaviour))
    for _ in 1...2 {
      let outcome = try shop.act(.purchase(product: "removeads"))
      #expect(outcome.status == .failed)
      #expect(outcome.error == .notAllowed)
    }
    #expect(shop.ledger.transactions.isEmpty)
    try shop.buy("removeads")
    for _ in 1...5 { #expect(try shop.act(.loadProducts).error == .networkError) }
    try shop.act(.behave(ShopBehaviour()))
    #expect(try shop.act(.loadProducts).status == .success)
  }

  @Test("a cancelled purchase leaves no transaction") func cancelled() throws {
    var shop = try Shop(.dots)
    var behaviour = ShopBehaviour()
    behaviour.failures = [.purchase: .init(.userCancelled, times: 1)]
    try shop.act(.behave(behaviour))
    #expect(try shop.act(.purchase(product: "removeads")).status == .cancelled)
    #expect(shop.ledger.transactions.isEmpty)
  }

  @Test("a purchase whose verification fails grants nothing until a restore verifies it") func verification() throws {
    var shop = try Shop(.dots)
    var behaviour = ShopBehaviour()
    behaviour.failures = [.verification: .init(.invalidSignature, times: 1)]
    try shop.act(.behave(behaviour))
    let outcome = try shop.act(.purchase(product: "removeads"))
    #expect(outcome.error == .invalidSignature)
    #expect(shop.entitlements.ids.isEmpty)
    try shop.act(.restore)
    #expect(shop.entitlements.ids == ["ad_free"])
  }

  @Test("a restore delivers an unfinished transaction until it is finished, and a durable purchase always") func delivery() throws {
    var shop = try Shop(.dots)
    let coins = try shop.buy("coins")
    let ads = try shop.buy("removeads")
    #expect(shop.ledger.unfinished.map(\.id) == [coins, ads])
    #expect(try shop.act(.restore).delivered == [coins, ads])
    try shop.act(.transaction(.finish, coins))
    try shop.act(.transaction(.finish, ads))
    #expect(shop.refusal(of: .transaction(.finish, coins)) == .alreadyFinished)
    #expect(shop.ledger.unfinished.isEmpty)
    #expect(try shop.act(.restore).delivered == [ads])
  }

  @Test("a restore from another player's ledger moves durable purchases out of it, and leaves consumables there") func transfer() throws {
    var old = try Shop(.dots, player: "old")
    try old.buy("premium")
    try old.buy("coins")
    let new = try Shop(.dots, player: "new")
    let moved = try new.ledger.transferring(from: old.ledger, now: new.now, othersNow: old.now)
    #expect(Entitlements(of: moved.ledger, at: new.now, catalog: .dots).ids.contains("premium"))
    #expect(Entitlements(of: moved.other, at: new.now, catalog: .dots).ids.isEmpty)
    #expect(moved.other.transactions.map(\.product) == ["coins"])
    let earlier = try Instant(parsing: "2020-01-01T00:00:00Z")
    #expect(throws: Refusal.self) { try new.ledger.transferring(from: old.ledger, now: earlier, othersNow: old.now) }
    #expect(throws: Refusal.self) { try old.ledger.transferring(from: old.ledger, now: old.now, othersNow: old.now) }
    var plan = try Shop(.sudoku, player: "old")
    try plan.buy("monthly")
    let other = try Shop(.sudoku, player: "new")
    let both = try other.ledger.transferring(from: plan.ledger, now: other.now, othersNow: plan.now)
    let later = try #require(other.now.adding(CalendarPeriod(count: 1, unit: .year)))
    #expect(Entitlements(of: both.ledger, at: later, catalog: .sudoku).ids == ["Pro"])
    #expect(Entitlements(of: both.other, at: later, catalog: .sudoku).ids.isEmpty)
  }

  @Test("after a grant is revoked, it does not expire too when its period ends") func revokedGrant() throws {
    var shop = try Shop(.dots)
    let week = CalendarPeriod(count: 7, unit: .day)
    let id = try #require(try shop.act(.grant(entitlement: "ad_free", period: week)).transaction)
    try shop.act(.transaction(.revoke, id))
    try shop.move(by: "P8D")
    #expect(shop.ledger.settled(at: shop.now).log.last?.event == .revoked)
    #expect(shop.ledger.nextDueAt == nil)
  }

  @Test("a grant with a period expires at its end, and one without a period does not") func grants() throws {
    var shop = try Shop(.dots)
    let week = CalendarPeriod(count: 1, unit: .week)
    let id = try #require(try shop.act(.grant(entitlement: "ad_free", period: week)).transaction)
    try shop.act(.grant(entitlement: "theme.space"))
    #expect(shop.entitlements.held.first { $0.id == "ad_free" }?.periodType == .promotional)
    #expect(shop.refusal(of: .transaction(.refund, id)) == .notRefundable)
    try shop.move(by: "P1W")
    #expect(shop.entitlements.ids == ["theme.space"])
    #expect(shop.ledger.settled(at: shop.now).log.last?.event == .grantExpired)
  }

  @Test("the last instant of an ad exemption is known, also after its transaction is refunded or deleted") func lastHeld() throws {
    let grants = ProductGrants(.dots)
    var shop = try Shop(.dots)
    #expect(shop.ledger.lastHeld(anyOf: ["ad_free"], grants, now: shop.now) == nil)
    let id = try shop.buy("removeads")
    let bought = shop.now
    try shop.move(by: "P1D")
    #expect(shop.ledger.lastHeld(anyOf: ["ad_free"], grants, now: shop.now) == shop.now)
    var deleted = shop
    try shop.act(.transaction(.refund, id))
    let refunded = shop.now
    try deleted.act(.delete(id))
    try shop.move(by: "P1Y")
    #expect(shop.ledger.lastHeld(anyOf: ["ad_free"], grants, now: shop.now) == refunded)
    #expect(deleted.ledger.lastHeld(anyOf: ["ad_free"], grants, now: shop.now) == refunded)
    #expect(shop.ledger.intervals(holdingAnyOf: ["ad_free"], grants) == [AccessInterval(from: bought, until: refunded)])
    try shop.act(.clear)
    #expect(shop.ledger.transactions.isEmpty)
    #expect(shop.ledger.lastHeld(anyOf: ["ad_free"], grants, now: shop.now) == refunded)
    #expect(try shop.buy("removeads").suffix(6) == "000002")
  }
}

@Suite("Refusals of simulated purchases")
struct StoreRefusalTests {
  @Test(
    "an invalid act is refused with its problem code and changes nothing",
    arguments: [
      (ShopAct.purchase(product: "monthly"), ProblemCode.unknownProduct), (.purchase(product: ""), .unknownProduct),
      (.purchase(product: "removeads"), .alreadyOwned), (.purchase(product: "premium", currency: "EURO"), .invalidCurrency),
      (.purchase(product: "premium", currency: "EUR"), .invalidCurrency), (.transaction(.finish, "1"), .unknownTransaction),
      (.transaction(.refund, "nobody"), .unknownTransaction), (.grant(entitlement: "Ad_free"), .unknownEntitlement),
      (.grant(entitlement: "never"), .unknownEntitlement),
      (.grant(entitlement: "ad_free", period: CalendarPeriod(count: 0, unit: .day)), .invalidPeriod),
      (.grant(entitlement: "ad_free", period: CalendarPeriod(count: 9999, unit: .year)), .outsideCalendar),
      (.behave(.failing(.loadProducts, .notAllowed)), .invalidBehaviour),
      (.behave(.failing(.purchase, .unknown, times: 0)), .invalidBehaviour),
    ])
  func codes(act: ShopAct, code: ProblemCode) throws {
    var shop = try Shop(.dots)
    try shop.buy("removeads")
    #expect(shop.refusal(of: act) == code)
  }

  @Test("a second refund or revocation is refused, and so is a subscription act on another kind of product") func twice() throws {
    var shop = try Shop(.dots)
    let id = try shop.buy("removeads")
    for act in [TransactionAct.expire, .renew, .cancel, .renewalOn, .billingRetry, .recover].map({ ShopAct.transaction($0, id) }) {
      #expect(shop.refusal(of: act) == .notASubscription)
    }
    try shop.act(.transaction(.refundDecline, id))
    try shop.act(.transaction(.refund, id))
    #expect(shop.refusal(of: .transaction(.refund, id)) == .alreadyRefunded)
    #expect(shop.refusal(of: .transaction(.revoke, id)) == .alreadyRefunded)
    #expect(shop.refusal(of: .transaction(.refundDecline, id)) == .alreadyRefunded)
    #expect(shop.notifications == ["ONE_TIME_CHARGE", "REFUND_DECLINED", "REFUND"])
  }

  @Test("a game may simulate purchases only if its catalog allows it", arguments: PurchaseSimulation.allCases)
  func simulation(setting: PurchaseSimulation) {
    func code(_ isAdmin: Bool) -> ProblemCode? {
      do {
        try setting.admitPurchase(isAdmin: isAdmin)
        return nil
      } catch { return error.code }
    }
    #expect(code(false) == [.games: nil, .admin: .purchasesAdminsOnly, .off: .purchasesNotSimulated][setting])
    #expect(code(true) == (setting == .off ? .purchasesNotSimulated : nil))
  }

  @Test(
    "a price that is not a decimal number, or a currency code of other than three capitals, is refused",
    arguments: ["1,99", "", ".99", "1.", "-1", "1.2.3", "１"])
  func price(amount: String) {
    #expect(throws: Refusal.self) { try ShopPrice(checking: "USD", amount: amount) }
    #expect(throws: Refusal.self) { try ShopPrice(checking: "EURO", amount: "1.99") }
    #expect(throws: Refusal.self) { try ShopPrice(checking: "usd", amount: "1.99") }
  }
}

extension ShopBehaviour {
  static func failing(_ call: SimulatedCall, _ error: SimulatedError, times: Int? = nil) -> ShopBehaviour {
    var behaviour = ShopBehaviour()
    behaviour.failures[call] = Failure(error, times: times)
    return behaviour
  }
}
