// The currency and the introductory offer that a player sees before a purchase.

extension Product {
  /// The currency code for a purchase that names no currency. The code is USD if the product has a price in US dollars, else the
  /// alphabetically first code. It is nil if the product has no price.
  public var usualCurrency: String? { price["USD"] != nil ? "USD" : price.keys.min() }
}

extension Subscription {
  /// Returns the introductory offer that applies to a purchase of the subscription. As in Apple's store, it is nil if the player already
  /// had an offer in the group, or has an active subscription there.
  public func introductoryOffer(for ledger: Ledger) -> Intro? {
    let isRunning = ledger.subscription(group: group)?.isRunning ?? false
    return isRunning || ledger.transactions.contains { $0.group == group && $0.offer != nil } ? nil : intro
  }
}
