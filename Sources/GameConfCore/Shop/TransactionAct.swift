// The actions on one transaction of the simulated store, with their words in the interfaces.

/// An action that needs no argument besides a transaction. The cases are in the order of a purchase's life cycle.
///
/// The raw value is the action's word in paths, scenarios and the audit log.
public enum TransactionAct: String, Sendable, Hashable, CaseIterable {
  case approve, decline
  /// Ends the interruption of a purchase, so that the purchase succeeds.
  case resolve
  /// Marks a purchased transaction as delivered by the game.
  case finish
  /// Ends the present period of a subscription and begins the next one.
  case renew
  /// Turns the automatic renewal of a subscription off.
  case cancel
  case renewalOn = "renewal_on"
  /// Ends the present period of a subscription with a failed renewal. The simulated behaviour decides about the grace period.
  case billingRetry = "billing_retry"
  /// Makes the payment that is being retried succeed.
  case recover
  case acceptPrice = "accept_price"
  /// Ends a subscription immediately.
  case expire
  case refund
  case refundDecline = "refund_decline"
  /// Revokes access without a refund, as when Family Sharing ends. An admin's grant can be revoked too.
  case revoke
}
