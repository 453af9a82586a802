// Transfers purchases from one player to another, as RevenueCat does when another user restores the purchases.

extension Ledger {
  /// Moves all lasting purchases from another player's ledger to this one: non-consumables, non-renewing purchases, and subscriptions with
  /// their history.
  ///
  /// Consumables, grants and open purchases stay with the other player, and so does any non-consumable that this player already owns.
  /// Transaction ids do not change, unless this ledger already contains the id. This happens if the other player was forgotten, because the
  /// numbers in that player's transaction ids then start from 1 again. The moved transaction gets a new id of this player.
  /// - Parameters:
  ///   - now: The present by this player's clock.
  ///   - othersNow: The present by the other player's clock.
  /// - Throws: `SAME_PLAYER`; `SUBSCRIPTION_CONFLICT` if a subscription of the same group is active in this ledger; `CLOCK_BACKWARDS` if a
  ///   moved purchase is later than the present of this player; `TOO_MANY_TRANSACTIONS`; `TOO_MANY_TRANSFERS` if one of the two would have
  ///   exchanged purchases with more than ``partnersMax`` players.
  public func transferring(
    from other: Ledger, now: Instant, othersNow: Instant
  ) throws(Refusal) -> (ledger: Ledger, other: Ledger, outcome: ShopOutcome) {
    guard other.game == game, !ByteText.areSame(other.player, player) else {
      throw Refusal(.samePlayer, "Purchases are transferred from another player of the same game.")
    }
    var here = settled(at: now)
    var there = other.settled(at: othersNow)
    let owned = Set(here.transactions.filter { $0.kind == .nonConsumable && $0.isOwned }.compactMap(\.product))
    let moving = there.transactions.filter { transaction in
      switch transaction.kind {
      case .nonConsumable: transaction.isOwned && !owned.contains(transaction.product ?? "")
      case .nonRenewing: transaction.isOwned
      case .autoRenewable: transaction.state == .purchased
      case .consumable, nil: false
      }
    }
    let groups = Set(moving.compactMap(\.group))
    if let running = here.subscriptions.first(where: { groups.contains($0.group) && $0.isRunning }) {
      throw Refusal(
        .subscriptionConflict, "A subscription of the group “\(running.group)” runs for both players; expire one first.")
    }
    if let latest = moving.map(\.purchasedAt).max(), latest > here.settledUntil {
      throw Refusal(.clockBackwards, "The transferred purchase was made at \(latest.text); move this player's clock there first.")
    }
    guard here.transactions.count + moving.count <= Self.transactionsMax else {
      throw Refusal(
        .tooManyTransactions, "The player would have more than \(Self.transactionsMax) transactions; clear the history to go on.")
    }
    if !moving.isEmpty {
      here.partners.insert(ByteText(other.player))
      there.partners.insert(ByteText(player))
    }
    guard max(here.partners.count, there.partners.count) <= Self.partnersMax else {
      throw Refusal(
        .tooManyTransfers,
        "Purchases were exchanged with \(Self.partnersMax) other players, the most there may be; forget one of them to go on.")
    }
    let ids = Set(moving.map(\.id))
    here.countOn(from: ids)
    let known = Set(here.transactions.map(\.id))
    var renamed: [String: String] = [:]
    for transaction in moving where known.contains(transaction.id) { renamed[transaction.id] = here.makeID() }
    here.subscriptions.removeAll { line in groups.contains(line.group) }
    for var line in there.subscriptions where groups.contains(line.group) {
      line.originalID = renamed[line.originalID] ?? line.originalID
      line.transaction = renamed[line.transaction] ?? line.transaction
      here.subscriptions.append(line)
    }
    there.subscriptions.removeAll { groups.contains($0.group) }
    there.transactions.removeAll { ids.contains($0.id) }
    var delivered: [String] = []
    for var transaction in moving {
      there.record(.transferredOut, at: there.settledUntil, about: transaction, detail: player)
      transaction.id = renamed[transaction.id] ?? transaction.id
      transaction.originalID = renamed[transaction.originalID] ?? transaction.originalID
      transaction.transferredFrom = other.player
      transaction.verifiedAt = here.settledUntil
      here.record(.transferredIn, at: here.settledUntil, about: transaction, detail: other.player)
      here.transactions.append(transaction)
      delivered.append(transaction.id)
    }
    here.settle(at: here.settledUntil)
    there.trimLog()
    return (here, there, ShopOutcome(.success, delivered: delivered))
  }

  /// Returns the ledger without the id of another player, who is to be forgotten; nil if the ledger does not contain the id.
  ///
  /// Transactions and log entries lose the origin of a transfer, and are not changed otherwise. Due renewals and expiries are not added, so
  /// the result does not depend on the time of the call.
  public func forgetting(_ other: String) -> Ledger? {
    let name = ByteText(other)
    var ledger = self
    var isNamed = ledger.partners.remove(name) != nil
    if alias.map(ByteText.init) == name { ledger.alias = nil }
    if aliasOf.map(ByteText.init) == name { ledger.aliasOf = nil }
    for at in transactions.indices where transactions[at].transferredFrom.map(ByteText.init) == name {
      ledger.transactions[at].transferredFrom = nil
      isNamed = true
    }
    for at in log.indices where log[at].partner == name {
      ledger.log[at].detail = nil
      isNamed = true
    }
    return isNamed ? ledger : nil
  }

  /// The ids of the other players that occur in transactions or log entries of this ledger.
  var named: Set<ByteText> {
    Set(transactions.compactMap { $0.transferredFrom.map(ByteText.init) } + log.compactMap(\.partner))
  }
}

extension ShopLogEntry {
  /// The id of the other player if the entry records a transfer; else nil.
  fileprivate var partner: ByteText? { event == .transferredIn || event == .transferredOut ? detail.map(ByteText.init) : nil }
}

extension ShopTransaction {
  /// True if the transaction was purchased and neither refunded nor revoked.
  public var isOwned: Bool { state == .purchased && revokedAt == nil }
}
