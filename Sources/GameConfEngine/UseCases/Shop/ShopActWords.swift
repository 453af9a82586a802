// The public names of acts at the simulated store, and their arguments.
public import GameConfCore
public import GameConfStorage

extension ShopAct {
  /// The act's name in paths, commands and the audit log.
  public var word: String {
    switch self {
    case .loadProducts: "load_products"
    case .purchase: "purchase"
    case .restore: "restore"
    case .transaction(let act, _): act.rawValue
    case .billingRetry: TransactionAct.billingRetry.rawValue
    case .changePrice: "change_price"
    case .grant: "grant"
    case .behave: "behaviour"
    case .delete: "delete"
    case .clear: "clear"
    }
  }

  /// True if the act may buy or give something, so that the catalog's `simulation.purchases` must permit it.
  public var isGiving: Bool {
    switch self {
    case .purchase, .grant: true
    case .transaction(let act, _): act.isGiving
    case .loadProducts, .restore, .billingRetry, .changePrice, .behave, .delete, .clear: false
    }
  }

  /// True if the act, performed on an empty ledger, had no effect that must be written.
  func isIdle(on outcome: ShopOutcome) -> Bool {
    switch self {
    case .restore: outcome.status == .success && outcome.delivered.isEmpty
    case .clear: true
    default: false
    }
  }

  /// The arguments of the act in the form of the audit log.
  var details: ObjectValue {
    var details = ObjectValue()
    switch self {
    case .loadProducts, .restore, .clear, .behave: break
    case .purchase(let product, let currency):
      details["product"] = .string(product)
      details["currency"] = currency.map(Value.string)
    case .transaction(_, let id), .delete(let id): details["transaction"] = .string(id)
    case .billingRetry(let id, let grace):
      details["transaction"] = .string(id)
      details["grace"] = .string(grace.rawValue)
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

extension TransactionAct {
  /// True if the act may give something to the player, as an approval and the resolution of an interruption do.
  public var isGiving: Bool { self == .approve || self == .resolve }
}

extension AuditAction {
  /// Creates the audit log's name of an act at the simulated store: `iap.purchase`, `iap.refund`, …
  public init(_ act: ShopAct) { self.init(shop: act.word) }

  /// Purchases were moved from one player to another.
  public static let purchasesTransferred = AuditAction(.purchasesTransferred)
  /// The premium product was switched on or off for a player.
  public static let premiumSwitched = AuditAction(.premiumSwitched)
  /// A game's simulated clock was moved or got another rate.
  public static let clockSet = AuditAction(.clockSet)
  /// A player's simulated clock was moved.
  public static let playerClockSet = AuditAction(.playerClockSet)
}
