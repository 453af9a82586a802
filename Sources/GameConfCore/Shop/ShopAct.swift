// The acts of a player, a game or an admin at the simulated store, and their outcomes.

/// Something done at the store.
public enum ShopAct: Sendable, Hashable {
  /// Asks for the products on sale; only a simulated error makes a difference.
  case loadProducts
  /// Buys a product; the currency is the storefront's, where the product has a price in it.
  case purchase(product: String, currency: String? = nil)
  /// Delivers again what is owned.
  case restore
  /// Says that what was bought has been delivered.
  case finish(String)
  case approve(String)
  case decline(String)
  /// Ends the interruption of a purchase, which then succeeds.
  case resolve(String)
  case refund(String)
  case refundDecline(String)
  /// Takes access back without a refund, as when family sharing ends; also a grant.
  case revoke(String)
  /// Ends a subscription now.
  case expire(String)
  /// Ends the period now and begins the next.
  case renew(String)
  /// Switches renewal off.
  case cancel(String)
  case renewalOn(String)
  /// Ends the period now with a renewal that fails; nil grace is what the behaviour says.
  case billingRetry(String, grace: ShopBehaviour.Grace? = nil)
  /// Lets the billing that is retried succeed.
  case recover(String)
  /// Another price from the next renewal; a rise that needs consent ends the subscription unless accepted before.
  case changePrice(String, ShopPrice, needsConsent: Bool = false)
  case acceptPrice(String)
  /// Gives an entitlement for a time, or for good.
  case grant(entitlement: String, period: CalendarPeriod? = nil)
  case behave(ShopBehaviour)
  /// Forgets a transaction as though it never was.
  case delete(String)
  /// Forgets every transaction; counts go on, the behaviour stays.
  case clear
}

extension ShopAct {
  /// The acts that need nothing but the transaction, in the order of a purchase's life.
  public static let plain: [@Sendable (String) -> ShopAct] = [
    { .approve($0) }, { .decline($0) }, { .resolve($0) }, { .finish($0) }, { .renew($0) }, { .cancel($0) }, { .renewalOn($0) },
    { .billingRetry($0) }, { .recover($0) }, { .acceptPrice($0) }, { .expire($0) }, { .refund($0) }, { .refundDecline($0) },
    { .revoke($0) },
  ]
}

/// The outcome of an act.
public struct ShopOutcome: Sendable, Hashable {
  /// The outcome, in a word.
  public enum Status: String, Sendable, Hashable, CaseIterable {
    /// Done; for a purchase: bought.
    case success
    /// The player called the purchase off.
    case cancelled
    /// The purchase waits for a parent's word.
    case pending
    /// The purchase waits until what interrupts it is resolved.
    case interrupted
    /// The call failed as the simulator was set to.
    case failed
    /// The subscription changes at the period's end.
    case deferred
    /// A change that was to come at the period's end will not; or renewal is on again.
    case kept
  }

  /// The outcome, in a word.
  public var status: Status
  /// The transaction that was made or changed; of a purchase that changes later, the current one.
  public var transaction: String?
  /// The transactions that a restore delivers again, oldest first.
  public var delivered: [String] = []
  /// The transactions that were refunded or revoked when premium was switched off.
  public var ended: [String] = []
  /// With what a call failed; beside `success` why the transaction does not verify.
  public var error: SimulatedError?

  /// An outcome.
  public init(_ status: Status, transaction: String? = nil, delivered: [String] = [], error: SimulatedError? = nil) {
    self.status = status
    self.transaction = transaction
    self.delivered = delivered
    self.error = error
  }
}
