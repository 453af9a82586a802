// The names that foreign clients have for a player and for a purchase: aliases, and the tokens of receipts.

extension Ledger {
  /// The id of the purchase that the receipt with that token made.
  public func transaction(withToken digest: String) -> String? { transactions.first { $0.tokenDigest == digest }?.id }

  /// This ledger with the token of the receipt that a transaction was made by.
  public func naming(_ transaction: String, byToken digest: String) -> Ledger {
    guard let at = index(of: transaction), transactions[at].tokenDigest == nil else { return self }
    var named = self
    named.transactions[at].tokenDigest = digest
    return named
  }

  /// Makes an anonymous id another name of this player: what lasts of its purchases moves here.
  ///
  /// Where a subscription of the same group runs for both, or this player has an anonymous id already, nothing moves and the two stay apart, as
  /// two users do who were known before.
  /// - Parameters:
  ///   - now: this player's simulated time.
  ///   - othersNow: the anonymous id's.
  /// - Returns: both ledgers; nil if the two stay apart.
  /// - Throws: What ``transferring(from:now:othersNow:)`` throws otherwise.
  public func adopting(
    _ anonymous: Ledger, now: Instant, othersNow: Instant
  ) throws(Refusal) -> (ledger: Ledger, anonymous: Ledger, outcome: ShopOutcome)? {
    guard alias == nil, aliasOf == nil, anonymous.alias == nil, anonymous.aliasOf == nil else { return nil }
    var moved: (ledger: Ledger, other: Ledger, outcome: ShopOutcome)
    do throws(Refusal) { moved = try transferring(from: anonymous, now: now, othersNow: othersNow) } catch {
      if error.code == .subscriptionConflict || error.code == .clockBackwards { return nil }
      throw error
    }
    moved.ledger.alias = anonymous.player
    moved.other.aliasOf = player
    moved.ledger.partners.insert(ByteText(anonymous.player))
    moved.other.partners.insert(ByteText(player))
    return (moved.ledger, moved.other, moved.outcome)
  }
}
