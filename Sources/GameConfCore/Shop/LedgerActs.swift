// Applies an action to a ledger: adds the renewals and expiries that are due, and then executes or rejects the action.

extension Ledger {
  /// Returns the ledger after an action at the simulated store, and the action's outcome.
  /// - Parameters:
  ///   - now: The present by the player's clock. If it is before the ledger's last write, the instant of that write is used.
  /// - Throws: ``Refusal``, without changing this ledger.
  public func after(_ act: ShopAct, catalog: Catalog, now: Instant) throws(Refusal) -> (ledger: Ledger, outcome: ShopOutcome) {
    guard (Instant.earliest...Instant.latest).contains(now) else {
      throw Refusal(.outsideCalendar, "The calendar goes from 0001 to 9999.")
    }
    var ledger = settled(at: now)
    let outcome = try ledger.act(act, catalog, ledger.settledUntil)
    ledger.trimLog()
    return (ledger, outcome)
  }

  /// Returns the actions on a transaction that would succeed now and change something; empty if the transaction does not exist.
  ///
  /// Each action is tried on a copy of the ledger, so the answer cannot differ from the action itself. Actions that need further arguments,
  /// such as a price, are not included.
  public func acceptedActs(on id: String, catalog: Catalog, now: Instant) -> [TransactionAct] {
    let settled = settled(at: now)
    return TransactionAct.allCases.filter { act in
      var ledger = settled
      do throws(Refusal) { return try ledger.act(act, on: id, catalog, ledger.settledUntil).status != .retained } catch { return false }
    }
  }

  private mutating func act(_ act: ShopAct, _ catalog: Catalog, _ now: Instant) throws(Refusal) -> ShopOutcome {
    switch act {
    case .loadProducts: loadProducts(now)
    case .purchase(let product, let currency): try purchase(product, currency, catalog, now)
    case .restore: restore(now)
    case .transaction(let act, let id): try self.act(act, on: id, catalog, now)
    case .billingRetry(let id, let grace): try failBilling(id, grace, now)
    case .changePrice(let id, let price, let needsConsent): try changePrice(id, price, needsConsent, now)
    case .grant(let entitlement, let period): try grant(entitlement, period, catalog, now)
    case .behave(let behaviour): try behave(behaviour, now)
    case .delete(let id): try delete(id, catalog, now)
    case .clear: clear(catalog, now)
    }
  }

  private mutating func act(
    _ act: TransactionAct, on id: String, _ catalog: Catalog, _ now: Instant
  ) throws(Refusal) -> ShopOutcome {
    switch act {
    case .approve: try approve(id, catalog, now)
    case .decline: try decline(id, now)
    case .resolve: try resolve(id, catalog, now)
    case .finish: try finish(id, now)
    case .renew: try renewNow(id, now)
    case .cancel: try switchRenewalOff(id, now)
    case .renewalOn: try switchRenewalOn(id, now)
    case .billingRetry: try failBilling(id, nil, now)
    case .recover: try recover(id, now)
    case .acceptPrice: try acceptPrice(id, now)
    case .expire: try expireNow(id, now)
    case .refund: try takeBack(id, as: .refunded, now)
    case .refundDecline: try declineRefund(of: id, now)
    case .revoke: try takeBack(id, as: .revoked, now)
    }
  }

  private mutating func loadProducts(_ now: Instant) -> ShopOutcome {
    guard let error = behaviour.takeFailure(of: .loadProducts) else { return ShopOutcome(.success) }
    record(.failed, at: now, detail: "\(SimulatedCall.loadProducts.rawValue): \(error.rawValue)")
    return ShopOutcome(.failed, error: error)
  }

  private mutating func behave(_ behaviour: ShopBehaviour, _ now: Instant) throws(Refusal) -> ShopOutcome {
    try behaviour.check()
    self.behaviour = behaviour
    record(.behaviourSet, at: now)
    return ShopOutcome(.success)
  }

  private mutating func finish(_ id: String, _ now: Instant) throws(Refusal) -> ShopOutcome {
    let at = try requireIndex(of: id)
    guard transactions[at].state == .purchased else {
      throw Refusal(.notPurchased, "The transaction is \(transactions[at].state.rawValue); only what was bought is finished.")
    }
    if let finished = transactions[at].finishedAt {
      throw Refusal(.alreadyFinished, "The transaction was finished at \(finished.text) already.")
    }
    transactions[at].finishedAt = now
    record(.finished, at: now, about: transactions[at])
    return ShopOutcome(.success, transaction: id)
  }

  /// Delivers valid and unfinished purchases again, and verifies purchases whose verification had failed.
  private mutating func restore(_ now: Instant) -> ShopOutcome {
    if let error = behaviour.takeFailure(of: .restore) {
      record(.failed, at: now, detail: "\(SimulatedCall.restore.rawValue): \(error.rawValue)")
      return ShopOutcome(error == .userCancelled ? .cancelled : .failed, error: error)
    }
    for at in transactions.indices where transactions[at].unverified != nil && behaviour.failures[.verification] == nil {
      transactions[at].unverified = nil
      transactions[at].verifiedAt = now
      record(.verified, at: now, about: transactions[at])
    }
    let delivered = transactions.filter { transaction in
      if transaction.isUnfinished { return true }
      guard transaction.product != nil, transaction.kind != .consumable, transaction.state == .purchased else { return false }
      return transaction.held?.contains(now) ?? false
    }
    record(.restored, at: now, detail: "\(delivered.count)")
    return ShopOutcome(.success, delivered: delivered.map(\.id))
  }
}
