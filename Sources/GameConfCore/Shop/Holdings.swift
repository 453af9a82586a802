// The grants of each product, and the intervals in which something was held.

/// The grants of the products of a catalog, `includes: all` worked out.
public struct ProductGrants: Sendable, Hashable {
  private let byProduct: [String: [String]]
  /// Every entitlement that some product grants, in the order of the catalog.
  public let all: [String]
  /// The products that count as every other one too.
  public let includingAll: Set<String>

  /// The grants of the products; consumables grant nothing, whatever the catalog says of them.
  public init(_ catalog: Catalog) {
    var seen: Set<String> = []
    let lasting = catalog.products.filter { $0.kind != .consumable }
    let all = lasting.flatMap(\.grants).filter { seen.insert($0).inserted }
    self.all = all
    includingAll = Set(lasting.filter(\.includesAll).map(\.id))
    byProduct = Dictionary(lasting.map { ($0.id, $0.includesAll ? all : $0.grants) }, uniquingKeysWith: { first, _ in first })
  }

  /// The grants of a product; empty when the catalog no longer has it.
  public func entitlements(ofProduct id: String) -> [String] { byProduct[id] ?? [] }

  /// The grants of a transaction while it is held.
  public func entitlements(of transaction: ShopTransaction) -> [String] {
    switch transaction.subject {
    case .product(let id): transaction.kind == .consumable ? [] : entitlements(ofProduct: id)
    case .grant(let entitlement): [entitlement]
    }
  }
}

extension Theme {
  /// The products that would unlock it, in the catalog's order; none where nothing that is sold does.
  public func unlockers(in catalog: Catalog) -> [String] {
    guard case .entitlement(let name) = unlock else { return [] }
    let grants = ProductGrants(catalog)
    return catalog.products.map(\.id).filter { grants.entitlements(ofProduct: $0).contains(name) }
  }
}

extension Ledger {
  /// The ids of what is held at an instant, of a ledger that is settled there: ``Entitlements/ids`` without all that is reported about them.
  public func held(at instant: Instant, _ grants: ProductGrants) -> Set<String> {
    var ids: Set<String> = []
    for transaction in transactions where transaction.held?.contains(instant) ?? false {
      ids.formUnion(grants.entitlements(of: transaction))
    }
    return ids
  }

  /// The intervals in which one of these entitlements was held, up to what the ledger knows: disjoint, in order, the last perhaps without an end.
  ///
  /// Of a ledger that is not settled at an instant the future is what would be if nothing renewed.
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

  /// The last instant, up to now, at which one of these entitlements was held; now itself while one is, nil when none ever was.
  ///
  /// What was deleted counts too. Ads are counted from here.
  public func lastHeld(anyOf entitlements: Set<String>, _ grants: ProductGrants, now: Instant) -> Instant? {
    var last = entitlements.compactMap { heldBefore[$0] }.filter { $0 <= now }.max()
    for interval in settled(at: now).intervals(holdingAnyOf: entitlements, grants) where interval.from <= now {
      let end = interval.until.map { min($0, now) } ?? now
      last = max(last ?? end, end)
    }
    return last
  }
}
