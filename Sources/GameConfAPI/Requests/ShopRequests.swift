// The requests to the simulated store.

public import GameConfCore

/// Body of `POST …/players/{player}/purchases`: the product, and the currency of the price.
public struct PurchaseRequest: WireRequest {
  package var product = ""
  package var currency: String?
  package var reason: String?

  package init() {}

  package init(product: String, currency: String? = nil, reason: String? = nil) {
    self.product = product
    self.currency = currency
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["product": "removeads"] }

  package static var about: String { "A purchase." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("product", &product, "The product, by its id in the game or at the store.")
    fields.optional("currency", &currency, "The currency's ISO 4217 code.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}

/// Body of `POST …/players/{player}/restore`; an absent body is the same as an empty object.
public struct RestoreRequest: WireRequest {
  package var fromPlayer: String?
  package var reason: String?

  package init() {}

  package init(fromPlayer: String? = nil, reason: String? = nil) {
    self.fromPlayer = fromPlayer
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["reason": "a new device"] }

  package static var about: String { "A restore of purchases." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("from_player", &fromPlayer, "The player whose purchases are moved to this one.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}

/// Body of `POST …/players/{player}/grants`: an entitlement, for a period or forever.
public struct GrantRequest: WireRequest {
  package var entitlement = ""
  package var period: String?
  package var reason: String?

  package init() {}

  package init(entitlement: String, period: String? = nil, reason: String? = nil) {
    self.entitlement = entitlement
    self.period = period
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["entitlement": "ad_free", "period": "P7D"] }

  package static var about: String { "A grant of an entitlement." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("entitlement", &entitlement, "The entitlement.")
    fields.optional("period", &period, "A calendar period, such as P7D or P1M; permanent if absent.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}

/// Body of `POST …/players/{player}/transactions/{transaction}/billing_retry`; an absent body is the same as an empty object.
public struct BillingRetryRequest: WireRequest {
  package var grace: String?
  package var reason: String?

  package init() {}

  package init(grace: String? = nil, reason: String? = nil) {
    self.grace = grace
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["grace": "always"] }

  package static var about: String { "Access while billing is retried." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional(
      "grace", &grace, "Access meanwhile: product, always or never; the store's behaviour if absent.",
      .words(ShopBehaviour.Grace.self))
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}

/// Body of `POST …/players/{player}/transactions/{transaction}/change_price`: the subscription's price from its next renewal on.
public struct PriceChangeRequest: WireRequest {
  package var amount = ""
  package var currency = ""
  package var needsConsent = false
  package var reason: String?

  package init() {}

  package init(amount: String, currency: String, needsConsent: Bool = false, reason: String? = nil) {
    self.amount = amount
    self.currency = currency
    self.needsConsent = needsConsent
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["amount": "3.99", "currency": "USD", "needs_consent": true] }

  package static var about: String { "A price from the next renewal on." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("amount", &amount, "Decimal text, such as \"3.99\".")
    fields.required("currency", &currency, "The currency's ISO 4217 code.")
    fields.whenSet("needs_consent", &needsConsent, "True if a rise ends the subscription unless the player accepts it before.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}

/// Body of `PUT …/players/{player}/store/premium`. On, the player buys the premium product. Off, the store refunds or revokes every
/// purchase and grant of that product.
public struct PremiumRequest: WireRequest {
  package var isOn = false
  package var reason: String?

  package init() {}

  package init(isOn: Bool, reason: String? = nil) {
    self.isOn = isOn
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["on": true] }

  package static var about: String { "The switch of the catalog's premium product for a player." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("on", &isOn, "True to give it, false to end it.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}
