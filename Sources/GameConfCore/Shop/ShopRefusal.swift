// Why the simulated store does not do something: a closed list of codes, each with a sentence that says what would be right.

/// An act that is refused and has changed nothing.
public struct ShopRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, for programs.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case unknownProduct = "UNKNOWN_PRODUCT"
    case unknownEntitlement = "UNKNOWN_ENTITLEMENT"
    case unknownTransaction = "UNKNOWN_TRANSACTION"
    case purchasesNotSimulated = "PURCHASES_NOT_SIMULATED"
    case adminsOnly = "PURCHASES_ADMINS_ONLY"
    case alreadyOwned = "ALREADY_OWNED"
    case purchaseOpen = "PURCHASE_OPEN"
    case notPending = "NOT_PENDING"
    case notInterrupted = "NOT_INTERRUPTED"
    case notPurchased = "NOT_PURCHASED"
    case alreadyFinished = "ALREADY_FINISHED"
    case alreadyRefunded = "ALREADY_REFUNDED"
    case alreadyRevoked = "ALREADY_REVOKED"
    case notRefundable = "NOT_REFUNDABLE"
    case notASubscription = "NOT_A_SUBSCRIPTION"
    case subscriptionEnded = "SUBSCRIPTION_ENDED"
    case renewalIsOff = "RENEWAL_IS_OFF"
    case renewalIsOn = "RENEWAL_IS_ON"
    case inBillingRetry = "IN_BILLING_RETRY"
    case notInBillingRetry = "NOT_IN_BILLING_RETRY"
    case noPriceChange = "NO_PRICE_CHANGE"
    case invalidPeriod = "INVALID_PERIOD"
    case invalidPrice = "INVALID_PRICE"
    case invalidCurrency = "INVALID_CURRENCY"
    case invalidBehaviour = "INVALID_BEHAVIOUR"
    case clockBackwards = "CLOCK_BACKWARDS"
    case clockRate = "CLOCK_RATE"
    case clockTooFar = "CLOCK_TOO_FAR"
    case outsideCalendar = "OUTSIDE_CALENDAR"
    case tooManyTransactions = "TOO_MANY_TRANSACTIONS"
    case tooManyTransfers = "TOO_MANY_TRANSFERS"
    case subscriptionConflict = "SUBSCRIPTION_CONFLICT"
    case samePlayer = "SAME_PLAYER"
  }

  /// What is wrong, for programs.
  public var code: Code
  /// What is wrong and what would be right, for people.
  public var message: String

  /// A refusal.
  public init(_ code: Code, _ message: String) {
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
        .adminsOnly, "Purchases of this game are simulated by admins only (“simulation: {purchases: admin}” in its catalog).")
    case .off:
      throw ShopRefusal(
        .purchasesNotSimulated,
        "Purchases of this game are not simulated; “simulation: {purchases: games}” or “admin” in its catalog admits them.")
    }
  }
}
