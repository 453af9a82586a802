// Adds the events to a ledger that happen by the passing of time: renewals, failed renewals, and the ends of grace periods, billing retries
// and grants.

extension Ledger {
  /// Returns the ledger with all renewals and expiries that are due up to and including an instant, in chronological order.
  ///
  /// The function is deterministic: many calls with rising instants yield the same ledger as one call with the last instant.
  /// ``renewalsMax`` limits the work for each subscription.
  public func settled(at instant: Instant) -> Ledger {
    var ledger = self
    ledger.settle(at: instant)
    return ledger
  }

  /// The instant of the next renewal or expiry that happens by the passing of time; nil if no such event is to come.
  public var nextDueAt: Instant? { nextDue()?.at }

  /// Throws if moving the player's clock to an instant would cause more than ``dueMax`` renewals and expiries.
  /// - Throws: `CLOCK_TOO_FAR`.
  public func admitMove(to instant: Instant) throws(Refusal) {
    var ledger = self
    for _ in 0..<Self.dueMax {
      guard let due = ledger.nextDue(), due.at <= instant else { return }
      ledger.happen(due)
    }
    guard let due = ledger.nextDue(), due.at <= instant else { return }
    throw Refusal(
      .clockTooFar,
      "More than \(Self.dueMax) renewals and expiries would come due in one step; move the clock to \(ledger.lastDueText) first, or end subscriptions."
    )
  }

  private var lastDueText: String { log.last?.at.text ?? settledUntil.text }

  mutating func settle(at instant: Instant) {
    while let due = nextDue(), due.at <= instant { happen(due) }
    trimLog()
    settledUntil = max(settledUntil, instant)
  }

  private struct DueEvent {
    enum DueEventKind {
      case subscription(Int)
      case grant
    }

    var at: Instant
    var kind: DueEventKind
  }

  /// Returns the earliest renewal or expiry that is still to come; nil if there is no such event. Of those at the same instant, the
  /// subscriptions' come first, in the order of the subscriptions.
  private func nextDue() -> DueEvent? {
    var first: DueEvent?
    for (index, line) in subscriptions.enumerated() {
      guard let at = dueAt(of: line), first.map({ at < $0.at }) ?? true else { continue }
      first = DueEvent(at: at, kind: .subscription(index))
    }
    if let grant = openGrants.first, first.map({ grant.at < $0.at }) ?? true { first = DueEvent(at: grant.at, kind: .grant) }
    return first
  }

  private func dueAt(of line: SubscriptionLine) -> Instant? {
    switch line.state {
    case .subscribed: transaction(line.transaction)?.expiresAt
    case .inGracePeriod: transaction(line.transaction)?.graceUntil
    case .inBillingRetry: line.retryUntil
    case .expired, .revoked: nil
    }
  }

  private mutating func happen(_ due: DueEvent) {
    switch due.kind {
    case .grant: record(.grantExpired, at: due.at, about: transaction(openGrants.removeFirst().transaction))
    case .subscription(let at):
      switch subscriptions[at].state {
      case .subscribed: endPeriod(of: at, at: due.at)
      case .inGracePeriod: endGrace(of: at, at: due.at)
      case .inBillingRetry: expire(at, at: due.at, .billingRetry)
      case .expired, .revoked: break
      }
    }
    settledUntil = max(settledUntil, due.at)
  }

  private mutating func endPeriod(of at: Int, at instant: Instant) {
    let line = subscriptions[at]
    if !line.renews { return expire(at, at: instant, .voluntary) }
    if line.endsWithoutConsent { return expire(at, at: instant, .priceIncrease) }
    if behaviour.failsBilling { return failRenewal(of: at, at: instant, grace: nil) }
    if line.renewals >= Self.renewalsMax || !renew(at, at: instant, .renewed) { expire(at, at: instant, nil) }
  }

  private mutating func endGrace(of at: Int, at instant: Instant) {
    if !subscriptions[at].renews { return expire(at, at: instant, .voluntary) }
    subscriptions[at].state = .inBillingRetry
    record(.gracePeriodExpired, at: instant, .gracePeriodExpired, about: transaction(subscriptions[at].transaction))
    if let until = subscriptions[at].retryUntil, until <= instant { expire(at, at: instant, .billingRetry) }
  }
}

extension Ledger {
  /// Ends the subscription at an index. Paid time and a grace period that last longer are cut off at the instant.
  mutating func expire(_ at: Int, at instant: Instant, _ subtype: ShopNotificationSubtype?) {
    if let index = index(of: subscriptions[at].transaction) {
      if transactions[index].expiresAt.map({ $0 > instant }) ?? false { transactions[index].expiresAt = instant }
      if transactions[index].graceUntil.map({ $0 > instant }) ?? false { transactions[index].graceUntil = instant }
    }
    close(at, as: .expired)
    record(.expired, at: instant, .expired, subtype, about: transaction(subscriptions[at].transaction))
  }

  mutating func close(_ at: Int, as state: SubscriptionLine.State) {
    subscriptions[at].state = state
    subscriptions[at].renews = false
    subscriptions[at].nextTerms = nil
    subscriptions[at].priceChange = nil
    subscriptions[at].retryUntil = nil
  }

  /// Makes the renewal of the subscription at an index fail, so that the payment is retried. With a grace period, access continues for its
  /// length.
  mutating func failRenewal(of at: Int, at instant: Instant, grace requested: ShopBehaviour.Grace?) {
    let product = subscriptions[at].terms.gracePeriod
    let grace: CalendarPeriod? =
      switch requested ?? behaviour.grace {
      case .asProduct: product
      case .always: product ?? CalendarPeriod(count: Self.graceDaysDefault, unit: .day)
      case .never: nil
      }
    let retryUntil = instant.adding(CalendarPeriod(count: Self.billingRetryDays, unit: .day)) ?? .latest
    subscriptions[at].billingFailedAt = instant
    if let grace, let index = index(of: subscriptions[at].transaction) {
      let graceUntil = instant.adding(grace) ?? .latest
      transactions[index].graceUntil = graceUntil
      subscriptions[at].state = .inGracePeriod
      subscriptions[at].retryUntil = max(retryUntil, graceUntil)
    } else {
      subscriptions[at].state = .inBillingRetry
      subscriptions[at].retryUntil = retryUntil
    }
    let subtype: ShopNotificationSubtype? = subscriptions[at].state == .inGracePeriod ? .gracePeriod : nil
    record(.renewalFailed, at: instant, .didFailToRenew, subtype, about: transaction(subscriptions[at].transaction))
  }

  /// Begins the next period of the subscription at an index.
  /// - Parameter anchor: The instant from which the periods are counted again; nil continues the schedule.
  /// - Returns: False, without a change, if the period would end after the year 9999.
  mutating func renew(
    _ at: Int, at instant: Instant, _ event: ShopEvent, _ subtype: ShopNotificationSubtype? = nil, from anchor: Instant? = nil
  ) -> Bool {
    var line = subscriptions[at]
    if line.goesOnWithOffer {
      line.offerPeriodsLeft -= 1
    } else {
      line.offer = nil
      line.offerPeriodsLeft = 0
    }
    if let terms = line.nextTerms {
      line.terms = terms
      line.nextTerms = nil
      line.priceChange = nil
    }
    if let change = line.priceChange, change.isAccepted, line.offer == nil {
      line.terms.price = change.price
      line.priceChange = nil
    }
    let period = line.offer?.period ?? line.terms.period
    if let anchor {
      line.schedule = RenewalSchedule(anchor: anchor, period: period)
    } else {
      guard let next = line.schedule.next(of: period) else { return false }
      line.schedule = next
      // If a payment recovers late in a long grace period, whole periods may have passed since the failure. They are skipped.
      while let end = line.schedule.end, end <= instant { line.schedule = line.schedule.next }
    }
    guard let end = line.schedule.end else { return false }
    line.state = .subscribed
    line.retryUntil = nil
    line.billingFailedAt = nil
    line.renewals += 1
    var transaction = makeTransaction(.product(line.terms.product), .renewal, at: instant)
    transaction.originalID = line.originalID
    transaction.kind = .autoRenewable
    transaction.group = line.group
    transaction.expiresAt = end
    transaction.offer = line.offer?.mode
    transaction.price = line.offer.map { offer in line.terms.price.flatMap { offer.price(in: $0.currency) } } ?? line.terms.price
    line.transaction = transaction.id
    transactions.append(transaction)
    subscriptions[at] = line
    record(event, at: instant, .didRenew, subtype, about: transaction)
    return true
  }
}

extension Subscription.Intro {
  /// Returns the price of one period of the introductory offer in a currency; nil for a free trial.
  func price(in currency: String) -> ShopPrice? { price[currency].map { ShopPrice(currency: currency, amount: $0) } }
}
