// The one switch of seed 000's admin panel: the premium product bought or taken back.
public import GameConfCore

extension PlayerAct<ShopOutcome> {
  /// Buys the product that the catalog names as `premium`, or ends whatever gives what it gives.
  ///
  /// On is a purchase like any other, with whatever the simulator is set to do with purchases. Off refunds every purchase of the product that
  /// still gives something or renews, and every other purchase that gives one of the product's own grants; grants by an admin are revoked. It is
  /// one transaction. To switch on what is on, or off what is off, changes nothing and is answered as kept.
  ///
  /// It throws `.refused`: `UNKNOWN_PRODUCT` where the catalog names none, and what a purchase is refused with.
  public static func switchPremium(isOn: Bool) -> Self {
    Self { edit in
      var shop = LedgerEdit(edit)
      guard let product = shop.catalog.premium else {
        throw Refusal(.unknownProduct, "The catalog of \(edit.id.game) names no “premium” product; buy one of its products by name.")
      }
      let owned = shop.ledger.givingTransactions(of: product)
      var outcome = ShopOutcome(.kept, transaction: owned.last)
      if isOn, owned.isEmpty {
        try shop.requireAdmission()
        outcome = try shop.act(.purchase(product: product))
      } else if !isOn {
        outcome = try shop.endPremium(product, owned) ?? outcome
      }
      return try shop.commit(outcome, .premiumSwitched, outcome.adding(to: ["product": .string(product), "on": .bool(isOn)]))
    }
  }
}

extension LedgerEdit {
  /// Ends the purchases of the product, and then whatever else gives one of its own grants.
  /// - Parameter owned: the purchases of the product that still give something or renew.
  /// - Returns: the outcome of the last, with the transactions that were ended; nil where nothing was.
  fileprivate mutating func endPremium(_ product: String, _ owned: [String]) throws -> ShopOutcome? {
    var ended: [String] = []
    var last: ShopOutcome?
    for transaction in owned {
      last = try act(.refund(transaction))
      ended.append(transaction)
    }
    let granted = Set(catalog.products.first { $0.id == product }?.grants ?? [])
    let grants = ProductGrants(catalog)
    let now = edit.view.now
    while let giver = ledger.giver(ofAnyOf: granted, grants, at: now, besides: ended) {
      last = try act(giver.product == nil ? .revoke(giver.id) : .refund(giver.id))
      ended.append(giver.id)
    }
    last?.ended = ended
    return last
  }
}

extension Ledger {
  /// The newest transaction that gives one of these entitlements at an instant.
  fileprivate func giver(
    ofAnyOf granted: Set<String>, _ grants: ProductGrants, at instant: Instant, besides ended: [String]
  ) -> ShopTransaction? {
    transactions.last { transaction in
      !ended.contains(transaction.id) && transaction.held?.contains(instant) ?? false
        && grants.entitlements(of: transaction).contains(where: granted.contains)
    }
  }

  /// The purchases of a product that still give something, or may again: of a subscription the period that runs.
  fileprivate func givingTransactions(of product: String) -> [String] {
    let running = Set(subscriptions.filter(\.isRunning).map(\.transaction))
    return transactions.filter { transaction in
      transaction.product == product && transaction.isKept && (transaction.kind != .autoRenewable || running.contains(transaction.id))
    }.map(\.id)
  }
}
