// The actions on one transaction, with their words.

/// An action that needs only a transaction, in the order of a purchase's life cycle.
///
/// The raw value is its word in paths, scenarios and the audit log.
public enum TransactionAct: String, Sendable, Hashable, CaseIterable {
  case approve, decline
  /// Ends the interruption of a purchase, which then succeeds.
  case resolve
  /// Marks a transaction as delivered by the game.
  case finish
  /// Ends the present period and begins the next.
  case renew
  /// Turns automatic renewal off.
  case cancel
  case renewalOn = "renewal_on"
  /// Ends the present period with a failed renewal. The store's behaviour decides about the grace period.
  case billingRetry = "billing_retry"
  /// Makes the payment that is being retried succeed.
  case recover
  case acceptPrice = "accept_price"
  /// Ends a subscription immediately.
  case expire
  case refund
  case refundDecline = "refund_decline"
  /// Revokes access without a refund, as when Family Sharing ends. It also applies to grants.
  case revoke
}
