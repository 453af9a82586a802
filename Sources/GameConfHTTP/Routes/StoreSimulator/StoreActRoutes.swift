// What players, games and admins do at the simulated store.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// The calls that change a player's simulated purchases.
struct StoreActRoutes {
  let services: DaemonServices

  var routes: [Route] {
    [
      Route(Endpoints.purchase) { request throws(Problem) in try purchase(request) },
      Route(Endpoints.restorePurchases) { request throws(Problem) in try restore(request) },
      Route(Endpoints.grant) { request throws(Problem) in try grant(request) },
      Route(Endpoints.billingRetry) { request throws(Problem) in
        let body = try request.shapeIfPresent(BillingRetryRequest.self) ?? BillingRetryRequest()
        let grace = try body.grace.map { (word) throws(Problem) in try StoreBehaviour.grace(word) }
        return try act(request, .billingRetry(request.path("transaction"), grace: grace), reason: body.reason)
      },
      Route(Endpoints.changePrice) { request throws(Problem) in
        let body = try request.shape(PriceChangeRequest.self)
        let price = StorePrice(currency: body.currency, amount: body.amount)
        return try act(
          request, .changePrice(request.path("transaction"), price, needsConsent: body.needsConsent), reason: body.reason)
      },
      Route(Endpoints.deleteTransaction) { request throws(Problem) in try remove(request, .delete(request.path("transaction"))) },
      Route(Endpoints.clearTransactions) { request throws(Problem) in try remove(request, .clear) },
      Route(Endpoints.putStoreBehaviour) { request throws(Problem) in try behave(request) },
      Route(Endpoints.switchPremium) { request throws(Problem) in try switchPremium(request) },
    ]
      + Self.plain.map { endpoint, act in
        Route(endpoint) { request throws(Problem) in
          try self.act(request, act(request.path("transaction")), reason: try request.reason())
        }
      }
  }

  /// What needs nothing but the transaction.
  private static let plain: [(Endpoint, @Sendable (String) -> StoreAct)] = [
    (Endpoints.finishTransaction, { .finish($0) }), (Endpoints.refund, { .refund($0) }),
    (Endpoints.refundDecline, { .refundDecline($0) }), (Endpoints.revoke, { .revoke($0) }), (Endpoints.expire, { .expire($0) }),
    (Endpoints.renew, { .renew($0) }), (Endpoints.cancelRenewal, { .cancel($0) }), (Endpoints.renewalOn, { .renewalOn($0) }),
    (Endpoints.recover, { .recover($0) }), (Endpoints.approve, { .approve($0) }), (Endpoints.decline, { .decline($0) }),
    (Endpoints.resolve, { .resolve($0) }), (Endpoints.acceptPrice, { .acceptPrice($0) }),
  ]

  private func purchase(_ request: Request) throws(Problem) -> Reply {
    let body = try request.shape(PurchaseRequest.self)
    let product = try request.game().snapshot.catalog.productID(named: body.product)
    return try act(
      request, .purchase(product: product, currency: body.currency), reason: body.reason, makes: [.success, .pending, .interrupted])
  }

  private func restore(_ request: Request) throws(Problem) -> Reply {
    let body = try request.shapeIfPresent(RestoreRequest.self) ?? RestoreRequest()
    guard let other = try RequestCaller.player(body.fromPlayer, pointer: "/from_player") else {
      return try act(request, .restore, reason: body.reason)
    }
    let game = try request.game().snapshot
    let id = try request.playerID()
    let change = try storeChange(request, reason: body.reason)
    return try request.reply(changing: id, change) { changed in
      let moved = PlayerChanged(outcome: changed.outcome.outcome, player: changed.player)
      return moved.answer(moved.wire(id, in: game, change).wire, of: game)
    } perform: { remembering async throws(PlayerRefusal) in
      try await TransferPurchases(services.players)(id, from: other, change, remembering: remembering)
    }
  }

  private func grant(_ request: Request) throws(Problem) -> Reply {
    let body = try request.shape(GrantRequest.self)
    var period: CalendarPeriod?
    if let text = body.period {
      do throws(TimeFault) { period = try CalendarPeriod(parsing: text) } catch {
        throw Problem(.invalidPeriod, error.message, pointer: "/period")
      }
    }
    return try act(request, .grant(entitlement: body.entitlement, period: period), reason: body.reason, makes: [.success])
  }

  /// - Parameter makes: what an outcome must be for a transaction to have been made by it.
  private func act(
    _ request: Request, _ act: StoreAct, reason: String?, makes: Set<StoreOutcome.Status> = []
  ) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let id = try request.playerID()
    let change = try storeChange(request, reason: reason)
    return try request.reply(changing: id, change) { changed in
      let answer = changed.wire(id, in: game, change)
      guard !change.isDryRun, makes.contains(changed.outcome.status), let transaction = answer.transaction else {
        return changed.answer(answer.wire, of: game)
      }
      let location = Endpoints.transaction.target(["game": id.game, "player": id.player, "transaction": transaction.id])
      return .created(
        answer.wire, location: location, revision: UInt64(clamping: game.revision),
        playerRevision: UInt64(clamping: changed.player.revision))
    } perform: { remembering async throws(PlayerRefusal) in
      try await ActOnStore(services.players)(id, act, change, remembering: remembering)
    }
  }

  private func remove(_ request: Request, _ act: StoreAct) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let id = try request.playerID()
    let change = try storeChange(request, reason: nil)
    return try request.reply(changing: id, change) { changed in
      change.isDryRun ? changed.answer(changed.wire(id, in: game, change).wire, of: game) : changed.noContent(of: game)
    } perform: { remembering async throws(PlayerRefusal) in
      try await ActOnStore(services.players)(id, act, change, remembering: remembering)
    }
  }

  private func behave(_ request: Request) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let id = try request.playerID()
    let body = try request.shape(PutBehaviour.self)
    let behaviour = try StoreBehaviour(body.behaviour)
    let change = try storeChange(request, reason: body.reason)
    return try request.reply(changing: id, change) { changed in
      let answer = BehaviourAnswer(
        game: id.game, player: id.player, playerRevision: changed.player.revision,
        behaviour: (changed.player.ledger?.behaviour ?? StoreBehaviour()).wire, isDryRun: change.isDryRun)
      return changed.answer(answer.wire, of: game)
    } perform: { remembering async throws(PlayerRefusal) in
      try await ActOnStore(services.players)(id, .behave(behaviour), change, remembering: remembering)
    }
  }

  private func switchPremium(_ request: Request) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let id = try request.playerID()
    let body = try request.shape(PremiumRequest.self)
    let change = try storeChange(request, reason: body.reason)
    return try request.reply(changing: id, change) { changed in
      changed.answer(changed.wire(id, in: game, change).wire, of: game)
    } perform: { remembering async throws(PlayerRefusal) in
      try await SwitchPremium(services.players)(id, isOn: body.isOn, change, remembering: remembering)
    }
  }

  private func storeChange(_ request: Request, reason: String?) throws(Problem) -> PlayerChange {
    try request.playerChange(to: "change a player's simulated purchases", reason: reason, host: services.clock.now)
  }
}

extension PlayerChanged where Outcome == StoreOutcome {
  /// What came of an act, with the transactions that it is about.
  fileprivate func wire(_ id: PlayerID, in game: GameSnapshot, _ change: PlayerChange) -> StoreActAnswer {
    let now = player.clock.now(game: game.clock.now(host: change.host))
    let ledger = player.ledger ?? Ledger(game: id.game, player: id.player)
    let at = max(now, ledger.settledUntil)
    return StoreActAnswer(
      game: id.game, player: id.player, playerRevision: player.revision, at: at, status: outcome.status.rawValue,
      error: outcome.error?.rawValue, transaction: outcome.transaction.flatMap { ledger.transaction($0)?.wire(at: at) },
      delivered: outcome.delivered.compactMap { ledger.transaction($0)?.wire(at: at) }, isDryRun: change.isDryRun)
  }
}
