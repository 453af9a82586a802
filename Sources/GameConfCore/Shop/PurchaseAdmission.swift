// The rule that admits purchases in a game whose purchases are simulated.

extension PurchaseSimulation {
  /// Refuses a purchase where the game's `simulation.purchases` does not admit it.
  /// - Parameter isAdmin: whether the caller came over the admin socket with a role that may.
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
