// The one switch of seed 000's admin panel: the premium product bought or taken back.
public import GameConfCore

/// Buys the product that the catalog names as `premium`, or refunds it.
///
/// On is a purchase like any other, with whatever the simulator is set to do with purchases; off refunds every purchase of the product that
/// still gives something or renews. To switch on what is on, or off what is off, changes nothing and is answered as kept.
public struct SwitchPremium: Sendable {
  private let desk: PlayerDesk

  /// A use case at a desk.
  public init(_ desk: PlayerDesk) { self.desk = desk }

  /// Switches it.
  /// - Throws: `.simulator` (`UNKNOWN_PRODUCT` where the catalog names none, and what a purchase is refused with), and what every change of a
  ///   player throws.
  public func callAsFunction(
    _ id: PlayerID, isOn: Bool, _ change: Change, remembering: Remembering<PlayerChanged<ShopOutcome>, PlayerRefusal>? = nil
  ) async throws(PlayerRefusal) -> Answered<PlayerChanged<ShopOutcome>> {
    try await desk.change(id, change, remembering: remembering) { edit in
      var shop = LedgerEdit(edit)
      guard let product = shop.catalog.premium else {
        throw ShopRefusal(.unknownProduct, "The catalog of \(id.game) names no “premium” product; buy one of its products by name.")
      }
      let owned = shop.ledger.givingTransactions(of: product)
      var outcome = ShopOutcome(.kept, transaction: owned.last)
      if isOn, owned.isEmpty {
        try shop.requireAdmission()
        outcome = try shop.act(.purchase(product: product))
      } else if !isOn {
        for transaction in owned { outcome = try shop.act(.refund(transaction)) }
      }
      return try shop.commit(outcome, .premiumSwitched, outcome.adding(to: ["product": .string(product), "on": .bool(isOn)]))
    }
  }
}

extension Ledger {
  /// The purchases of a product that still give something, or may again: of a subscription the period that runs.
  fileprivate func givingTransactions(of product: String) -> [String] {
    let running = Set(subscriptions.filter(\.isRunning).map(\.transaction))
    return transactions.filter { transaction in
      transaction.product == product && transaction.isKept && (transaction.kind != .autoRenewable || running.contains(transaction.id))
    }.map(\.id)
  }
}
