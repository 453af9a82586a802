// The actions of players, games and admins at the simulated store, and the outcomes of these actions.

/// An action at the simulated store. An associated text without a label is the id of a transaction.
public enum ShopAct: Sendable, Hashable {
  /// Requests the products for sale. This changes nothing, but fails if the simulated behaviour has a failure for it.
  case loadProducts
  /// Purchases a product. If the currency is nil, the product's usual currency is used.
  case purchase(product: String, currency: String? = nil)
  /// Delivers the player's valid purchases again.
  case restore
  /// Executes an action that needs no argument besides the transaction.
  case transaction(TransactionAct, String)
  /// Ends the present period of a subscription with a failed renewal, and with this choice of a grace period.
  case billingRetry(String, grace: ShopBehaviour.Grace)
  /// Changes the price of a subscription from the next renewal on. If the new price needs consent and the player does not give it, the
  /// subscription ends.
  case changePrice(String, ShopPrice, needsConsent: Bool = false)
  /// Grants an entitlement for a period, or without an end if the period is nil.
  case grant(entitlement: String, period: CalendarPeriod? = nil)
  case behave(ShopBehaviour)
  /// Removes a transaction and, for a grant, the granted access. If the transaction is the present or last period of a subscription, the
  /// subscription is removed too.
  case delete(String)
  /// Removes all transactions and log entries. The counters of ids and the simulated behaviour stay.
  case clear
}

/// The outcome of an action at the simulated store.
public struct ShopOutcome: Sendable, Hashable {
  /// The kinds of outcomes. The raw value is the word in responses.
  public enum Status: String, Sendable, Hashable, CaseIterable {
    /// The action succeeded. If it was a purchase, the product was purchased.
    case success
    /// The player cancelled the purchase.
    case cancelled
    /// The purchase waits for a parent's approval (Ask to Buy).
    case pending
    /// The purchase was interrupted, and waits until an admin resolves it.
    case interrupted
    /// The call failed, because the simulated behaviour has a failure for it.
    case failed
    /// The subscription will change at the end of its present period.
    case deferred
    /// A scheduled change was cancelled, or renewal was turned on again.
    case retained = "kept"
  }

  /// The kind of the outcome, such as ``Status/pending`` while a purchase waits for approval.
  public var status: Status
  /// The id of the transaction that was created or changed. For a change that is scheduled for the end of the period, it is the
  /// subscription's present transaction.
  public var transaction: String?
  /// The ids of the transactions that a restore or a transfer delivered, oldest first.
  public var delivered: [String] = []
  /// The ids of the transactions that were refunded or revoked because premium was switched off for the player.
  public var ended: [String] = []
  /// The error of a failed call; nil if there was no error. With `success`, it is the reason why the transaction could not be verified.
  public var error: SimulatedError?

  /// Creates an outcome, by default one without a transaction and without an error.
  public init(_ status: Status, transaction: String? = nil, delivered: [String] = [], error: SimulatedError? = nil) {
    self.status = status
    self.transaction = transaction
    self.delivered = delivered
    self.error = error
  }
}
