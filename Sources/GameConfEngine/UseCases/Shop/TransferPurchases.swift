// A restore that brings along what another player of the game bought.
public import GameConfCore

/// What a transfer came to.
public struct PurchasesTransferred: Sendable {
  /// What came of it; `delivered` has what was moved.
  public var outcome: ShopOutcome
  /// The player who had the purchases, as stored from then on.
  public var other: StoredPlayer
}

/// Moves what lasts of one player's purchases to another player, as RevenueCat does when a restore finds them with another user.
///
/// Both players change in one turn, each by their own simulated time. Consumables, grants and open purchases stay where they are.
public struct TransferPurchases: Sendable {
  private let desk: PlayerDesk

  /// A use case at a desk.
  public init(_ desk: PlayerDesk) { self.desk = desk }

  /// Moves the purchases of `other` to the player.
  /// - Returns: what was moved; `player` is the one who has it now.
  /// - Throws: `.refused` (`SAME_PLAYER`, `SUBSCRIPTION_CONFLICT`, `CLOCK_BACKWARDS`, `TOO_MANY_TRANSACTIONS`, `TOO_MANY_TRANSFERS`, and where the catalog admits no
  ///   purchases), and what every change of a player throws.
  public func callAsFunction(
    _ id: PlayerID, from other: String, _ change: Change,
    remembering: Remembering<PlayerChanged<PurchasesTransferred>, PlayerRefusal>? = nil
  ) async throws(PlayerRefusal) -> Answered<PlayerChanged<PurchasesTransferred>> {
    // Two players are written: neither may be decided again once the other is.
    let scope = WriteScope.players([id, PlayerID(game: id.game, player: other)])
    return try await desk.change(id, change, scope: scope, trustsMemory: false, remembering: remembering) { edit in
      guard ScenarioNames.scenario(ofPlayer: id.player) == ScenarioNames.scenario(ofPlayer: other) else {
        throw PlayerRefusal.acrossScenario(other)
      }
      var here = LedgerEdit(edit)
      var there = LedgerEdit(try edit.beside(other))
      try here.requireAdmission()
      let moved = try here.ledger.transferring(from: there.ledger, now: edit.view.now, othersNow: there.edit.view.now)
      here.replace(moved.ledger)
      there.replace(moved.other)
      let transactions = Value.list(moved.outcome.delivered.map(Value.string))
      let left = try there.commit(
        moved.outcome, .purchasesTransferred, ["to_player": .string(id.player), "transactions": transactions])
      return try here.commit(
        PurchasesTransferred(outcome: moved.outcome, other: left.player), .purchasesTransferred,
        ["from_player": .string(other), "transactions": transactions])
    }
  }
}
