// Computes a player's entitlements by the rules of StoreKit, with the members of RevenueCat's customer info.

/// An entitlement that a player has, with the transaction that grants it for the longest time.
public struct ActiveEntitlement: Sendable, Hashable {
  /// The kind of period that grants it.
  public enum PeriodType: String, Sendable, Hashable, CaseIterable { case normal, trial, intro, promotional }

  /// The id of the entitlement.
  public var id: String
  /// The id of the product that grants it; nil for a grant by an admin.
  public var product: String?
  /// The id of the transaction that grants it. If there are several, it is the one that lasts longest.
  public var transaction: String
  /// The instant of the purchase, renewal or grant whose id is ``transaction``.
  public var purchasedAt: Instant
  /// The instant since which the player has had it without interruption.
  public var heldSince: Instant
  /// The instant at which it will end, grace period included; nil if it never ends.
  public var expiresAt: Instant?
  /// True if a renewal would extend it.
  public var willRenew: Bool
  /// The kind of period that grants it.
  public var periodType: PeriodType
  /// True if it is granted only by the grace period, while a failed payment is retried.
  public var isInGracePeriod: Bool
  /// The instant at which automatic renewal was turned off.
  public var renewalOffAt: Instant?
  /// The instant of the failed payment that is being retried.
  public var billingFailedAt: Instant?
}

/// A product, and whether the player owns it.
public struct ProductOwnership: Sendable, Hashable {
  /// The id of the product.
  public var product: String
  /// True if the player owns it at present, either itself or through a product that includes it.
  public var isPurchased: Bool
}

/// Everything that a player is entitled to at an instant.
///
/// Active subscriptions and those in their grace period grant entitlements. Subscriptions in billing retry, expired, revoked, refunded and
/// unverified purchases do not, and consumables never do. Purchases that do not renew last forever. The result depends only on the catalog,
/// the ledger and the instant.
public struct Entitlements: Sendable, Hashable {
  /// The instant that this state is for.
  public let at: Instant
  /// The player's entitlements, in the order of the catalog.
  public let held: [ActiveEntitlement]
  /// The ownership of every product, in the order of the catalog.
  public let purchased: [ProductOwnership]
  /// True if no placement may show an ad to the player.
  ///
  /// If the game has placements, each of them exempts the player because of an entitlement. Otherwise the player has the entitlement
  /// `ad_free`.
  public let isAdFree: Bool
  /// The state of the subscriptions, one for each group.
  public let subscriptions: [SubscriptionLine]
  /// The state of the premium product; nil if the catalog declares none.
  public let premium: PremiumState?
  /// The next instant at which any of this changes without a purchase or other action; nil if there is none.
  public let nextChangeAt: Instant?

  /// The ids of the player's entitlements.
  public var ids: Set<String> { Set(held.map(\.id)) }

  /// Computes the entitlements of a ledger at an instant.
  ///
  /// For an instant before the ledger's last write, these are the entitlements at that time by present knowledge, for example without
  /// purchases that were revoked later.
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
