// The actions at the simulated store, by players, games and admins, and their outcomes.

/// An action at the simulated store. A text without a label is the id of a transaction.
public enum ShopAct: Sendable, Hashable {
  /// Requests the products for sale. It changes nothing, but may fail if the behaviour says so.
  case loadProducts
  /// Purchases a product. The currency is that of the storefront, if the product has a price in it.
  case purchase(product: String, currency: String? = nil)
  /// Delivers valid purchases again.
  case restore
  /// An action that needs only a transaction.
  case transaction(TransactionAct, String)
  /// Ends the present period with a failed renewal, and with this grace period.
  case billingRetry(String, grace: ShopBehaviour.Grace)
  /// Changes the price from the next renewal. If it needs consent and the player does not give it, the subscription ends.
  case changePrice(String, ShopPrice, needsConsent: Bool = false)
  /// Grants an entitlement for a period, or forever if the period is nil.
  case grant(entitlement: String, period: CalendarPeriod? = nil)
  case behave(ShopBehaviour)
  /// Removes a transaction as if it had never existed.
  case delete(String)
  /// Removes all transactions. Counters and the behaviour stay.
  case clear
}

/// The outcome of an action at the simulated store.
public struct ShopOutcome: Sendable, Hashable {
  /// The outcomes, whose raw values are those of responses.
  public enum Status: String, Sendable, Hashable, CaseIterable {
    /// The action succeeded. A product was purchased, if it was a purchase.
    case success
    /// The player cancelled the purchase.
    case cancelled
    /// The purchase waits for a parent's approval (Ask to Buy).
    case pending
    /// The purchase was interrupted and waits to be resolved.
    case interrupted
    /// The call failed because the behaviour says so.
    case failed
    /// The subscription will change at the end of the period.
    case deferred
    /// A scheduled change was cancelled, or renewal was turned on again.
    case retained = "kept"
  }

  /// The outcome, as responses name it.
  public var status: Status
  /// The id of the transaction that was created or changed. If a subscription changes later, it is the present one.
  public var transaction: String?
  /// The ids of the transactions that a restore delivered again, oldest first.
  public var delivered: [String] = []
  /// The ids of the transactions that were refunded or revoked when premium was turned off.
  public var ended: [String] = []
  /// The error of a failed call. With `success`, it is the reason why the transaction could not be verified.
  public var error: SimulatedError?

  /// Creates an outcome, by default without a transaction and an error.
  public init(_ status: Status, transaction: String? = nil, delivered: [String] = [], error: SimulatedError? = nil) {
    self.status = status
    self.transaction = transaction
    self.delivered = delivered
    self.error = error
  }
}
