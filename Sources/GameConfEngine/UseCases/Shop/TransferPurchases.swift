// A restore that brings along what another player of the game bought.
public import GameConfCore
public import GameConfStorage

/// The result of a transfer.
public struct PurchaseTransferOutcome: Sendable {
  /// The outcome; `delivered` has what was moved.
  public var outcome: ShopOutcome
  /// The player who had the purchases, as stored from then on.
  public var other: StoredPlayer
}

extension PlayerAct<PurchaseTransferOutcome> {
  /// Moves what lasts of another player's purchases to the player, as RevenueCat does when a restore finds them with another user.
  ///
  /// Both players change in one transaction, each by their own simulated time. Consumables, grants and open purchases stay where they are.
  ///
  /// It throws `.refused`: `SAME_PLAYER`, `SUBSCRIPTION_CONFLICT`, `CLOCK_BACKWARDS`, `TOO_MANY_TRANSACTIONS`, `TOO_MANY_TRANSFERS`, and
  /// where the catalog admits no purchases.
  public static func transferPurchases(from other: String) -> Self {
    // Two players are written: neither may be decided again once the other is.
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
