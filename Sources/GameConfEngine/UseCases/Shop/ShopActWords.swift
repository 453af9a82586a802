// The public names of acts at the simulated store, and their arguments.
public import GameConfCore
public import GameConfStorage

extension ShopAct {
  /// The act in a word, as in paths, commands and the audit log.
  public var word: String {
    switch self {
    case .loadProducts: "load_products"
    case .purchase: "purchase"
    case .restore: "restore"
    case .finish: "finish"
    case .approve: "approve"
    case .decline: "decline"
    case .resolve: "resolve"
    case .refund: "refund"
    case .refundDecline: "refund_decline"
    case .revoke: "revoke"
    case .expire: "expire"
    case .renew: "renew"
    case .cancel: "cancel"
    case .renewalOn: "renewal_on"
    case .billingRetry: "billing_retry"
    case .recover: "recover"
    case .changePrice: "change_price"
    case .acceptPrice: "accept_price"
    case .grant: "grant"
    case .behave: "behaviour"
    case .delete: "delete"
    case .clear: "clear"
    }
  }

  /// True if something may be bought or given by it, so that the catalog's `simulation.purchases` has to admit it.
  public var isGiving: Bool {
    switch self {
    case .purchase, .approve, .resolve, .grant: true
    case .loadProducts, .restore, .finish, .decline, .refund, .refundDecline, .revoke, .expire, .renew, .cancel, .renewalOn, .billingRetry,
      .recover, .changePrice, .acceptPrice, .behave, .delete, .clear:
      false
    }
  }

  /// True if it has done nothing to a ledger that nothing was in.
  func isIdle(on outcome: ShopOutcome) -> Bool {
    switch self {
    case .restore: outcome.status == .success && outcome.delivered.isEmpty
    case .clear: true
    default: false
    }
  }

  /// The further details for the audit log, by name.
  var details: ObjectValue {
    var details = ObjectValue()
    switch self {
    case .loadProducts, .restore, .clear, .behave: break
    case .purchase(let product, let currency):
      details["product"] = .string(product)
      details["currency"] = currency.map(Value.string)
    case .finish(let id), .approve(let id), .decline(let id), .resolve(let id), .refund(let id), .refundDecline(let id), .revoke(let id),
      .expire(let id), .renew(let id), .cancel(let id), .renewalOn(let id), .recover(let id), .acceptPrice(let id), .delete(let id):
      details["transaction"] = .string(id)
    case .billingRetry(let id, let grace):
      details["transaction"] = .string(id)
      details["grace"] = grace.map { .string($0.rawValue) }
    case .changePrice(let id, let price, let needsConsent):
      details["transaction"] = .string(id)
      details["price"] = ["currency": .string(price.currency), "amount": .string(price.amount)]
      if needsConsent { details["needs_consent"] = true }
    case .grant(let entitlement, let period):
      details["entitlement"] = .string(entitlement)
      details["period"] = period.map { .string($0.text) }
    }
    return details
  }
}

extension AuditAction {
  /// Something was done at the simulated store: `iap.purchase`, `iap.refund`, …
  public init(_ act: ShopAct) { self.init(shop: act.word) }

  /// Purchases were moved from one player to another.
  public static let purchasesTransferred = AuditAction(.purchasesTransferred)
  /// The premium product was switched on or off for a player.
  public static let premiumSwitched = AuditAction(.premiumSwitched)
  /// A game's simulated clock was moved, or goes on at another rate.
  public static let clockSet = AuditAction(.clockSet)
  /// A player's simulated clock was moved.
  public static let playerClockSet = AuditAction(.playerClockSet)
}
