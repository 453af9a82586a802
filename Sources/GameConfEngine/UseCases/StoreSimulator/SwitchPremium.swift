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
  /// - Throws: `.simulator` (`UNKNOWN_PRODUCT` where the catalog names none, and what a purchase is refused with), `.unknownGame`, `.notAPlayer`,
  ///   a rate limit, `.reason`, `.changedMeanwhile`, `.repeatedWithOtherContent`, `.store`.
  public func callAsFunction(
    _ id: PlayerID, isOn: Bool, _ change: PlayerChange, remembering: Remembering<PlayerChanged<StoreOutcome>, PlayerRefusal>? = nil
  ) async throws(PlayerRefusal) -> Answered<PlayerChanged<StoreOutcome>> {
    let desk = desk
    try desk.rates.countWrite(by: change.author.uid)
    return try await desk.store.change(
      WriteMode(isDryRun: change.isDryRun), remembering: remembering, reused: .repeatedWithOtherContent
    ) { turn in
      var edit = try LedgerEdit(desk, turn, id, change)
      guard let product = edit.catalog.premium else {
        throw PlayerRefusal.simulator(
          SimulatorRefusal(.unknownProduct, "The catalog of \(id.game) names no `premium` product; buy one of its products by name."))
      }
      let owned = edit.ledger.givingTransactions(of: product)
      var outcome = StoreOutcome(.kept, transaction: owned.last)
      if isOn, owned.isEmpty {
        try edit.requireAdmission()
        outcome = try edit.act(.purchase(product: product))
      } else if !isOn {
        for transaction in owned { outcome = try edit.act(.refund(transaction)) }
      }
      let detail = outcome.adding(to: ["product": .string(product), "on": .bool(isOn)])
      return PlayerChanged(outcome: outcome, player: try edit.commit(.premiumSwitched, detail: detail))
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
