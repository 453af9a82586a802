// The entitlements of a player, in RevenueCat's words, and the subscriptions behind them.

package import GameConfCore

/// One entitlement of a player that is active or has expired.
public struct WireEntitlement: WireObject {
  package var id = ""
  package var isActive = false
  package var expiresAt: Instant?
  package var willRenew = false
  package var periodType: String?
  package var isInGracePeriod = false
  package var product: String?
  package var transaction: String?
  package var purchasedAt: Instant?
  package var heldSince: Instant?
  package var unsubscribeDetectedAt: Instant?
  package var billingIssuesDetectedAt: Instant?

  package init() {}

  package init(id: String, isActive: Bool, expiresAt: Instant? = nil) {
    self.id = id
    self.isActive = isActive
    self.expiresAt = expiresAt
    willRenew = false
    isInGracePeriod = false
  }

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Entitlement" }

  package static var about: String { "An entitlement that the player has or had." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("id", &id, "The entitlement.")
    fields.environment()
    fields.required("is_active", &isActive, "True if the player has it now.")
    fields.optional("expires_at", &expiresAt, "The end; absent if it never ends.")
    fields.required("will_renew", &willRenew, "True if a renewal prolongs it.")
    fields.optional(
      "period_type", &periodType,
      "The kind: normal, trial, intro or promotional; absent, like the following members, once it has ended.",
      .words(ActiveEntitlement.PeriodType.self))
    fields.whenSet("in_grace_period", &isInGracePeriod, "True in the grace period, while billing is retried.")
    fields.optional("product", &product, "The product that includes it; absent for a grant by an admin.")
    fields.optional("transaction", &transaction, "The transaction that granted it.")
    fields.optional("purchased_at", &purchasedAt, "The time of that transaction.")
    fields.optional("held_since", &heldSince, "The beginning of the current period without a gap.")
    fields.optional("unsubscribe_detected_at", &unsubscribeDetectedAt, "The time at which renewal was switched off.")
    fields.optional("billing_issues_detected_at", &billingIssuesDetectedAt, "The time at which the retried renewal failed.")
  }
}

/// One subscription of a player. At most one subscription of a subscription group is active.
public struct WireSubscription: WireObject {
  package var group = ""
  package var state = ""
  package var product = ""
  package var transaction = ""
  package var originalTransaction = ""
  package var period = ""
  package var willRenew = false
  package var expiresAt: Instant?
  package var renewsAt: Instant?
  package var nextProduct: String?
  package var price: ShopPrice?
  package var nextPrice: ShopPrice?
  package var needsConsent = false
  package var offer: String?
  package var renewals: Int64 = 0
  package var renewalOffAt: Instant?
  package var billingFailedAt: Instant?
  package var graceUntil: Instant?
  package var retryUntil: Instant?

  package init() {}

  package init(
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

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Subscription" }

  package static var about: String { "A subscription; at most one in a group is active." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("group", &group, "The group.")
    fields.environment()
    fields.required(
      "state", &state, "The state: subscribed, in_grace_period, in_billing_retry, expired or revoked.",
      .words(SubscriptionLine.State.self))
    fields.required("product", &product, "The current product, or the last.")
    fields.required("transaction", &transaction, "The transaction of the current period, or of the last.")
    fields.required("original_transaction", &originalTransaction, "The player's first transaction in the group.")
    fields.required("period", &period, "The length of a period.")
    fields.required("will_renew", &willRenew, "True if it renews at the period's end.")
    fields.optional("expires_at", &expiresAt, "The end of the period.")
    fields.optional("renews_at", &renewsAt, "The time of the renewal; absent if it does not renew.")
    fields.optional("next_product", &nextProduct, "The product from the next period on; absent if it stays the same.")
    fields.optional("price", &price, "The price of a period.")
    fields.optional("next_price", &nextPrice, "The price from the next renewal on, or after the offer; absent if it stays the same.")
    fields.whenSet("needs_consent", &needsConsent, "True if the next price waits for the player's consent.")
    fields.optional("offer", &offer, "The introductory offer in use.", .words(Subscription.IntroMode.self))
    fields.required("renewals", &renewals, "The number of renewals since it was last bought.")
    fields.optional("renewal_off_at", &renewalOffAt, "The time at which renewal was switched off.")
    fields.optional("billing_failed_at", &billingFailedAt, "The time at which the retried renewal failed.")
    fields.optional("grace_until", &graceUntil, "The end of access while billing is retried.")
    fields.optional("retry_until", &retryUntil, "The time at which billing retry ends.")
  }
}

/// The state of a player's premium switch. The switch is on while a single purchase or grant gives the player all entitlements of the
/// product that the catalog names as `premium`.
public struct WirePremium: WireObject {
  package var product = ""
  package var isOn = false
  package var by: String?
  package var transaction: String?
  package var until: Instant?

  package init() {}

  package init(product: String, isOn: Bool) {
    self.product = product
    self.isOn = isOn
  }

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Premium" }

  package static var about: String {
    "The state of the product that the catalog names as premium. It is on if one purchase or grant gives everything that the product gives."
  }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("product", &product, "The premium product.")
    fields.required("on", &isOn, "True if one purchase or grant gives all of it.")
    fields.optional("by", &by, "The product that gives it; absent for a grant by an admin.")
    fields.optional("transaction", &transaction, "The transaction that gives it; of several the one that lasts longest.")
    fields.optional("until", &until, "The present end of that transaction; absent if it never ends.")
  }
}

/// Answer of `GET …/players/{player}/entitlements`: the player's entitlements, subscriptions and purchased products at one instant.
public struct EntitlementsAnswer: WireObject {
  package var game = ""
  package var player = ""
  package var at = Instant.unread
  package var isAdFree = false
  package var entitlements: [WireEntitlement] = []
  package var purchased = ObjectValue()
  package var subscriptions: [WireSubscription] = []
  package var premium: WirePremium?
  package var nextChangeAt: Instant?

  package init() {}

  package init(
    game: String, player: String, at: Instant, isAdFree: Bool, entitlements: [WireEntitlement], purchased: ObjectValue,
    subscriptions: [WireSubscription] = [], nextChangeAt: Instant? = nil
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

  package static var about: String { "The player's entitlements, subscriptions and purchased products." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.environment()
    fields.required("at", &at, "The player's simulated time.")
    fields.required("is_ad_free", &isAdFree, "True if the player sees no ads.")
    fields.required("entitlements", &entitlements, "The player's entitlements in the catalog's order, then those that have ended.")
    fields.required(
      "purchased", &purchased, "By product, true if it counts as purchased; a product included in another counts too.",
      .map(of: Bool.memberSchema))
    fields.required("subscriptions", &subscriptions, "The subscriptions, one a group.")
    fields.optional("premium", &premium, "The state of the premium product; absent if the catalog does not name one.")
    fields.optional("next_change_at", &nextChangeAt, "The next time at which any of this changes by itself; absent if it never does.")
  }
}
