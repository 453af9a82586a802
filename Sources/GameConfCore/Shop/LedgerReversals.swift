// The actions that end or give access without a purchase: refunds, revocations, grants by an admin, and the deletion of transactions.

extension Ledger {
  mutating func takeBack(_ id: String, as revocation: ShopTransaction.Revocation, _ now: Instant) throws(Refusal) -> ShopOutcome {
    let at = try requireIndex(of: id)
    let found = transactions[at]
    guard found.state == .purchased else {
      throw Refusal(.notPurchased, "The transaction is \(found.state.rawValue); only what was bought can be taken back.")
    }
    if revocation == .refunded, found.product == nil {
      throw Refusal(.notRefundable, "A grant was not paid for; revoke it instead.")
    }
    if let taken = found.revocation, let instant = found.revokedAt {
      throw Refusal(
        taken == .refunded ? .alreadyRefunded : .alreadyRevoked, "The transaction was \(taken.rawValue) at \(instant.text) already.")
    }
    transactions[at].revokedAt = now
    transactions[at].revocation = revocation
    openGrants.removeAll { $0.transaction == id }
    let isRefund = revocation == .refunded
    record(
      isRefund ? .refunded : .revoked, at: now, found.product == nil ? nil : isRefund ? .refund : .revoke, about: transactions[at])
    if let line = subscriptions.firstIndex(where: { $0.transaction == id && $0.isRunning }) {
      if subscriptions[line].renews, isRefund {
        record(.renewalOff, at: now, .didChangeRenewalStatus, .autoRenewDisabled, about: transactions[at])
      }
      close(line, as: .revoked)
    }
    return ShopOutcome(.success, transaction: id)
  }

  mutating func declineRefund(of id: String, _ now: Instant) throws(Refusal) -> ShopOutcome {
    let at = try requireIndex(of: id)
    let found = transactions[at]
    guard found.state == .purchased else {
      throw Refusal(.notPurchased, "The transaction is \(found.state.rawValue); there is no requested refund of it.")
    }
    guard found.product != nil else { throw Refusal(.notRefundable, "A grant was not paid for.") }
    if let instant = found.revokedAt {
      throw Refusal(
        .alreadyRefunded, "The transaction was \(found.revocation?.rawValue ?? "refunded") at \(instant.text) already.")
    }
    record(.refundDeclined, at: now, .refundDeclined, about: found)
    return ShopOutcome(.success, transaction: id)
  }

  mutating func grant(
    _ entitlement: String, _ period: CalendarPeriod?, _ catalog: Catalog, _ now: Instant
  ) throws(Refusal) -> ShopOutcome {
    let known = ProductGrants(catalog).all
    guard known.contains(entitlement) else {
      let hint = NearestNames.hint(for: entitlement, among: known)
      throw Refusal(
        .unknownEntitlement, "No product of \(catalog.game) grants “\(JSONPointer.clipped(entitlement, bytesMax: 128))”.\(hint)")
    }
    var end: Instant?
    if let period {
      guard (1...CalendarPeriod.countMax).contains(period.count) else {
        throw Refusal(
          .invalidPeriod, "A grant lasts for 1 to \(CalendarPeriod.countMax) days, weeks, months or years, like P7D or P1M.")
      }
      guard let instant = now.adding(period) else { throw Refusal(.outsideCalendar, "The grant would end after the year 9999.") }
      end = instant
    }
    try requireCapacity()
    var transaction = makeTransaction(.grant(entitlement: entitlement), .grant, at: now)
    transaction.expiresAt = end
    transaction.finishedAt = now
    transactions.append(transaction)
    if let end {
      let place = openGrants.firstIndex { $0.at > end } ?? openGrants.count
      openGrants.insert(ExpiringGrant(at: end, transaction: transaction.id), at: place)
    }
    record(.granted, at: now, about: transaction)
    return ShopOutcome(.success, transaction: transaction.id)
  }

  mutating func delete(_ id: String, _ catalog: Catalog, _ now: Instant) throws(Refusal) -> ShopOutcome {
    let at = try requireIndex(of: id)
    remember([transactions[at]], catalog, now)
    record(.deleted, at: now, about: transactions[at])
    transactions.remove(at: at)
    subscriptions.removeAll { $0.transaction == id }
    openGrants.removeAll { $0.transaction == id }
    return ShopOutcome(.success, transaction: id)
  }

  mutating func clear(_ catalog: Catalog, _ now: Instant) -> ShopOutcome {
    remember(transactions, catalog, now)
    transactions = []
    subscriptions = []
    openGrants = []
    log = []
    record(.cleared, at: now)
    return ShopOutcome(.success)
  }

  /// Stores the instants at which deleted transactions last granted their entitlements, because the event counters of ads restart at these
  /// instants.
  private mutating func remember(_ gone: [ShopTransaction], _ catalog: Catalog, _ now: Instant) {
    let grants = ProductGrants(catalog)
    for transaction in gone {
      guard let held = transaction.held, held.from <= now else { continue }
      let last = held.until.map { min($0, now) } ?? now
      for entitlement in grants.entitlements(of: transaction) { heldBefore[entitlement] = max(heldBefore[entitlement] ?? last, last) }
    }
  }
}
