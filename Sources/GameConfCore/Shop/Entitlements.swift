// Computes a player's entitlements by the rules of Apple's StoreKit, with the data that RevenueCat's customer info has.

/// An entitlement that a player has, with the transaction that grants it for the longest time.
public struct ActiveEntitlement: Sendable, Hashable {
  /// The kind of a subscription's period or of a grant, in RevenueCat's terms. `promotional` is a grant by an admin.
  public enum PeriodType: String, Sendable, Hashable, CaseIterable { case normal, trial, intro, promotional }

  /// The name of the entitlement in the catalog.
  public var id: String
  /// The id of the product that grants the entitlement; nil for a grant by an admin.
  public var product: String?
  /// The id of the transaction that grants the entitlement. If several do, it is the one that lasts longest.
  public var transaction: String
  /// The instant of the purchase, renewal or grant whose id is ``transaction``.
  public var purchasedAt: Instant
  /// The instant since which the player has had the entitlement without interruption.
  public var heldSince: Instant
  /// The instant at which the entitlement will end, grace period included; nil if it never ends.
  public var expiresAt: Instant?
  /// True if a renewal of the subscription would extend the entitlement.
  public var willRenew: Bool
  /// The kind of the period or grant from which the player has the entitlement.
  public var periodType: PeriodType
  /// True if the paid time is over and the entitlement lasts only for the grace period, while the failed payment is retried.
  public var isInGracePeriod: Bool
  /// The instant at which automatic renewal of the subscription was turned off; nil if it was not turned off or there is no subscription.
  public var renewalOffAt: Instant?
  /// The instant of the subscription's failed payment, which is retried for a time; nil if the last payment succeeded.
  public var billingFailedAt: Instant?
}

/// A product of the catalog with its ownership by the player.
public struct ProductOwnership: Sendable, Hashable {
  /// The id of the product in the catalog.
  public var product: String
  /// True if the player owns the product at present, by its own purchase or by that of a product with `includes: all`.
  public var isPurchased: Bool
}

/// The entitlements, products and subscriptions of a player at an instant.
///
/// Active subscriptions and subscriptions in their grace period grant entitlements. Subscriptions in billing retry do not, nor do expired,
/// revoked, refunded or unverified purchases. Consumables never grant entitlements. Purchases that do not renew last forever. The result
/// depends only on the catalog, the ledger and the instant.
public struct Entitlements: Sendable, Hashable {
  /// The instant for which the entitlements were computed.
  public let at: Instant
  /// The entitlements that the player has at the instant, in the order of the catalog.
  public let held: [ActiveEntitlement]
  /// The player's ownership of each product, in the order of the catalog.
  public let purchased: [ProductOwnership]
  /// True if no placement may show an ad to the player.
  ///
  /// If the game has placements, this means that an entitlement exempts the player from each of them. Otherwise it means that the player
  /// has the entitlement `ad_free`.
  public let isAdFree: Bool
  /// The player's subscriptions, ended ones included, at most one for each subscription group.
  public let subscriptions: [SubscriptionLine]
  /// The state of the premium product; nil if the catalog declares no premium product.
  public let premium: PremiumState?
  /// The next instant at which a renewal, an expiry or the end of a grant may change the entitlements without an action; nil if there is no
  /// such instant.
  public let nextChangeAt: Instant?

  /// The names of the player's entitlements.
  public var ids: Set<String> { Set(held.map(\.id)) }

  /// Computes the entitlements from a ledger at an instant.
  ///
  /// For an instant before the ledger's last write, these are the entitlements of that time as they are known now. For example, a
  /// transaction that was deleted since then grants nothing.
  public init(of ledger: Ledger, at instant: Instant, catalog: Catalog, grants: ProductGrants? = nil) {
    let grants = grants ?? ProductGrants(catalog)
    let ledger = ledger.settled(at: instant)
    let live = ledger.transactions.filter { $0.held?.contains(instant) ?? false }
    var best: [String: ShopTransaction] = [:]
    for transaction in live {
      for entitlement in grants.entitlements(of: transaction) {
        if let other = best[entitlement], !transaction.lasts(longerThan: other) { continue }
        best[entitlement] = transaction
      }
    }
    var order = grants.all
    order += best.keys.filter { !grants.all.contains($0) }.sorted()
    let held = order.compactMap { id in best[id].map { ActiveEntitlement(id, by: $0, ledger, grants, at: instant) } }
    let products = Set(live.filter { $0.kind != .consumable }.compactMap(\.product))
    let includes = products.intersection(grants.includingAll)
    self.at = instant
    self.held = held
    purchased = catalog.products.map { product in
      let isIncluded = includes.contains { $0 != product.id }
      return ProductOwnership(product: product.id, isPurchased: isIncluded || products.contains(product.id))
    }
    let ids = Set(held.map(\.id))
    isAdFree =
      catalog.placements.isEmpty ? ids.contains("ad_free") : catalog.placements.allSatisfy { !ids.isDisjoint(with: $0.exempt) }
    subscriptions = ledger.subscriptions
    premium = PremiumState(of: ledger, at: instant, catalog: catalog, grants: grants)
    nextChangeAt = ledger.nextDueAt
  }
}

extension ShopTransaction {
  func lasts(longerThan other: ShopTransaction) -> Bool {
    guard let others = other.held?.until else { return false }
    guard let mine = held?.until else { return true }
    return mine > others
  }
}

extension ActiveEntitlement {
  init(_ id: String, by transaction: ShopTransaction, _ ledger: Ledger, _ grants: ProductGrants, at instant: Instant) {
    let line = ledger.subscriptions.first { $0.transaction == transaction.id }
    self.id = id
    product = transaction.product
    self.transaction = transaction.id
    purchasedAt = transaction.purchasedAt
    heldSince = ledger.intervals(holdingAnyOf: [id], grants).first { $0.contains(instant) }?.from ?? transaction.purchasedAt
    expiresAt = transaction.held?.until
    willRenew = line.map { $0.renews && $0.isRunning } ?? false
    isInGracePeriod = transaction.expiresAt.map { $0 <= instant } ?? false
    renewalOffAt = line?.renewalOffAt
    billingFailedAt = line?.billingFailedAt
    periodType =
      switch (transaction.subject, transaction.offer) {
      case (.grant, _): .promotional
      case (_, .freeTrial?): .trial
      case (_, .payAsYouGo?), (_, .payUpFront?): .intro
      case (_, nil): .normal
      }
  }
}
