// The state of the catalog's premium product for a player. It is on while one purchase or grant gives all its entitlements.

/// The state of the premium product for one player at an instant.
///
/// Premium is on if a single purchase or grant gives all entitlements of the product. Several transactions that give all of them only
/// together are not enough. A product without entitlements is on while it is purchased.
public struct PremiumState: Sendable, Hashable {
  /// The id of the premium product in the catalog.
  public let product: String
  /// The valid transactions of the player that suffice for premium: each alone gives all entitlements of the premium product. Oldest first.
  public let givers: [ShopTransaction]
  /// The transaction of ``givers`` that lasts longest; nil if premium is off.
  public let by: ShopTransaction?

  /// True if at least one valid transaction gives all entitlements of the premium product.
  public var isOn: Bool { by != nil }

  /// Computes the state of the premium product at an instant, up to which the ledger must be settled. Returns nil if the catalog declares
  /// no premium product.
  public init?(of ledger: Ledger, at instant: Instant, catalog: Catalog, grants: ProductGrants? = nil) {
    guard let product = catalog.premium else { return nil }
    let grants = grants ?? ProductGrants(catalog)
    let all = Set(grants.entitlements(ofProduct: product))
    self.product = product
    givers = ledger.transactions.filter { transaction in
      guard transaction.held?.contains(instant) ?? false else { return false }
      return all.isEmpty ? transaction.product == product : all.isSubset(of: grants.entitlements(of: transaction))
    }
    by = givers.dropFirst().reduce(givers.first) { best, next in
      guard let best, !next.lasts(longerThan: best) else { return next }
      return best
    }
  }
}
