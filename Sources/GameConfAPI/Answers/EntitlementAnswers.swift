// What a player may use, in RevenueCat's words, and the subscriptions behind it.

public import GameConfCore

/// One entitlement that is held, or was.
public struct EntitlementRecord: WireShape {
  /// The entitlement.
  public var id: String
  /// Whether it is held now.
  public var isActive: Bool
  /// When it ends as things stand, grace included; when it ended, for one that is held no more; nil for never.
  public var expiresAt: Instant?
  /// Whether a renewal would prolong it.
  public var willRenew: Bool
  /// `normal`, `trial`, `intro` or `promotional`; nil when it is held no more, as all that follows.
  public var periodType: String?
  /// Whether it is held in grace only, while billing is retried.
  public var isInGracePeriod: Bool
  /// The product that gives it; nil for a grant by an admin.
  public var product: String?
  /// The transaction that gives it.
  public var transaction: String?
  /// When that transaction was made.
  public var purchasedAt: Instant?
  /// Since when it is held without a gap.
  public var heldSince: Instant?
  /// When renewal was switched off.
  public var unsubscribeDetectedAt: Instant?
  /// When the renewal failed that is being retried.
  public var billingIssuesDetectedAt: Instant?

  /// An entitlement.
  public init(id: String, isActive: Bool, expiresAt: Instant? = nil) {
    self.id = id
    self.isActive = isActive
    self.expiresAt = expiresAt
    willRenew = false
    isInGracePeriod = false
  }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("id", .string(id))]).withEnvironment()
    object["is_active"] = .bool(isActive)
    object = object.with("expires_at", expiresAt)
    object["will_renew"] = .bool(willRenew)
    object = object.with("period_type", periodType).with("in_grace_period", ifTrue: isInGracePeriod).with("product", product)
    object = object.with("transaction", transaction).with("purchased_at", purchasedAt).with("held_since", heldSince)
    return .object(
      object.with("unsubscribe_detected_at", unsubscribeDetectedAt).with("billing_issues_detected_at", billingIssuesDetectedAt))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    id = try members.string("id")
    isActive = try members.flag("is_active")
    expiresAt = try members.optionalInstant("expires_at")
    willRenew = try members.flag("will_renew")
    periodType = try members.optionalString("period_type")
    isInGracePeriod = try members.flag("in_grace_period")
    product = try members.optionalString("product")
    transaction = try members.optionalString("transaction")
    purchasedAt = try members.optionalInstant("purchased_at")
    heldSince = try members.optionalInstant("held_since")
    unsubscribeDetectedAt = try members.optionalInstant("unsubscribe_detected_at")
    billingIssuesDetectedAt = try members.optionalInstant("billing_issues_detected_at")
  }

  /// `Entitlement`.
  public static var schemaName: String { "Entitlement" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "An entitlement that is held, or was.",
      required: [
        "id": SchemaText.string, "environment": SchemaText.environment, "is_active": SchemaText.boolean, "will_renew": SchemaText.boolean,
      ],
      optional: [
        "expires_at": SchemaText.described(SchemaText.instant, "When it ends, or ended; absent for never."),
        "period_type": SchemaText.words(HeldEntitlement.PeriodType.self), "in_grace_period": SchemaText.boolean,
        "product": SchemaText.string, "transaction": SchemaText.string, "purchased_at": SchemaText.instant,
        "held_since": SchemaText.instant, "unsubscribe_detected_at": SchemaText.instant, "billing_issues_detected_at": SchemaText.instant,
      ])
  }
}

/// One subscription: at most one runs in a group.
public struct SubscriptionRecord: WireShape {
  /// The group.
  public var group: String
  /// `subscribed`, `in_grace_period`, `in_billing_retry`, `expired` or `revoked`.
  public var state: String
  /// The product it renews as, or ended as.
  public var product: String
  /// The transaction of the current period, or of the last.
  public var transaction: String
  /// The first transaction the player ever had in the group.
  public var originalTransaction: String
  /// How long one period is.
  public var period: String
  /// Whether it renews at the period's end.
  public var willRenew: Bool
  /// When the period ends, or ended.
  public var expiresAt: Instant?
  /// When it renews; nil when it does not.
  public var renewsAt: Instant?
  /// The product it becomes at the period's end, where that is another.
  public var nextProduct: String?
  /// What a period costs.
  public var price: WirePrice?
  /// What it costs from the next renewal, where that is another price.
  public var nextPrice: WirePrice?
  /// Whether the next price waits for the player's consent.
  public var needsConsent: Bool
  /// The introductory offer it is in.
  public var offer: String?
  /// How often it has renewed since it was last bought.
  public var renewals: Int64
  /// When renewal was switched off.
  public var renewalOffAt: Instant?
  /// When the renewal failed that billing is retried for.
  public var billingFailedAt: Instant?
  /// Until when access goes on meanwhile.
  public var graceUntil: Instant?
  /// When billing is given up.
  public var retryUntil: Instant?

  /// A subscription with what every one has.
  public init(
    group: String, state: String, product: String, transaction: String, originalTransaction: String, period: String, willRenew: Bool,
    renewals: Int64 = 0
  ) {
    self.group = group
    self.state = state
    self.product = product
    self.transaction = transaction
    self.originalTransaction = originalTransaction
    self.period = period
    self.willRenew = willRenew
    self.renewals = renewals
    needsConsent = false
  }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("group", .string(group))]).withEnvironment()
    for (name, text) in [("state", state), ("product", product), ("transaction", transaction)] { object[name] = .string(text) }
    object["original_transaction"] = .string(originalTransaction)
    object["period"] = .string(period)
    object["will_renew"] = .bool(willRenew)
    object = object.with("expires_at", expiresAt).with("renews_at", renewsAt).with("next_product", nextProduct).with("price", price)
    object = object.with("next_price", nextPrice).with("needs_consent", ifTrue: needsConsent).with("offer", offer)
    object["renewals"] = .integer(renewals)
    object = object.with("renewal_off_at", renewalOffAt).with("billing_failed_at", billingFailedAt)
    return .object(object.with("grace_until", graceUntil).with("retry_until", retryUntil))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    group = try members.string("group")
    state = try members.string("state")
    product = try members.string("product")
    transaction = try members.string("transaction")
    originalTransaction = try members.string("original_transaction")
    period = try members.string("period")
    willRenew = try members.flag("will_renew")
    expiresAt = try members.optionalInstant("expires_at")
    renewsAt = try members.optionalInstant("renews_at")
    nextProduct = try members.optionalString("next_product")
    price = try members.optionalShape("price")
    nextPrice = try members.optionalShape("next_price")
    needsConsent = try members.flag("needs_consent")
    offer = try members.optionalString("offer")
    renewals = try members.integer("renewals")
    renewalOffAt = try members.optionalInstant("renewal_off_at")
    billingFailedAt = try members.optionalInstant("billing_failed_at")
    graceUntil = try members.optionalInstant("grace_until")
    retryUntil = try members.optionalInstant("retry_until")
  }

  /// `Subscription`.
  public static var schemaName: String { "Subscription" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A subscription; at most one runs in a group.",
      required: [
        "group": SchemaText.string, "environment": SchemaText.environment, "state": SchemaText.words(SubscriptionLine.State.self),
        "product": SchemaText.string, "transaction": SchemaText.string, "original_transaction": SchemaText.string,
        "period": SchemaText.string, "will_renew": SchemaText.boolean, "renewals": SchemaText.integer,
      ],
      optional: [
        "expires_at": SchemaText.instant, "renews_at": SchemaText.instant, "next_product": SchemaText.string,
        "price": SchemaText.ref(WirePrice.self), "next_price": SchemaText.ref(WirePrice.self), "needs_consent": SchemaText.boolean,
        "offer": SchemaText.words(Subscription.IntroMode.self), "renewal_off_at": SchemaText.instant,
        "billing_failed_at": SchemaText.instant, "grace_until": SchemaText.instant, "retry_until": SchemaText.instant,
      ])
  }
}

/// Answer of `GET p/entitlements`.
public struct EntitlementsAnswer: WireShape {
  /// The game.
  public var game: String
  /// The player.
  public var player: String
  /// The player's simulated time.
  public var at: Instant
  /// Whether no placement may show the player an ad.
  public var isAdFree: Bool
  /// What is held in the order of the catalog, then what was held and is no more.
  public var entitlements: [EntitlementRecord]
  /// For every product whether it counts as purchased.
  public var purchased: ObjectValue
  /// The subscriptions, one a group.
  public var subscriptions: [SubscriptionRecord]
  /// When any of this changes next if nobody does anything; nil when it will not.
  public var nextChangeAt: Instant?

  /// An answer.
  public init(
    game: String, player: String, at: Instant, isAdFree: Bool, entitlements: [EntitlementRecord], purchased: ObjectValue,
    subscriptions: [SubscriptionRecord] = [], nextChangeAt: Instant? = nil
  ) {
    self.game = game
    self.player = player
    self.at = at
    self.isAdFree = isAdFree
    self.entitlements = entitlements
    self.purchased = purchased
    self.subscriptions = subscriptions
    self.nextChangeAt = nextChangeAt
  }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("game", .string(game)), ("player", .string(player))]).withEnvironment().with("at", .some(at))
    object["is_ad_free"] = .bool(isAdFree)
    object = object.with("entitlements", entitlements)
    object["purchased"] = .object(purchased)
    return .object(object.with("subscriptions", subscriptions).with("next_change_at", nextChangeAt))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    player = try members.string("player")
    at = try members.instant("at")
    isAdFree = try members.flag("is_ad_free")
    entitlements = try members.shapes("entitlements")
    purchased = try members.object("purchased")
    subscriptions = try members.shapes("subscriptions")
    nextChangeAt = try members.optionalInstant("next_change_at")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What a player may use now, by what was bought at the simulated store.",
      required: [
        "game": SchemaText.string, "player": SchemaText.string, "environment": SchemaText.environment, "at": SchemaText.instant,
        "is_ad_free": SchemaText.boolean, "entitlements": SchemaText.list(EntitlementRecord.self),
        "purchased": SchemaText.described(SchemaText.map(SchemaText.boolean), "By product, those that are included in another too."),
        "subscriptions": SchemaText.list(SubscriptionRecord.self),
      ],
      optional: ["next_change_at": SchemaText.instant])
  }
}
