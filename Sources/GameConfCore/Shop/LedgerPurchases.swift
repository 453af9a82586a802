// Purchases in the simulated store, with validation, Ask to Buy, interruptions, upgrades and downgrades.

extension Ledger {
  mutating func purchase(_ id: String, _ currency: String?, _ catalog: Catalog, _ now: Instant) throws(Refusal) -> ShopOutcome {
    let product = try requireProduct(id, catalog)
    let price = try price(of: product, currency)
    let plan = try plan(product)
    if transactions.contains(where: {
      $0.product == id && ($0.state == .pending || $0.state == .interrupted) && product.kind != .consumable
    }) {
      throw Refusal(.purchaseOpen, "A purchase of “\(id)” is open already; approve, decline or resolve it first.")
    }
    guard transactions.count < Self.transactionsMax else {
      throw Refusal(.tooManyTransactions, "The player has \(transactions.count) transactions; clear the history to go on.")
    }
    if let error = behaviour.takeFailure(of: .purchase) {
      let isCancelled = error == .userCancelled
      record(isCancelled ? .cancelled : .failed, at: now, subject: id, detail: "\(SimulatedCall.purchase.rawValue): \(error.rawValue)")
      return ShopOutcome(isCancelled ? .cancelled : .failed, error: error)
    }
    if behaviour.interruptsPurchases || behaviour.asksToBuy {
      var transaction = makeTransaction(.product(id), .purchase, at: now)
      transaction.kind = product.kind
      transaction.group = product.subscription?.group
      transaction.state = behaviour.interruptsPurchases ? .interrupted : .pending
      transaction.price = price
      transactions.append(transaction)
      record(behaviour.interruptsPurchases ? .interrupted : .pending, at: now, about: transaction)
      return ShopOutcome(behaviour.interruptsPurchases ? .interrupted : .pending, transaction: transaction.id)
    }
    return try buy(product, plan, price, catalog, now, requested: nil)
  }

  mutating func approve(_ id: String, _ catalog: Catalog, _ now: Instant) throws(Refusal) -> ShopOutcome {
    try open(id, .pending, .notPending, "pending; there is nothing to approve")
    return try complete(id, .approved, catalog, now)
  }

  mutating func resolve(_ id: String, _ catalog: Catalog, _ now: Instant) throws(Refusal) -> ShopOutcome {
    try open(id, .interrupted, .notInterrupted, "interrupted; there is nothing to resolve")
    return try complete(id, .resolved, catalog, now)
  }

  mutating func decline(_ id: String, _ now: Instant) throws(Refusal) -> ShopOutcome {
    try open(id, .pending, .notPending, "pending; there is nothing to decline")
    let at = try requireIndex(of: id)
    transactions[at].state = .declined
    record(.declined, at: now, about: transactions[at])
    return ShopOutcome(.success, transaction: id)
  }

  private func open(_ id: String, _ state: ShopTransaction.State, _ code: ProblemCode, _ words: String) throws(Refusal) {
    let found = transactions[try requireIndex(of: id)].state
    if found != state { throw Refusal(code, "The transaction is \(found.rawValue), not \(words).") }
  }

  private mutating func complete(_ id: String, _ event: ShopEvent, _ catalog: Catalog, _ now: Instant) throws(Refusal)
    -> ShopOutcome
  {
    let requested = transactions[try requireIndex(of: id)]
    let product = try requireProduct(requested.product ?? "", catalog)
    let plan = try plan(product)
    record(event, at: now, about: requested)
    return try buy(product, plan, requested.price, catalog, now, requested: requested)
  }
}

extension Ledger {
  /// The effect that the purchase of a product would have now.
  private enum PurchasePlan {
    case single
    /// Starts a subscription, because the player has no active one of its group.
    case subscribe(Subscription)
    /// Immediately replaces the group's active subscription. The replaced subscription has a lower level, the same level and the same
    /// length of period, or a payment that is being retried.
    case upgrade(Subscription, line: Int)
    /// Replaces the group's active subscription at the end of its present period.
    case change(Subscription, line: Int)
    /// Retains the active subscription of the product, and cancels its scheduled change or its scheduled end.
    case keep(line: Int)
  }

  private func requireProduct(_ id: String, _ catalog: Catalog) throws(Refusal) -> Product {
    if let product = catalog.products.first(where: { $0.id == id }) { return product }
    let hint = NearestNames.hint(for: id, among: catalog.products.map(\.id))
    throw Refusal(.unknownProduct, "“\(JSONPointer.clipped(id, bytesMax: 128))” is not a product of \(catalog.game).\(hint)")
  }

  private func price(of product: Product, _ currency: String?) throws(Refusal) -> ShopPrice? {
    let chosen: String?
    if let currency {
      _ = try ShopPrice(checking: currency, amount: "0")
      guard product.price.isEmpty || product.price[currency] != nil else {
        let known = product.price.keys.sorted().joined(separator: ", ")
        throw Refusal(.invalidCurrency, "“\(product.id)” has no price in \(currency); it has one in \(known).")
      }
      chosen = currency
    } else {
      chosen = product.usualCurrency
    }
    return chosen.flatMap { code in product.price[code].map { ShopPrice(currency: code, amount: $0) } }
  }

  private func plan(_ product: Product) throws(Refusal) -> PurchasePlan {
    let owned = Refusal(.alreadyOwned, "The player owns “\(product.id)” already; restore delivers it again.")
    switch product.kind {
    case .consumable, .nonRenewing: return .single
    case .nonConsumable:
      if transactions.contains(where: { $0.product == product.id && $0.state == .purchased && $0.revokedAt == nil }) { throw owned }
      return .single
    case .autoRenewable:
      guard let subscription = product.subscription else {
        throw Refusal(.notASubscription, "“\(product.id)” renews but has no period in the catalog.")
      }
      guard let at = subscriptions.firstIndex(where: { $0.group == subscription.group }), subscriptions[at].isRunning else {
        return .subscribe(subscription)
      }
      let line = subscriptions[at]
      if line.isRetried {
        if line.terms.product == product.id {
          throw Refusal(.inBillingRetry, "Billing of “\(product.id)” is being retried; recover it.")
        }
        return .upgrade(subscription, line: at)
      }
      if line.terms.product == product.id {
        if line.nextTerms == nil, line.renews { throw owned }
        return .keep(line: at)
      }
      let isAtOnce =
        subscription.level < line.terms.level
        || (subscription.level == line.terms.level && subscription.period.isAsLong(as: line.terms.period))
      return isAtOnce ? .upgrade(subscription, line: at) : .change(subscription, line: at)
    }
  }

  /// Executes a purchase according to its plan.
  /// - Parameter requested: The transaction of a purchase that waited, as with Ask to Buy, and is completed now; nil creates a new one.
  private mutating func buy(
    _ product: Product, _ plan: PurchasePlan, _ price: ShopPrice?, _ catalog: Catalog, _ now: Instant, requested: ShopTransaction?
  ) throws(Refusal) -> ShopOutcome {
    switch plan {
    case .keep(let at):
      drop(requested)
      return keep(at, now)
    case .change(let subscription, let at):
      drop(requested)
      let line = subscriptions[at]
      if line.nextTerms?.product == product.id, line.renews { return ShopOutcome(.deferred, transaction: line.transaction) }
      subscriptions[at].nextTerms = SubscriptionTerms(product, subscription, price)
      if !line.renews { subscriptions[at].switchRenewalOn() }
      record(.changeScheduled, at: now, .didChangeRenewalPref, .downgrade, about: transaction(line.transaction), subject: product.id)
      return ShopOutcome(.deferred, transaction: line.transaction)
    case .single, .subscribe, .upgrade: break
    }
    var bought = requested ?? makeTransaction(.product(product.id), .purchase, at: now)
    bought.kind = product.kind
    bought.state = .purchased
    bought.purchasedAt = now
    bought.price = price
    bought.unverified = behaviour.takeFailure(of: .verification)
    switch plan {
    case .subscribe(let subscription): try subscribe(&bought, product, subscription, restUntil: nil, now)
    case .upgrade(let subscription, let at):
      let old = index(of: subscriptions[at].transaction)
      let paidUntil = old.flatMap { transactions[$0].expiresAt }
      try subscribe(&bought, product, subscription, restUntil: paidUntil.flatMap { $0 > now ? $0 : nil }, now)
      if let old { transactions[old].upgradedAt = now }
    default: record(.purchased, at: now, .oneTimeCharge, about: bought)
    }
    if let at = requested.flatMap({ index(of: $0.id) }) { transactions[at] = bought } else { transactions.append(bought) }
    return ShopOutcome(.success, transaction: bought.id, error: bought.unverified)
  }

  private mutating func keep(_ at: Int, _ now: Instant) -> ShopOutcome {
    let current = transaction(subscriptions[at].transaction)
    if subscriptions[at].nextTerms != nil {
      subscriptions[at].nextTerms = nil
      record(.changeCancelled, at: now, .didChangeRenewalPref, about: current)
    }
    if !subscriptions[at].renews {
      subscriptions[at].switchRenewalOn()
      record(.renewalOn, at: now, .didChangeRenewalStatus, .autoRenewEnabled, about: current)
    }
    return ShopOutcome(.retained, transaction: current?.id)
  }

  /// Removes the transaction of a purchase that waited, because completing it only changes the existing subscription.
  private mutating func drop(_ requested: ShopTransaction?) {
    if let at = requested.flatMap({ index(of: $0.id) }) { transactions.remove(at: at) }
  }

  /// Starts the first period of a subscription, which may replace another one of the same group. As in Apple's store, the unused paid time
  /// of a replaced subscription is refunded.
  /// - Parameter restUntil: The end of the paid time of the replaced subscription; nil if no paid time is left.
  private mutating func subscribe(
    _ bought: inout ShopTransaction, _ product: Product, _ subscription: Subscription, restUntil: Instant?, _ now: Instant
  ) throws(Refusal) {
    let at = subscriptions.firstIndex { $0.group == subscription.group }
    let isUpgrade = at.map { subscriptions[$0].isRunning } ?? false
    let offer = subscription.introductoryOffer(for: self)
    let schedule = RenewalSchedule(anchor: now, period: offer?.period ?? subscription.period)
    guard let end = schedule.end else { throw Refusal(.outsideCalendar, "The subscription would end after the year 9999.") }
    bought.group = subscription.group
    bought.originalID = at.map { subscriptions[$0].originalID } ?? bought.id
    bought.expiresAt = end
    bought.offer = offer?.mode
    let price = bought.price
    if let offer { bought.price = price.flatMap { offer.price(in: $0.currency) } }
    var line = SubscriptionLine(
      group: subscription.group, originalID: bought.originalID, transaction: bought.id,
      terms: SubscriptionTerms(product, subscription, price), schedule: schedule)
    line.offer = offer
    line.offerPeriodsLeft = offer.map { max($0.periods, 1) - 1 } ?? 0
    if let at { subscriptions[at] = line } else { subscriptions.append(line) }
    if isUpgrade {
      record(
        .upgraded, at: now, .didChangeRenewalPref, .upgrade, about: bought, detail: restUntil.map { "rest until \($0.text) given back" })
    } else {
      record(.purchased, at: now, .subscribed, at == nil ? .initialBuy : .resubscribe, about: bought)
    }
  }
}

extension SubscriptionTerms {
  init(_ product: Product, _ subscription: Subscription, _ price: ShopPrice?) {
    self.init(
      product: product.id, level: subscription.level, period: subscription.period, gracePeriod: subscription.gracePeriod, price: price)
  }
}

extension SubscriptionLine {
  mutating func switchRenewalOn() {
    renews = true
    renewalOffAt = nil
  }
}
