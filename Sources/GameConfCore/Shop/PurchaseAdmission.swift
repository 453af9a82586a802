// Checks if a caller may make simulated purchases in a game.

extension Catalog {
  /// Throws `STORE_CLOSED` for a purchase by a game if the catalog's `simulation.enabled` is false, as a constant or as a parameter's
  /// value.
  public func admitSale(isAdmin: Bool, _ parameters: any ParameterLookup) throws(Refusal) {
    if isAdmin || storeEnabled.isOn(parameters) { return }
    guard case .parameter(let key) = storeEnabled else {
      throw Refusal(.storeClosed, "The store of \(game) is closed (“simulation: {enabled: false}” in its catalog).")
    }
    throw Refusal(.storeClosed, "The store of \(game) is closed: “\(key)” is off.", members: ["parameter": .string(key)])
  }
}

extension PurchaseSimulation {
  /// Throws if the game's `simulation.purchases` does not allow the caller to purchase.
  /// - Parameter isAdmin: True if the caller uses the admin socket and has a role that may purchase.
  public func admitPurchase(isAdmin: Bool) throws(Refusal) {
    switch self {
    case .games: return
    case .admin:
      if isAdmin { return }
      throw Refusal(
        .purchasesAdminsOnly, "Purchases of this game are simulated by admins only (“simulation: {purchases: admin}” in its catalog).")
    case .off:
      throw Refusal(
        .purchasesNotSimulated,
        "Purchases of this game are not simulated; “simulation: {purchases: games}” or “admin” in its catalog admits them.")
    }
  }
}
