// The currency and the introductory offer that a player sees before a purchase.

extension Product {
  /// The default currency: US dollars if the product has a price in it, else the alphabetically first code.
  public var usualCurrency: String? { price["USD"] != nil ? "USD" : price.keys.min() }
}

extension Subscription {
  /// Returns the introductory offer of a purchase; nil if the player had one in the group before or is changing plans, as in Apple's store.
  public func introductoryOffer(for ledger: Ledger) -> Intro? {
    let isRunning = ledger.subscription(group: group)?.isRunning ?? false
    return isRunning || ledger.transactions.contains { $0.group == group && $0.offer != nil } ? nil : intro
  }
}
