// The entitlements of a player at an instant, by StoreKit's rules, in RevenueCat's words.

/// One entitlement that is held.
public struct ActiveEntitlement: Sendable, Hashable {
  /// The kind of period it is held for.
  public enum PeriodType: String, Sendable, Hashable, CaseIterable { case normal, trial, intro, promotional }

  /// The entitlement.
  public var id: String
  /// The product that gives it; nil for a grant by an admin.
  public var product: String?
  /// The transaction that gives it: of several the one that lasts longest.
  public var transaction: String
  /// The instant when that transaction was made.
  public var purchasedAt: Instant
  /// The instant since when it is held without a gap.
  public var heldSince: Instant
  /// The instant when it ends as things stand, grace included; nil for never.
  public var expiresAt: Instant?
  /// True if a renewal would prolong it.
  public var willRenew: Bool
  /// The kind of period it is held for.
  public var periodType: PeriodType
  /// True if it is held in grace only, while billing is retried.
  public var isInGracePeriod: Bool
  /// The instant when renewal was switched off.
  public var renewalOffAt: Instant?
  /// The instant when the renewal failed that is being retried.
  public var billingFailedAt: Instant?
}

/// The ownership of a product.
public struct ProductOwnership: Sendable, Hashable {
  /// The product.
  public var product: String
  /// True if it is held now itself, or included by one that is.
  public var isPurchased: Bool
}

/// Everything a player is entitled to at an instant.
///
/// Subscribed and in grace grant; billing retry, expired, revoked, refunded and unverified do not; consumables never do; what does not
/// renew stays. It follows from the catalog, the ledger and the instant alone.
public struct Entitlements: Sendable, Hashable {
  /// The instant.
  public let at: Instant
  /// The held entitlements, in the order of the catalog.
  public let held: [ActiveEntitlement]
  /// For every product of the catalog, in its order, whether it counts as purchased: held now itself, or included by one that is.
  public let purchased: [ProductOwnership]
  /// True if no placement may show an ad to the player.
  ///
  /// With placements: each of them exempts the player by something held. Without: the player holds `ad_free`.
  public let isAdFree: Bool
  /// The subscriptions as they stand, one a group.
  public let subscriptions: [SubscriptionLine]
  /// The state of the premium product; nil if the catalog names none.
  public let premium: PremiumState?
  /// The instant when any of this changes next if nobody does anything; nil when it will not.
  public let nextChangeAt: Instant?

  /// The ids of what is held.
  public var ids: Set<String> { Set(held.map(\.id)) }

  /// The entitlements of the ledger at an instant.
  ///
  /// An instant before the ledger's last write looks back: what was held then, by what is known now.
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
