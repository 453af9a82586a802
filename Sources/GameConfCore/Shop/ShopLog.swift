// The log of the simulated store. Each entry has the notification that Apple's server would send for the event.

/// The notification types of Apple's App Store Server Notifications V2.
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

/// The notification subtypes of Apple's App Store Server Notifications V2.
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

/// The events that the store's log records. Apple's server would not send a notification for each of them.
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

/// An entry of the store's log for a player.
public struct ShopLogEntry: Sendable, Hashable {
  /// The number of the entry in the player's log, counted from 1 and never reused.
  public var number: Int
  /// The instant of the event, by the player's simulated clock.
  public var at: Instant
  /// The event that the entry records. Not every event has a notification of Apple's.
  public var event: ShopEvent
  /// The notification that Apple's server would send for the event; nil if it would send no notification.
  public var notification: ShopNotification?
  /// The subtype that Apple would give to the notification; nil if there is no subtype.
  public var subtype: ShopNotificationSubtype?
  /// The id of the transaction that the event is about; nil if it is about no transaction.
  public var transaction: String?
  /// The id of the product that the event is about, or the entitlement of a grant; nil if there is neither.
  public var subject: String?
  /// A text whose meaning depends on the event, such as the error of a failed call or a new price; nil if the event has no text. For a
  /// transfer it is the id of the other player, until that player is forgotten.
  public var detail: String?
}
