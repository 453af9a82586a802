// A player as RevenueCat's clients read one: the purchases that count, by product and by entitlement.

internal import GameConfCore
internal import GameConfEngine
internal import GameConfStorage

/// A player's purchases, ordered as the client libraries read them.
struct Subscriber {
  /// A purchase with the name under which it is listed.
  struct Purchase {
    let transaction: ShopTransaction
    /// The product's id at the store; a grant's own name.
    let product: String
    /// True if it is listed among the subscriptions.
    let isSubscription: Bool
    /// The subscription whose present or last period it is.
    let line: SubscriptionLine?

    /// True if it ends after the other; of two that end together, the later one.
    func outlasts(_ other: Purchase) -> Bool {
      guard let others = other.transaction.accessEnd else { return false }
      return transaction.accessEnd.map { $0 >= others } ?? true
    }
  }

  let view: PlayerView
  let time: DeviceTime
  /// The subscriptions and grants by their names, each the one that ends last.
  private(set) var subscriptions: [(product: String, purchase: Purchase)] = []
  /// The purchases that do not renew, by product, the oldest first.
  private(set) var others: [(product: String, purchases: [Purchase])] = []
  /// The entitlements, held or held once, each with the purchase that ends last.
  private(set) var entitlements: [(id: String, purchase: Purchase)] = []

  init(_ view: PlayerView, host: Instant) {
    self.view = view
    time = DeviceTime(host: host, game: view.game.clock, player: view.stored.clock)
    let grants = ProductGrants(view.game.catalog)
    let names = Dictionary(view.game.catalog.products.map { ($0.id, view.game.catalog.storeID(of: $0)) }) { first, _ in first }
    var best: [String: Purchase] = [:]
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

  /// A transaction as it is listed; nil if it is not: what was never bought or does not verify, and what was taken back and had no end, which a
  /// client would take for something that lasts.
  private static func purchase(_ transaction: ShopTransaction, in ledger: Ledger, _ names: [String: String]) -> Purchase? {
    guard transaction.state == .purchased, transaction.unverified == nil else { return nil }
    switch transaction.subject {
    case .grant(let entitlement):
      let length = transaction.expiresAt == nil ? "lifetime" : "custom"
      return Purchase(transaction: transaction, product: "rc_promo_\(entitlement)_\(length)", isSubscription: true, line: nil)
    case .product(let id):
      let isSubscription = transaction.kind == .autoRenewable
      if !isSubscription, transaction.revokedAt != nil { return nil }
      let line = isSubscription ? ledger.subscriptions.first { $0.transaction == transaction.id } : nil
      return Purchase(transaction: transaction, product: names[id] ?? id, isSubscription: isSubscription, line: line)
    }
  }

  private mutating func show(_ purchase: Purchase) {
    guard let at = subscriptions.firstIndex(where: { $0.product == purchase.product }) else {
      return subscriptions.append((purchase.product, purchase))
    }
    if purchase.outlasts(subscriptions[at].purchase) { subscriptions[at].purchase = purchase }
  }

  private mutating func append(_ purchase: Purchase) {
    if let at = others.firstIndex(where: { $0.product == purchase.product }) {
      others[at].purchases.append(purchase)
    } else {
      others.append((purchase.product, [purchase]))
    }
  }

  /// The instant by which the ledger is read: now, or its last write where the host's clock stepped back since.
  private var readAt: Instant { max(time.now, view.ledger.settledUntil) }

  /// True if it gives what it is for.
  func isActive(_ purchase: Purchase) -> Bool { purchase.transaction.accessEnd.map { readAt < $0 } ?? true }

  /// The end as a client is told it; nil for never.
  func end(of purchase: Purchase) -> Instant? {
    purchase.transaction.accessEnd.map { isActive(purchase) ? time.running(until: $0) : time.ended(at: $0) }
  }

  /// The end of the grace period; nil outside of one.
  func graceEnd(of purchase: Purchase) -> Instant? {
    guard let grace = purchase.transaction.graceUntil, grace > readAt, isActive(purchase) else { return nil }
    return time.running(until: grace)
  }

  /// The instant since when it does not renew; nil while it does.
  func unsubscribedAt(_ purchase: Purchase) -> Instant? {
    guard purchase.transaction.product != nil else { return nil }
    if let line = purchase.line, line.renews, line.isRunning { return nil }
    if let off = purchase.line?.renewalOffAt { return time.past(off) }
    return purchase.transaction.accessEnd.map { time.past($0) } ?? time.request
  }

  /// The instant of the renewal that failed and is retried, or was retried in vain.
  func billingFailedAt(_ purchase: Purchase) -> Instant? { purchase.line?.billingFailedAt.map { time.past($0) } }

  /// The first purchase of the same subscription.
  func originalPurchase(of purchase: Purchase) -> Instant {
    let id = purchase.transaction.originalID
    return time.past(view.ledger.transaction(id)?.purchasedAt ?? purchase.transaction.purchasedAt)
  }

  /// The instant when the player was made, else of the first purchase.
  var firstSeen: Instant {
    (view.stored.state?.createdAt ?? view.ledger.transactions.first?.purchasedAt).map { time.past($0) } ?? time.request
  }

  /// The instant of the player's last activity.
  var lastSeen: Instant {
    let state = view.stored.state
    let last = [state?.visits.activeAt, state?.changedAt, view.ledger.log.last?.at].compactMap { $0 }.max()
    return max(firstSeen, last.map { time.past($0) } ?? time.request)
  }
}
