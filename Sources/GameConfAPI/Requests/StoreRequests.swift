// What is asked of the simulated store.

public import GameConfCore

/// Body of `POST p/purchases`.
public struct PurchaseRequest: WireShape {
  /// The product, by its id in the game or at the store.
  public var product: String
  /// The storefront's currency; nil is USD where there is a price in it, else the first.
  public var currency: String?
  /// Why.
  public var reason: String?

  /// A request.
  public init(product: String, currency: String? = nil, reason: String? = nil) {
    self.product = product
    self.currency = currency
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("product", .string(product))]).with("currency", currency).with("reason", reason))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["product", "currency", "reason"])
    product = try members.string("product")
    currency = try members.optionalString("currency")
    reason = try members.optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What to buy.",
      required: ["product": SchemaText.described(SchemaText.string, "By its id in the game, or at the store.")],
      optional: ["currency": SchemaText.described(SchemaText.string, "ISO 4217 code."), "reason": SchemaText.string], closed: true)
  }
}

/// Body of `POST p/restore`; an absent body is the same as an empty object.
public struct RestoreRequest: WireShape {
  /// The player whose purchases move to this one; nil delivers this player's own again.
  public var fromPlayer: String?
  /// Why.
  public var reason: String?

  /// A request.
  public init(fromPlayer: String? = nil, reason: String? = nil) {
    self.fromPlayer = fromPlayer
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue().with("from_player", fromPlayer).with("reason", reason)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["from_player", "reason"])
    fromPlayer = try members.optionalString("from_player")
    reason = try members.optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What to deliver again.",
      optional: [
        "from_player": SchemaText.described(SchemaText.string, "The player whose purchases move to this one."),
        "reason": SchemaText.string,
      ], closed: true)
  }
}

/// Body of `POST p/grants`.
public struct GrantRequest: WireShape {
  /// The entitlement.
  public var entitlement: String
  /// For how long, such as `P7D` or `P1M`; nil for good.
  public var period: String?
  /// Why.
  public var reason: String?

  /// A request.
  public init(entitlement: String, period: String? = nil, reason: String? = nil) {
    self.entitlement = entitlement
    self.period = period
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("entitlement", .string(entitlement))]).with("period", period).with("reason", reason))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["entitlement", "period", "reason"])
    entitlement = try members.string("entitlement")
    period = try members.optionalString("period")
    reason = try members.optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What to give.", required: ["entitlement": SchemaText.string],
      optional: [
        "period": SchemaText.described(SchemaText.string, "A calendar period, such as P7D or P1M; absent for good."),
        "reason": SchemaText.string,
      ], closed: true)
  }
}

/// Body of `POST p/transactions/{transaction}/billing_retry`; an absent body is the same as an empty object.
public struct BillingRetryRequest: WireShape {
  /// Whether access goes on meanwhile: `product`, `always` or `never`; nil is what the store's behaviour says.
  public var grace: String?
  /// Why.
  public var reason: String?

  /// A request.
  public init(grace: String? = nil, reason: String? = nil) {
    self.grace = grace
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue().with("grace", grace).with("reason", reason)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["grace", "reason"])
    grace = try members.optionalString("grace")
    reason = try members.optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Whether access goes on while billing is retried.",
      optional: ["grace": SchemaText.words(StoreBehaviour.Grace.self), "reason": SchemaText.string], closed: true)
  }
}

/// Body of `POST p/transactions/{transaction}/change_price`.
public struct PriceChangeRequest: WireShape {
  /// Decimal text, such as `"3.99"`.
  public var amount: String
  /// ISO 4217 code.
  public var currency: String
  /// Whether a rise ends the subscription unless it is accepted before the next renewal.
  public var needsConsent: Bool
  /// Why.
  public var reason: String?

  /// A request.
  public init(amount: String, currency: String, needsConsent: Bool = false, reason: String? = nil) {
    self.amount = amount
    self.currency = currency
    self.needsConsent = needsConsent
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("amount", .string(amount)), ("currency", .string(currency))]).with("needs_consent", ifTrue: needsConsent)
        .with("reason", reason))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["amount", "currency", "needs_consent", "reason"])
    amount = try members.string("amount")
    currency = try members.string("currency")
    needsConsent = try members.flag("needs_consent")
    reason = try members.optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A price from the next renewal.",
      required: [
        "amount": SchemaText.described(SchemaText.string, "Decimal text, such as \"3.99\"."),
        "currency": SchemaText.described(SchemaText.string, "ISO 4217 code."),
      ],
      optional: [
        "needs_consent": SchemaText.described(SchemaText.boolean, "A rise ends the subscription unless it is accepted before."),
        "reason": SchemaText.string,
      ], closed: true)
  }
}

/// Body of `PUT p/store/premium`.
public struct PremiumRequest: WireShape {
  /// Whether the player shall have it.
  public var isOn: Bool
  /// Why.
  public var reason: String?

  /// A request.
  public init(isOn: Bool, reason: String? = nil) {
    self.isOn = isOn
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue([("on", .bool(isOn))]).with("reason", reason)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["on", "reason"])
    _ = try members.required("on")
    isOn = try members.flag("on")
    reason = try members.optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Whether the player shall have what the catalog calls premium.", required: ["on": SchemaText.boolean],
      optional: ["reason": SchemaText.string], closed: true)
  }
}
