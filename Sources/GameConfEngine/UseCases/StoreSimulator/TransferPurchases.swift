// A restore that brings along what another player of the game bought.
public import GameConfCore

/// What a transfer came to, for both players.
public struct PurchasesTransferred: Sendable {
  /// What came of it; `delivered` has what was moved.
  public var outcome: StoreOutcome
  /// The player who has the purchases now, as stored from then on.
  public var player: StoredPlayer
  /// The player who had them.
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
  /// - Throws: `.simulator` (`SAME_PLAYER`, `SUBSCRIPTION_CONFLICT`, `CLOCK_BACKWARDS`, `TOO_MANY_TRANSACTIONS`, and where the catalog admits no
  ///   purchases), `.unknownGame`, `.notAPlayer`, a rate limit, `.reason`, `.changedMeanwhile`, `.repeatedWithOtherContent`, `.store`.
  public func callAsFunction(
    _ id: PlayerID, from other: String, _ change: PlayerChange, remembering: Remembering<PurchasesTransferred, PlayerRefusal>? = nil
  ) async throws(PlayerRefusal) -> Answered<PurchasesTransferred> {
    let desk = desk
    try desk.rates.countWrite(by: change.author.uid)
    return try await desk.store.change(
      WriteMode(isDryRun: change.isDryRun), remembering: remembering, reused: .repeatedWithOtherContent
    ) { turn in
      var here = try LedgerEdit(desk, turn, id, change)
      var there = try LedgerEdit(desk, turn, PlayerID(game: id.game, player: other), change)
      try here.requireAdmission()
      let outcome: StoreOutcome
      do throws(SimulatorRefusal) {
        let moved = try here.ledger.transferring(from: there.ledger, now: here.before.now, othersNow: there.before.now)
        here.replace(moved.ledger)
        there.replace(moved.other)
        outcome = moved.outcome
      } catch { throw PlayerRefusal.simulator(error) }
      let transactions = Value.list(outcome.delivered.map(Value.string))
      return PurchasesTransferred(
        outcome: outcome,
        player: try here.commit(.purchasesTransferred, detail: ["from_player": .string(other), "transactions": transactions]),
        other: try there.commit(.purchasesTransferred, detail: ["to_player": .string(id.player), "transactions": transactions]))
    }
  }
}
