// The names that external clients use for a player and for a purchase: aliases and receipt tokens.

extension Ledger {
  /// Returns the id of the transaction whose receipt token has this digest; nil if there is no such transaction.
  public func transaction(withToken digest: String) -> String? { transactions.first { $0.tokenDigest == digest }?.id }

  /// Returns the ledger with the digest of a receipt token added to a transaction. A transaction that already has a digest is not changed.
  public func naming(_ transaction: String, byToken digest: String) -> Ledger {
    guard let at = index(of: transaction), transactions[at].tokenDigest == nil else { return self }
    var named = self
    named.transactions[at].tokenDigest = digest
    return named
  }

  /// Makes an anonymous id an alias of this player, and moves its lasting purchases to this player.
  ///
  /// Nothing moves if one of the two already has an alias or is one, if both have a subscription of the same group, or if a purchase would
  /// be in the future of this player's clock. The two ids then stay separate players.
  /// - Parameters:
  ///   - anonymous: The ledger of the anonymous id.
  ///   - now: The present by this player's clock.
  ///   - othersNow: The present by the anonymous id's clock.
  /// - Returns: Both ledgers; nil if they stay separate.
  /// - Throws: ``Refusal`` of ``transferring(from:now:othersNow:)`` for any other reason.
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
