// The state of the product that a catalog names as premium: on while one purchase or grant gives all of it.

/// The premium product for one player at an instant.
///
/// It is on if one purchase or grant gives everything that the product gives, with what it includes. Several that give it together are not enough. A
/// product that gives nothing is on while it is bought.
public struct PremiumState: Sendable, Hashable {
  /// The premium product.
  public let product: String
  /// The transactions that give all of it, oldest first.
  public let givers: [ShopTransaction]
  /// The one of them that lasts longest; nil if premium is off.
  public let by: ShopTransaction?

  /// True if premium is on.
  public var isOn: Bool { by != nil }

  /// The state by a ledger that is settled at the instant; nil if the catalog names no premium product.
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
