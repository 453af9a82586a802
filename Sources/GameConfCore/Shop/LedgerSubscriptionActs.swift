// The actions of an admin on an active subscription: end, renew and cancel it, and simulate billing problems and price changes.

extension Ledger {
  /// Returns the index of the subscription to which a transaction belongs. Any purchased transaction of the subscription group identifies
  /// the subscription.
  private func requireLine(_ id: String) throws(Refusal) -> Int {
    let transaction = transactions[try requireIndex(of: id)]
    guard transaction.state == .purchased else {
      throw Refusal(.notPurchased, "The transaction is \(transaction.state.rawValue), not bought.")
    }
    guard let group = transaction.group, let at = subscriptions.firstIndex(where: { $0.group == group }) else {
      throw Refusal(.notASubscription, "The transaction “\(transaction.id)” is not of a subscription.")
    }
    return at
  }

  private func requireRunning(_ id: String) throws(Refusal) -> Int {
    let at = try requireLine(id)
    guard subscriptions[at].isRunning else {
      let state = subscriptions[at].state.rawValue
      throw Refusal(.subscriptionEnded, "The subscription is \(state); buy it again instead.")
    }
    return at
  }

  private func requireSubscribed(_ id: String) throws(Refusal) -> Int {
    let at = try requireRunning(id)
    if subscriptions[at].isRetried {
      throw Refusal(.inBillingRetry, "Billing is being retried; recover or expire the subscription first.")
    }
    return at
  }

  private func current(_ at: Int) -> ShopTransaction? { transaction(subscriptions[at].transaction) }

  mutating func expireNow(_ id: String, _ now: Instant) throws(Refusal) -> ShopOutcome {
    let at = try requireRunning(id)
    expire(at, at: now, subscriptions[at].isRetried ? .billingRetry : subscriptions[at].renews ? nil : .voluntary)
    return ShopOutcome(.success, transaction: subscriptions[at].transaction)
  }

  mutating func renewNow(_ id: String, _ now: Instant) throws(Refusal) -> ShopOutcome {
    let at = try requireSubscribed(id)
    guard subscriptions[at].renews else { throw Refusal(.renewalIsOff, "Renewal is switched off; switch it on first.") }
    try requireCapacity()
    let ended = subscriptions[at].transaction
    guard renew(at, at: now, .renewed, from: now) else {
      throw Refusal(.outsideCalendar, "The next period would end after the year 9999.")
    }
    if let index = index(of: ended) { transactions[index].expiresAt = now }
    return ShopOutcome(.success, transaction: subscriptions[at].transaction)
  }

  mutating func switchRenewalOff(_ id: String, _ now: Instant) throws(Refusal) -> ShopOutcome {
    let at = try requireRunning(id)
    guard subscriptions[at].renews else { throw Refusal(.renewalIsOff, "Renewal is switched off already.") }
    subscriptions[at].renews = false
    subscriptions[at].renewalOffAt = now
    subscriptions[at].nextTerms = nil
    record(.renewalOff, at: now, .didChangeRenewalStatus, .autoRenewDisabled, about: current(at))
    // A cancelled subscription is not billed again. Without a payment to retry, it ends immediately.
    if subscriptions[at].state == .inBillingRetry { expire(at, at: now, .voluntary) }
    return ShopOutcome(.success, transaction: subscriptions[at].transaction)
  }

  mutating func switchRenewalOn(_ id: String, _ now: Instant) throws(Refusal) -> ShopOutcome {
    let at = try requireRunning(id)
    if subscriptions[at].renews { throw Refusal(.renewalIsOn, "Renewal is switched on already.") }
    subscriptions[at].switchRenewalOn()
    record(.renewalOn, at: now, .didChangeRenewalStatus, .autoRenewEnabled, about: current(at))
    return ShopOutcome(.success, transaction: subscriptions[at].transaction)
  }

  mutating func failBilling(_ id: String, _ grace: ShopBehaviour.Grace?, _ now: Instant) throws(Refusal) -> ShopOutcome {
    let at = try requireSubscribed(id)
    guard subscriptions[at].renews else {
      throw Refusal(.renewalIsOff, "Renewal is switched off, so it cannot fail; switch it on first.")
    }
    if let index = index(of: subscriptions[at].transaction) { transactions[index].expiresAt = now }
    // The renewal that fails is set to be due now. After a recovery within the grace period, the new period is therefore counted from now.
    let period = subscriptions[at].schedule.period
    subscriptions[at].schedule = RenewalSchedule(anchor: now, period: period)
    subscriptions[at].schedule.number = 0
    failRenewal(of: at, at: now, grace: grace)
    return ShopOutcome(.success, transaction: subscriptions[at].transaction)
  }

  mutating func recover(_ id: String, _ now: Instant) throws(Refusal) -> ShopOutcome {
    let at = try requireRunning(id)
    guard subscriptions[at].isRetried else {
      throw Refusal(.notInBillingRetry, "Billing of the subscription is not being retried; there is nothing to recover.")
    }
    try requireCapacity()
    let failed = subscriptions[at].transaction
    let isInGrace = subscriptions[at].state == .inGracePeriod
    guard renew(at, at: now, .recovered, .billingRecovery, from: isInGrace ? nil : now) else {
      throw Refusal(.outsideCalendar, "The next period would end after the year 9999.")
    }
    if let index = index(of: failed), transactions[index].graceUntil.map({ $0 > now }) ?? false { transactions[index].graceUntil = now }
    return ShopOutcome(.success, transaction: subscriptions[at].transaction)
  }

  mutating func changePrice(
    _ id: String, _ price: ShopPrice, _ needsConsent: Bool, _ now: Instant
  ) throws(Refusal) -> ShopOutcome {
    let price = try ShopPrice(checking: price.currency, amount: price.amount)
    let at = try requireRunning(id)
    let old = subscriptions[at].terms.price
    let rises = old.map { price.isMore(than: $0) } ?? nil
    if rises == nil, let old {
      throw Refusal(.invalidCurrency, "The subscription is paid in \(old.currency), not \(price.currency).")
    }
    let isRise = rises ?? false
    subscriptions[at].priceChange = SubscriptionLine.PriceChange(price: price, isAccepted: !(needsConsent && isRise))
    record(
      .priceChanged, at: now, isRise ? .priceIncrease : nil, isRise ? needsConsent ? .pending : .accepted : nil, about: current(at),
      detail: "\(price.amount) \(price.currency)")
    return ShopOutcome(.success, transaction: subscriptions[at].transaction)
  }

  mutating func acceptPrice(_ id: String, _ now: Instant) throws(Refusal) -> ShopOutcome {
    let at = try requireRunning(id)
    guard let change = subscriptions[at].priceChange, !change.isAccepted else {
      throw Refusal(.noPriceChange, "No price of the subscription waits for consent.")
    }
    subscriptions[at].priceChange?.isAccepted = true
    record(
      .priceAccepted, at: now, .priceIncrease, .accepted, about: current(at), detail: "\(change.price.amount) \(change.price.currency)")
    return ShopOutcome(.success, transaction: subscriptions[at].transaction)
  }

  func requireCapacity() throws(Refusal) {
    guard transactions.count < Self.transactionsMax else {
      throw Refusal(.tooManyTransactions, "The player has \(transactions.count) transactions; clear the history to go on.")
    }
  }
}
