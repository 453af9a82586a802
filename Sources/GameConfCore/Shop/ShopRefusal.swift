// Why the simulated store does not do something: a code, and a sentence that says what would be right.

/// An act that is refused and has changed nothing.
public struct ShopRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, for programs.
  public var code: ProblemCode
  /// What is wrong and what would be right, for people.
  public var message: String

  /// A refusal.
  public init(_ code: ProblemCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// `CODE: message`.
  public var description: String { "\(code.rawValue): \(message)" }
}

extension PurchaseSimulation {
  /// Refuses a purchase where the game's `simulation.purchases` does not admit it.
  /// - Parameter isAdmin: whether the caller came over the admin socket with a role that may.
  public func admitPurchase(isAdmin: Bool) throws(ShopRefusal) {
    switch self {
    case .games: return
    case .admin:
      if isAdmin { return }
      throw ShopRefusal(
        .purchasesAdminsOnly, "Purchases of this game are simulated by admins only (“simulation: {purchases: admin}” in its catalog).")
    case .off:
      throw ShopRefusal(
        .purchasesNotSimulated,
        "Purchases of this game are not simulated; “simulation: {purchases: games}” or “admin” in its catalog admits them.")
    }
  }
}
