// Checks whether a caller may make simulated purchases in a game.

extension PurchaseSimulation {
  /// Throws if the game's `simulation.purchases` does not allow the purchase.
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
