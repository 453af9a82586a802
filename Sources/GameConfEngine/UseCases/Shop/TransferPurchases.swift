// Transfers another player's purchases in a restore.
public import GameConfCore
public import GameConfStorage

/// The outcome of a transfer between two players.
public struct PurchaseTransferOutcome: Sendable {
  /// The result of the restore that causes the transfer; its `delivered` has the moved purchases.
  public var outcome: ShopOutcome
  /// The other player, as stored after the transfer.
  public var other: StoredPlayer
}

extension PlayerAct<PurchaseTransferOutcome> {
  /// Moves another player's permanent purchases to the player, as RevenueCat does when a restore finds them with another user.
  ///
  /// Both players change in one transaction, each in their own simulated time. Consumables, grants and open purchases are not moved.
  ///
  /// It throws `.refused`: `SAME_PLAYER`, `SUBSCRIPTION_CONFLICT`, `CLOCK_BACKWARDS`, `TOO_MANY_TRANSACTIONS`, `TOO_MANY_TRANSFERS`, and
  /// if the catalog does not permit purchases.
  public static func transferPurchases(from other: String) -> Self {
    // The change reads the stored rows instead of the cache: a change on stale rows is decided again, which must not happen after the
    // second player is written.
    Self(reach: .players(and: other), trustsMemory: false) { edit in
      guard ScenarioNames.scenario(ofPlayer: edit.id.player) == ScenarioNames.scenario(ofPlayer: other) else {
        throw ChangeRefusal.acrossScenario(other)
      }
      var here = LedgerEdit(edit)
      var there = LedgerEdit(try edit.beside(other))
      try here.requireAdmission()
      let moved = try here.ledger.transferring(from: there.ledger, now: edit.view.now, othersNow: there.edit.view.now)
      here.replace(moved.ledger)
      there.replace(moved.other)
      let transactions = Value.list(moved.outcome.delivered.map(Value.string))
      let left = try there.commit(
        moved.outcome, .purchasesTransferred, ["to_player": .string(edit.id.player), "transactions": transactions])
      return try here.commit(
        PurchaseTransferOutcome(outcome: moved.outcome, other: left.player), .purchasesTransferred,
        ["from_player": .string(other), "transactions": transactions])
    }
  }
}
