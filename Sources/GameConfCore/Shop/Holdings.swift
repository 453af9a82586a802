// The entitlements that products grant, and the intervals in which a player had them.

/// The entitlements that each product of a catalog grants. A product with `includes: all` grants the entitlements of all products.
public struct ProductGrants: Sendable, Hashable {
  private let byProduct: [String: [String]]
  /// The names of all entitlements that products grant, in the order of the catalog.
  public let all: [String]
  /// The ids of the products with `includes: all`. Their owner also owns every other product.
  public let includingAll: Set<String>

  /// Computes the grants of a catalog's products. Consumables grant nothing, even if the catalog declares grants.
  public init(_ catalog: Catalog) {
    var seen: Set<String> = []
    let lasting = catalog.products.filter { $0.kind != .consumable }
    let all = lasting.flatMap(\.grants).filter { seen.insert($0).inserted }
    self.all = all
    includingAll = Set(lasting.filter(\.includesAll).map(\.id))
    byProduct = Dictionary(lasting.map { ($0.id, $0.includesAll ? all : $0.grants) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the entitlements that a product grants; empty if the catalog does not declare the product.
  public func entitlements(ofProduct id: String) -> [String] { byProduct[id] ?? [] }

  /// Returns the entitlements that a purchase or a grant gives while it is valid.
  public func entitlements(of transaction: ShopTransaction) -> [String] {
    switch transaction.subject {
    case .product(let id): transaction.kind == .consumable ? [] : entitlements(ofProduct: id)
    case .grant(let entitlement): [entitlement]
    }
  }
}

extension Theme {
  /// Returns the ids of the products that unlock the theme, in the order of the catalog; empty if no product does.
  public func unlockers(in catalog: Catalog) -> [String] {
    guard case .entitlement(let name) = unlock else { return [] }
    let grants = ProductGrants(catalog)
    return catalog.products.map(\.id).filter { grants.entitlements(ofProduct: $0).contains(name) }
  }
}

extension Ledger {
  /// Returns the names of the player's entitlements at an instant. All renewals and expiries up to it must already be in the ledger. The
  /// result equals ``Entitlements/ids``, but is cheaper to compute.
  public func held(at instant: Instant, _ grants: ProductGrants) -> Set<String> {
    var ids: Set<String> = []
    for transaction in transactions where transaction.held?.contains(instant) ?? false {
      ids.formUnion(grants.entitlements(of: transaction))
    }
    return ids
  }

  /// Returns the intervals in which the player had one of these entitlements. They are disjoint and in chronological order, and the last
  /// may have no end.
  ///
  /// If renewals that are due were not added to the ledger yet, the intervals do not include them: see ``settled(at:)``.
  public func intervals(holdingAnyOf entitlements: Set<String>, _ grants: ProductGrants) -> [AccessInterval] {
    let held = transactions.compactMap { transaction in
      grants.entitlements(of: transaction).contains(where: entitlements.contains) ? transaction.held : nil
    }
    var merged: [AccessInterval] = []
    for interval in held.sorted(by: { $0.from < $1.from }) {
      guard let last = merged.last, last.until.map({ interval.from <= $0 }) ?? true else {
        merged.append(interval)
        continue
      }
      if let until = last.until { merged[merged.count - 1].until = interval.until.map { max($0, until) } }
    }
    return merged
  }

  /// Returns the last instant, at most `now`, at which the player had one of these entitlements. It is `now` itself while the player has
  /// one, and nil if the player never had one.
  ///
  /// Deleted transactions count too. The event counters of ads restart at this instant.
  public func lastHeld(anyOf entitlements: Set<String>, _ grants: ProductGrants, now: Instant) -> Instant? {
    var last = entitlements.compactMap { heldBefore[$0] }.filter { $0 <= now }.max()
    for interval in settled(at: now).intervals(holdingAnyOf: entitlements, grants) where interval.from <= now {
      let end = interval.until.map { min($0, now) } ?? now
      last = max(last ?? end, end)
    }
    return last
  }
}
