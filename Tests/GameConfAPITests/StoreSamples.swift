// One full and one bare instance of every request and answer of the simulated store.

import GameConfAPI
import GameConfCore

enum StoreSamples {
  static let transaction: WireTransaction = {
    var record = WireTransaction(
      id: "123456789012000002", originalID: "123456789012000001", reason: "renewal", state: "purchased", isActive: true,
      purchasedAt: Instant(seconds: 100))
    record.product = "monthly"
    record.type = "auto_renewable"
    record.group = "pro"
    record.expiresAt = Instant(seconds: 200)
    record.graceUntil = Instant(seconds: 300)
    record.upgradedAt = Instant(seconds: 150)
    record.revokedAt = Instant(seconds: 160)
    record.revocation = "refunded"
    record.finishedAt = Instant(seconds: 110)
    record.offer = "free_trial"
    record.price = ShopPrice(currency: "USD", amount: "2.99")
    record.unverified = "invalid_signature"
    record.verifiedAt = Instant(seconds: 120)
    record.transferredFrom = "other"
    return record
  }()

  static let grant: WireTransaction = {
    var record = WireTransaction(
      id: "1", originalID: "1", reason: "grant", state: "purchased", isActive: false, purchasedAt: Instant(seconds: 1))
    record.entitlement = "Pro"
    return record
  }()

  static let entitlement: WireEntitlement = {
    var record = WireEntitlement(id: "Pro", isActive: true, expiresAt: Instant(seconds: 200))
    record.willRenew = true
    record.periodType = "trial"
    record.isInGracePeriod = true
    record.product = "monthly"
    record.transaction = "1"
    record.purchasedAt = Instant(seconds: 100)
    record.heldSince = Instant(seconds: 50)
    record.unsubscribeDetectedAt = Instant(seconds: 120)
    record.billingIssuesDetectedAt = Instant(seconds: 130)
    return record
  }()

  static let subscription: WireSubscription = {
    var record = WireSubscription(
      group: "pro", state: "in_grace_period", product: "monthly", transaction: "2", originalTransaction: "1", period: "P1M",
      willRenew: true,
      renewals: 3)
    record.expiresAt = Instant(seconds: 200)
    record.renewsAt = Instant(seconds: 200)
    record.nextProduct = "yearly"
    record.price = ShopPrice(currency: "USD", amount: "2.99")
    record.nextPrice = ShopPrice(currency: "USD", amount: "3.99")
    record.needsConsent = true
    record.offer = "pay_up_front"
    record.renewalOffAt = Instant(seconds: 150)
    record.billingFailedAt = Instant(seconds: 160)
    record.graceUntil = Instant(seconds: 250)
    record.retryUntil = Instant(seconds: 300)
    return record
  }()

  static let premium: WirePremium = {
    var record = WirePremium(product: "yearly", isOn: true)
    (record.by, record.transaction, record.until) = ("monthly", "1", Instant(seconds: 200))
    return record
  }()

  static let entitled: EntitlementsAnswer = {
    var answer = EntitlementsAnswer(
      game: "g", player: "p", at: Instant(seconds: 5), isAdFree: true, entitlements: [entitlement], purchased: members(["monthly": true]),
      subscriptions: [subscription], nextChangeAt: Instant(seconds: 200))
    answer.premium = premium
    return answer
  }()

  static let line = ShopLogLine(
    number: 7, at: Instant(seconds: 100), event: "renewed", notificationType: "DID_RENEW", subtype: "BILLING_RECOVERY", transaction: "1",
    subject: "monthly", detail: "d")
  static let behaviour = WireBehaviour(
    fail: ["purchase": SimulatedFailure(error: "not_allowed", times: 2), "restore": SimulatedFailure(error: "unknown")], asksToBuy: true,
    interruptsPurchases: true, failsBilling: true, grace: "never")
  static let product = WireProduct(
    id: "monthly", storeID: "com.a.monthly", type: "auto_renewable", name: ["en": "Monthly"], price: members(["USD": "2.99"]),
    grants: ["Pro"], includesAll: true, isFamilyShareable: true,
    renewal: .init(
      group: "pro", level: 2, period: "P1M",
      intro: ProductIntro(mode: "pay_up_front", period: "P1W", periods: 2, price: members(["USD": "0.99"])), gracePeriod: "P16D"))
  static let verdict = GateVerdict(gate: "premium_puzzles", isLocked: true, reason: "LOCKED", unlocksWith: ["monthly", "yearly"])

  static let all: [any WireShape] = [
    ProductList(game: "g", products: [product]), ProductList(game: "g", products: [], error: "network_error"),
    WireProduct(id: "coins", storeID: "coins", type: "consumable", name: "Coins", price: ObjectValue(), grants: []),
    OfferingList(
      game: "g", current: "default",
      offerings: [WireOffering(id: "default", packages: [OfferingPackage(id: "$rc_monthly", product: "m")])]),
    OfferingList(game: "g", offerings: []), transaction, grant,
    TransactionList(game: "g", player: "p", at: Instant(seconds: 5), transactions: [transaction, grant]),
    ShopActAnswer(
      game: "g", player: "p", playerRevision: 3, at: Instant(seconds: 5), status: "success", error: "invalid_signature",
      transaction: transaction, delivered: [grant], isDryRun: true),
    ShopActAnswer(game: "g", player: "p", playerRevision: 3, at: Instant(seconds: 5), status: "failed", error: "not_allowed"),
    entitlement, WireEntitlement(id: "Pro", isActive: false), subscription,
    WireSubscription(
      group: "pro", state: "expired", product: "monthly", transaction: "2", originalTransaction: "1", period: "P1M", willRenew: false),
    entitled, premium, WirePremium(product: "yearly", isOn: false),
    EntitlementsAnswer(game: "g", player: "p", at: Instant(seconds: 5), isAdFree: false, entitlements: [], purchased: ObjectValue()),
    line, ShopLogLine(number: 1, at: Instant(seconds: 1), event: "cleared"),
    ShopLogAnswer(game: "g", player: "p", entries: [line], nextBefore: 7), ShopLogAnswer(game: "g", player: "p", entries: []),
    PutBehaviour(behaviour: behaviour, reason: "why"), PutBehaviour(behaviour: WireBehaviour()),
    BehaviourAnswer(game: "g", player: "p", playerRevision: 3, behaviour: behaviour, isDryRun: true),
    ClockAnswer(game: "g", now: Instant(seconds: 5), host: Instant(seconds: 4), rate: 0.5, isFrozen: true, isDryRun: true),
    PlayerClockAnswer(
      game: "g", player: "p", playerRevision: 3, now: Instant(seconds: 5), gameNow: Instant(seconds: 4), offsetMilliseconds: 1000,
      due: [line], isDryRun: true),
    PutClock(.set(Instant(seconds: 5)), rate: 0.0, reason: "why"), PutClock(.advance("P1M")), PutClock(rate: 60.0),
    PutPlayerClock(.to(.set(Instant(seconds: 5))), reason: "why"), PutPlayerClock(.to(.advance("36h"))),
    PutPlayerClock(.offset(milliseconds: 5)), PurchaseRequest(product: "m", currency: "EUR", reason: "why"), PurchaseRequest(product: "m"),
    RestoreRequest(fromPlayer: "other", reason: "why"), RestoreRequest(), GrantRequest(entitlement: "Pro", period: "P1M", reason: "why"),
    GrantRequest(entitlement: "Pro"), BillingRetryRequest(grace: "always", reason: "why"), BillingRetryRequest(),
    PriceChangeRequest(amount: "3.99", currency: "USD", needsConsent: true, reason: "why"),
    PriceChangeRequest(amount: "3.99", currency: "USD"), PremiumRequest(isOn: true, reason: "why"), PremiumRequest(isOn: false),
    GateCheck(args: members(["number": 4]), context: members(["platform": "ios"])), GateCheck(), verdict,
  ]
}

extension Samples {
  /// The samples of every request and answer in the contract.
  static let every: [any WireShape] = all + StoreSamples.all + PlaySamples.all + ScenarioSamples.all
}
