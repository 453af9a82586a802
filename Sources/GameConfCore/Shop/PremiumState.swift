// The state of the catalog's premium product, which is on while one purchase or grant gives all its entitlements.

/// The state of the premium product for one player at an instant.
///
/// It is on if a single purchase or grant gives all entitlements of the product. Several that give them only together are not enough. A
/// product without entitlements is on while it is purchased.
public struct PremiumState: Sendable, Hashable {
  /// The id of the premium product.
  public let product: String
  /// The valid transactions that each give all of its entitlements, oldest first.
  public let givers: [ShopTransaction]
  /// The one of them that lasts longest; nil if premium is off.
  public let by: ShopTransaction?

  /// True if ``givers`` is not empty.
  public var isOn: Bool { by != nil }

  /// Computes the state from a ledger that is settled at the instant. Returns nil if the catalog declares no premium product.
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
