// Transactions, entitlements, subscriptions and the store's log in the form of the HTTP answers.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

extension PlayerView {
  /// The instant for which the player's transactions are evaluated: the player's time, or the ledger's last write if the host's clock was
  /// set back after it.
  var storeNow: Instant { max(now, ledger.settledUntil) }

  /// The entitlements that the player has or once had.
  var entitlementsAnswer: EntitlementsAnswer {
    let holdings = holdings
    var purchased = ObjectValue()
    for each in holdings.purchased { purchased[each.product] = .bool(each.isPurchased) }
    var answer = EntitlementsAnswer(
      game: id.game, player: id.player, at: now, isAdFree: holdings.isAdFree,
      entitlements: holdings.held.map(\.wire) + ended(besides: holdings.ids), purchased: purchased,
      subscriptions: holdings.subscriptions.map { $0.wire(in: ledger) }, nextChangeAt: holdings.nextChangeAt)
    answer.premium = holdings.premium?.wire
    return answer
  }

  /// Returns the entitlements that the player no longer has, in the catalog's order.
  private func ended(besides held: Set<String>) -> [WireEntitlement] {
    if ledger.transactions.isEmpty, ledger.heldBefore.isEmpty { return [] }
    let grants = ProductGrants(game.catalog)
    var names = grants.all
    let others = Set(ledger.transactions.flatMap(grants.entitlements)).union(ledger.heldBefore.keys).subtracting(names)
    names += others.sorted()
    return names.filter { !held.contains($0) }.compactMap { name in
      ledger.lastHeld(anyOf: [name], grants, now: storeNow).map { WireEntitlement(id: name, isActive: false, expiresAt: $0) }
    }
  }

  /// Returns the names of the acts on a transaction that would be accepted at present.
  func acts(on transaction: String, isAdmin: Bool) -> [String] {
    let admits = (try? game.catalog.purchases.admitPurchase(isAdmin: isAdmin)) != nil
    let acts = ledger.acceptedActs(on: transaction, catalog: game.catalog, now: now)
    return acts.filter { admits || !$0.isGiving }.map(\.rawValue)
  }

  /// Returns the configured behaviour of the simulated store for the player.
  func behaviourAnswer() -> BehaviourAnswer {
    BehaviourAnswer(game: id.game, player: id.player, playerRevision: stored.revision, behaviour: ledger.behaviour.wire)
  }

  var clockAnswer: PlayerClockAnswer {
    PlayerClockAnswer(
      game: id.game, player: id.player, playerRevision: stored.revision, now: now,
      gameNow: Instant(milliseconds: now.milliseconds - stored.clock.offsetMilliseconds),
      offsetMilliseconds: stored.clock.offsetMilliseconds)
  }
}

extension ShopTransaction {
  func wire(at instant: Instant) -> WireTransaction {
    var record = WireTransaction(
      id: id, originalID: originalID, reason: reason.rawValue, state: state.rawValue, isActive: held?.contains(instant) ?? false,
      purchasedAt: purchasedAt)
    switch subject {
    case .product(let product): record.product = product
    case .grant(let entitlement): record.entitlement = entitlement
    }
    record.type = kind?.rawValue
    record.group = group
    record.expiresAt = expiresAt
    record.graceUntil = graceUntil
    record.upgradedAt = upgradedAt
    record.revokedAt = revokedAt
    record.revocation = revocation?.rawValue
    record.finishedAt = finishedAt
    record.offer = offer?.rawValue
    record.price = price
    record.unverified = unverified?.rawValue
    record.verifiedAt = verifiedAt
    record.transferredFrom = transferredFrom
    return record
  }
}

extension PremiumState {
  fileprivate var wire: WirePremium {
    var record = WirePremium(product: product, isOn: isOn)
    record.by = by?.product
    record.transaction = by?.id
    record.until = by?.held?.until
    return record
  }
}

extension ActiveEntitlement {
  var wire: WireEntitlement {
    var record = WireEntitlement(id: id, isActive: true, expiresAt: expiresAt)
    record.willRenew = willRenew
    record.periodType = periodType.rawValue
    record.isInGracePeriod = isInGracePeriod
    record.product = product
    record.transaction = transaction
    record.purchasedAt = purchasedAt
    record.heldSince = heldSince
    record.unsubscribeDetectedAt = renewalOffAt
    record.billingIssuesDetectedAt = billingFailedAt
    return record
  }
}

extension SubscriptionLine {
  fileprivate func wire(in ledger: Ledger) -> WireSubscription {
    let current = ledger.transaction(transaction)
    var record = WireSubscription(
      group: group, state: state.rawValue, product: terms.product, transaction: transaction, originalTransaction: originalID,
      period: terms.period.text, willRenew: renews && isRunning, renewals: Int64(renewals))
    record.expiresAt = current?.expiresAt
    // A price increase without consent ends the subscription, so there is no renewal date.
    if state == .subscribed, renews, !endsWithoutConsent { record.renewsAt = current?.expiresAt }
    record.nextProduct = nextTerms.flatMap { $0.product == terms.product ? nil : $0.product }
    record.price = terms.price
    record.nextPrice = nextPrice
    record.needsConsent = needsConsent
    record.offer = offer?.mode.rawValue
    record.renewalOffAt = renewalOffAt
    record.billingFailedAt = billingFailedAt
    if state == .inGracePeriod { record.graceUntil = current?.graceUntil }
    record.retryUntil = retryUntil
    return record
  }
}

extension ShopLogEntry {
  var wire: ShopLogLine {
    ShopLogLine(
      number: Int64(number), at: at, event: event.rawValue, notificationType: notification?.rawValue, subtype: subtype?.rawValue,
      transaction: transaction, subject: subject, detail: detail)
  }
}
