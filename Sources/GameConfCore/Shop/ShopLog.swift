// The events at the simulated store, each with the notification Apple's server would send.

/// Apple's App Store Server Notifications, version 2: what they are about.
public enum ShopNotification: String, Sendable, Hashable, CaseIterable {
  case didChangeRenewalPref = "DID_CHANGE_RENEWAL_PREF"
  case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
  case didFailToRenew = "DID_FAIL_TO_RENEW"
  case didRenew = "DID_RENEW"
  case expired = "EXPIRED"
  case gracePeriodExpired = "GRACE_PERIOD_EXPIRED"
  case oneTimeCharge = "ONE_TIME_CHARGE"
  case priceIncrease = "PRICE_INCREASE"
  case refund = "REFUND"
  case refundDeclined = "REFUND_DECLINED"
  case revoke = "REVOKE"
  case subscribed = "SUBSCRIBED"
}

/// The subtypes of these notifications.
public enum ShopNotificationSubtype: String, Sendable, Hashable, CaseIterable {
  case accepted = "ACCEPTED"
  case autoRenewDisabled = "AUTO_RENEW_DISABLED"
  case autoRenewEnabled = "AUTO_RENEW_ENABLED"
  case billingRecovery = "BILLING_RECOVERY"
  case billingRetry = "BILLING_RETRY"
  case downgrade = "DOWNGRADE"
  case gracePeriod = "GRACE_PERIOD"
  case initialBuy = "INITIAL_BUY"
  case pending = "PENDING"
  case priceIncrease = "PRICE_INCREASE"
  case resubscribe = "RESUBSCRIBE"
  case upgrade = "UPGRADE"
  case voluntary = "VOLUNTARY"
}

/// The events, in our words: Apple is silent about some of them.
public enum ShopEvent: String, Sendable, Hashable, CaseIterable {
  case purchased, pending, interrupted, approved, declined, resolved, cancelled, failed, finished, restored, verified
  case renewed, recovered, expired, refunded, revoked, upgraded, granted, deleted, cleared
  case renewalFailed = "renewal_failed"
  case gracePeriodExpired = "grace_period_expired"
  case refundDeclined = "refund_declined"
  case renewalOff = "renewal_off"
  case renewalOn = "renewal_on"
  case changeScheduled = "change_scheduled"
  case changeCancelled = "change_cancelled"
  case priceChanged = "price_changed"
  case priceAccepted = "price_accepted"
  case grantExpired = "grant_expired"
  case behaviourSet = "behaviour_set"
  case transferredIn = "transferred_in"
  case transferredOut = "transferred_out"
}

/// One line of a player's store log.
public struct ShopLogEntry: Sendable, Hashable {
  /// Counts from 1 and never repeats.
  public var number: Int
  /// The instant when it happened, in simulated time.
  public var at: Instant
  /// The event.
  public var event: ShopEvent
  /// The notification Apple's server would send; nil where it sends none.
  public var notification: ShopNotification?
  /// Its subtype.
  public var subtype: ShopNotificationSubtype?
  /// The transaction it is about.
  public var transaction: String?
  /// The product it is about, or the entitlement of a grant.
  public var subject: String?
  /// The call's error, the other player of a transfer until that one is forgotten, a price.
  public var detail: String?
}
