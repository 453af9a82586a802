// The terms of a product that a player is shown before buying.

extension Product {
  /// The currency of a purchase that names none: US dollars if there is such a price, else the first by its code.
  public var usualCurrency: String? { price["USD"] != nil ? "USD" : price.keys.min() }
}

extension Subscription {
  /// The introductory offer that a purchase now would be made under; nil for a player who has had one of the group, or changes plans, as at Apple.
  public func introductoryOffer(for ledger: Ledger) -> Intro? {
    let isRunning = ledger.subscription(group: group)?.isRunning ?? false
    return isRunning || ledger.transactions.contains { $0.group == group && $0.offer != nil } ? nil : intro
  }
}
