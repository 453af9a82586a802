// A player's purchases, arranged by product and by entitlement as RevenueCat's client libraries expect.

internal import GameConfCore
internal import GameConfEngine
internal import GameConfStorage

struct Subscriber {
  /// A transaction with the product id under which RevenueCat lists it.
  struct SubscriberPurchase {
    let transaction: ShopTransaction
    /// The product's id at the store. For a grant, an id composed of the entitlement and `lifetime` or `custom`.
    let product: String
    /// True if RevenueCat lists the transaction under `subscriptions`.
    let isSubscription: Bool
    /// The subscription, if this transaction is its present or last period.
    let line: SubscriptionLine?

    /// True if the access that this purchase gives ends after the other purchase's access, or at the same time.
    func outlasts(_ other: SubscriberPurchase) -> Bool {
      guard let others = other.transaction.accessEnd else { return false }
      return transaction.accessEnd.map { $0 >= others } ?? true
    }
  }

  let view: PlayerView
  let time: DeviceTimeConverter
  /// The subscriptions and grants by product id. Of several purchases with one product id, the one whose access ends last.
  private(set) var subscriptions: [(product: String, purchase: SubscriberPurchase)] = []
  /// The purchases that do not renew, by product id, oldest first.
  private(set) var others: [(product: String, purchases: [SubscriberPurchase])] = []
  /// The entitlements that the player has or once had, each with the purchase whose access ends last.
  private(set) var entitlements: [(id: String, purchase: SubscriberPurchase)] = []

  init(_ view: PlayerView, host: Instant) {
    self.view = view
    time = DeviceTimeConverter(host: host, game: view.game.clock, player: view.stored.clock)
    let grants = ProductGrants(view.game.catalog)
    let names = Dictionary(view.game.catalog.products.map { ($0.id, view.game.catalog.storeID(of: $0)) }) { first, _ in first }
    var best: [String: SubscriberPurchase] = [:]
    for transaction in view.ledger.transactions {
      guard let purchase = Self.purchase(transaction, in: view.ledger, names) else { continue }
      if purchase.isSubscription { show(purchase) } else { append(purchase) }
      for entitlement in grants.entitlements(of: transaction) {
        if let other = best[entitlement], !purchase.outlasts(other) { continue }
        best[entitlement] = purchase
      }
    }
    let order = grants.all + best.keys.filter { !grants.all.contains($0) }.sorted()
    entitlements = order.compactMap { id in best[id].map { (id, $0) } }
  }

  /// Returns a transaction in the form in which RevenueCat lists it; nil if RevenueCat does not list it.
  ///
  /// Unfinished and unverified purchases are not listed. A revoked one-time purchase is not listed either: it has no end, so a client would
  /// take it for a permanent one.
  private static func purchase(_ transaction: ShopTransaction, in ledger: Ledger, _ names: [String: String]) -> SubscriberPurchase? {
    guard transaction.state == .purchased, transaction.unverified == nil else { return nil }
    switch transaction.subject {
    case .grant(let entitlement):
      let length = transaction.expiresAt == nil ? "lifetime" : "custom"
      return SubscriberPurchase(transaction: transaction, product: "rc_promo_\(entitlement)_\(length)", isSubscription: true, line: nil)
    case .product(let id):
      let isSubscription = transaction.kind == .autoRenewable
      if !isSubscription, transaction.revokedAt != nil { return nil }
      let line = isSubscription ? ledger.subscriptions.first { $0.transaction == transaction.id } : nil
      return SubscriberPurchase(transaction: transaction, product: names[id] ?? id, isSubscription: isSubscription, line: line)
    }
  }

  private mutating func show(_ purchase: SubscriberPurchase) {
    guard let at = subscriptions.firstIndex(where: { $0.product == purchase.product }) else {
      return subscriptions.append((purchase.product, purchase))
    }
    if purchase.outlasts(subscriptions[at].purchase) { subscriptions[at].purchase = purchase }
  }

  private mutating func append(_ purchase: SubscriberPurchase) {
    if let at = others.firstIndex(where: { $0.product == purchase.product }) {
      others[at].purchases.append(purchase)
    } else {
      others.append((purchase.product, [purchase]))
    }
  }

  /// The instant at which the player's transactions are evaluated: the player's time, or the ledger's last write if the host's clock was
  /// set back after it.
  private var readAt: Instant { max(time.now, view.ledger.settledUntil) }

  /// True if the purchase gives access at present.
  func isActive(_ purchase: SubscriberPurchase) -> Bool { purchase.transaction.accessEnd.map { readAt < $0 } ?? true }

  /// Returns the end of the purchase's access in the device's time; nil if access does not end.
  func end(of purchase: SubscriberPurchase) -> Instant? {
    purchase.transaction.accessEnd.map { isActive(purchase) ? time.running(until: $0) : time.ended(at: $0) }
  }

  /// Returns the end of the purchase's grace period in the device's time; nil outside of a grace period.
  func graceEnd(of purchase: SubscriberPurchase) -> Instant? {
    guard let grace = purchase.transaction.graceUntil, grace > readAt, isActive(purchase) else { return nil }
    return time.running(until: grace)
  }

  /// Returns the instant at which renewal was switched off, or else the end of access; nil while the subscription renews, and for a grant.
  func unsubscribedAt(_ purchase: SubscriberPurchase) -> Instant? {
    guard purchase.transaction.product != nil else { return nil }
    if let line = purchase.line, line.renews, line.isRunning { return nil }
    if let off = purchase.line?.renewalOffAt { return time.past(off) }
    return purchase.transaction.accessEnd.map { time.past($0) } ?? time.request
  }

  /// Returns the instant of the last failed renewal, also after the retries have ended; nil if the last renewal did not fail.
  func billingFailedAt(_ purchase: SubscriberPurchase) -> Instant? { purchase.line?.billingFailedAt.map { time.past($0) } }

  /// Returns the instant of the subscription's first purchase.
  func originalPurchase(of purchase: SubscriberPurchase) -> Instant {
    let id = purchase.transaction.originalID
    return time.past(view.ledger.transaction(id)?.purchasedAt ?? purchase.transaction.purchasedAt)
  }

  /// The instant when the player was created; if that is unknown, the instant of the first purchase.
  var firstSeen: Instant {
    (view.stored.state?.createdAt ?? view.ledger.transactions.first?.purchasedAt).map { time.past($0) } ?? time.request
  }

  /// The instant of the player's last visit, change or store event.
  var lastSeen: Instant {
    let state = view.stored.state
    let last = [state?.visits.activeAt, state?.changedAt, view.ledger.log.last?.at].compactMap { $0 }.max()
    return max(firstSeen, last.map { time.past($0) } ?? time.request)
  }
}
