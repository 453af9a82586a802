// What a player may use, in RevenueCat's words, and the subscriptions behind it.

package import GameConfCore

/// One entitlement that is held, or was.
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

  /// The name that the contract has for it.
  public static var schemaName: String { "Entitlement" }

  package static var about: String { "An entitlement that is held, or was." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("id", &id, "The entitlement.")
    fields.environment()
    fields.required("is_active", &isActive, "Whether it is held now.")
    fields.optional("expires_at", &expiresAt, "When it ends, or ended; absent for never.")
    fields.required("will_renew", &willRenew, "Whether a renewal would prolong it.")
    fields.optional(
      "period_type", &periodType,
      "What it is held by: normal, trial, intro or promotional; absent when it is held no more, as all that follows.",
      .words(HeldEntitlement.PeriodType.self))
    fields.whenSet("in_grace_period", &isInGracePeriod, "Whether it is held in grace only, while billing is retried.")
    fields.optional("product", &product, "The product that gives it; absent for a grant by an admin.")
    fields.optional("transaction", &transaction, "The transaction that gives it.")
    fields.optional("purchased_at", &purchasedAt, "When that transaction was made.")
    fields.optional("held_since", &heldSince, "Since when it is held without a gap.")
    fields.optional("unsubscribe_detected_at", &unsubscribeDetectedAt, "When renewal was switched off.")
    fields.optional("billing_issues_detected_at", &billingIssuesDetectedAt, "When the renewal failed that is being retried.")
  }
}

/// One subscription: at most one runs in a group.
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
  package var price: WirePrice?
  package var nextPrice: WirePrice?
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

  /// The name that the contract has for it.
  public static var schemaName: String { "Subscription" }

  package static var about: String { "A subscription; at most one runs in a group." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("group", &group, "The group.")
    fields.environment()
    fields.required(
      "state", &state, "How it stands: subscribed, in_grace_period, in_billing_retry, expired or revoked.",
      .words(SubscriptionLine.State.self))
    fields.required("product", &product, "The product it renews as, or ended as.")
    fields.required("transaction", &transaction, "The transaction of the current period, or of the last.")
    fields.required("original_transaction", &originalTransaction, "The first transaction the player ever had in the group.")
    fields.required("period", &period, "How long one period is.")
    fields.required("will_renew", &willRenew, "Whether it renews at the period's end.")
    fields.optional("expires_at", &expiresAt, "When the period ends, or ended.")
    fields.optional("renews_at", &renewsAt, "When it renews; absent when it does not.")
    fields.optional("next_product", &nextProduct, "The product it becomes at the period's end, where that is another.")
    fields.optional("price", &price, "What a period costs.")
    fields.optional("next_price", &nextPrice, "What it costs from the next renewal, where that is another price.")
    fields.whenSet("needs_consent", &needsConsent, "Whether the next price waits for the player's consent.")
    fields.optional("offer", &offer, "The introductory offer it is in.", .words(Subscription.IntroMode.self))
    fields.required("renewals", &renewals, "How often it has renewed since it was last bought.")
    fields.optional("renewal_off_at", &renewalOffAt, "When renewal was switched off.")
    fields.optional("billing_failed_at", &billingFailedAt, "When the renewal failed that billing is retried for.")
    fields.optional("grace_until", &graceUntil, "Until when access goes on meanwhile.")
    fields.optional("retry_until", &retryUntil, "When billing is given up.")
  }
}

/// Answer of `GET p/entitlements`.
public struct EntitlementsAnswer: WireObject {
  package var game = ""
  package var player = ""
  package var at = Instant.unread
  package var isAdFree = false
  package var entitlements: [WireEntitlement] = []
  package var purchased = ObjectValue()
  package var subscriptions: [WireSubscription] = []
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

  package static var about: String { "What a player may use now, by what was bought at the simulated store." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.")
    fields.environment()
    fields.required("at", &at, "The player's simulated time.")
    fields.required("is_ad_free", &isAdFree, "Whether no placement may show the player an ad.")
    fields.required("entitlements", &entitlements, "What is held in the order of the catalog, then what was held and is no more.")
    fields.required(
      "purchased", &purchased, "Whether each product counts as purchased, those that are included in another too.",
      .map(of: Bool.memberSchema))
    fields.required("subscriptions", &subscriptions, "The subscriptions, one a group.")
    fields.optional("next_change_at", &nextChangeAt, "When any of this changes next if nobody does anything; absent when it will not.")
  }
}
