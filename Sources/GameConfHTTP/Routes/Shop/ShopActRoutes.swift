// The routes of purchases and of other acts at the simulated store, for players, games and admins.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

struct ShopActRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.purchase) { call throws(Problem) in
        let body = call.body
        let product = try call.game.snapshot.catalog.productID(named: body.product)
        return try act(
          call, .purchase(product: product, currency: body.currency), reason: body.reason, makes: [.success, .pending, .interrupted])
      },
      CallRoute(Calls.restorePurchases) { call throws(Problem) in try restore(call) },
      CallRoute(Calls.grant) { call throws(Problem) in try grant(call) },
      CallRoute(Calls.billingRetry) { call throws(Problem) in
        let id = call.path("transaction")
        let grace = try call.body?.grace.map { (word) throws(Problem) in try ShopBehaviour.grace(word) }
        return try act(
          call, grace.map { .billingRetry(id, grace: $0) } ?? .transaction(.billingRetry, id), reason: call.body?.reason)
      },
      CallRoute(Calls.changePrice) { call throws(Problem) in
        let body = call.body
        let price = ShopPrice(currency: body.currency, amount: body.amount)
        return try act(call, .changePrice(call.path("transaction"), price, needsConsent: body.needsConsent), reason: body.reason)
      },
      CallRoute(Calls.deleteTransaction) { call throws(Problem) in try remove(call, .delete(call.path("transaction"))) },
      CallRoute(Calls.clearTransactions) { call throws(Problem) in try remove(call, .clear) },
      CallRoute(Calls.putStoreBehaviour) { call throws(Problem) in try behave(call) },
      CallRoute(Calls.switchPremium) { call throws(Problem) in try switchPremium(call) },
    ]
      + TransactionAct.allCases.compactMap { act in
        act.call.map { call in
          CallRoute(call) { context throws(Problem) in
            try self.act(context, .transaction(act, context.path("transaction")), reason: context.body?.reason)
          }
        }
      }
  }

  private func restore(_ call: CallContext<RestoreRequest?>) throws(Problem) -> TypedReply<ShopActAnswer> {
    guard let other = try RequestCaller.player(call.body?.fromPlayer, pointer: "/from_player") else {
      return try act(call, .restore, reason: call.body?.reason)
    }
    let game = try call.game.snapshot
    return try call.changingPlayer(
      .transferPurchases(from: other), services, reason: call.body?.reason,
      answer: { changed, id, change in
        PlayerChangeOutcome(outcome: changed.outcome.outcome, player: changed.player, before: changed.before).wire(id, in: game, change)
      })
  }

  private func grant(_ call: CallContext<GrantRequest>) throws(Problem) -> TypedReply<ShopActAnswer> {
    var period: CalendarPeriod?
    if let text = call.body.period {
      do throws(Fault) { period = try CalendarPeriod(parsing: text) } catch {
        throw Problem(.invalidPeriod, error.message, pointer: "/period")
      }
    }
    return try act(call, .grant(entitlement: call.body.entitlement, period: period), reason: call.body.reason, makes: [.success])
  }

  /// - Parameter makes: The outcomes that have created a transaction. For these the answer has status 201.
  private func act<Ask>(
    _ call: CallContext<Ask>, _ act: ShopAct, reason: String?, makes: Set<ShopOutcome.Status> = []
  ) throws(Problem) -> TypedReply<ShopActAnswer> {
    let game = try call.game.snapshot
    return try call.changingPlayer(
      .shop(act), services, reason: reason, made: { if case .purchase = act { services.meters.count(purchase: $0.status) } },
      render: { changed, id, change in
        let answer = changed.wire(id, in: game, change)
        guard !change.isDryRun, makes.contains(changed.outcome.status), let transaction = answer.transaction else {
          return .ok(answer, changed.revisions(of: game))
        }
        let location = Calls.transaction.target(["game": id.game, "player": id.player, "transaction": transaction.id])
        return .created(answer, at: location, changed.revisions(of: game))
      })
  }

  private func remove(_ call: CallContext<NoBody>, _ act: ShopAct) throws(Problem) -> TypedReply<ShopActAnswer> {
    let game = try call.game.snapshot
    return try call.changingPlayer(
      .shop(act), services, reason: nil,
      render: { changed, id, change in
        let revisions = changed.revisions(of: game)
        return change.isDryRun ? .ok(changed.wire(id, in: game, change), revisions) : .noContent(revisions)
      })
  }

  private func behave(_ call: CallContext<PutBehaviour>) throws(Problem) -> TypedReply<BehaviourAnswer> {
    let behaviour = try ShopBehaviour(call.body.behaviour)
    return try call.changingPlayer(
      .shop(.behave(behaviour)), services, reason: call.body.reason,
      answer: { changed, id, change in
        BehaviourAnswer(
          game: id.game, player: id.player, playerRevision: changed.player.revision,
          behaviour: (changed.player.ledger?.behaviour ?? ShopBehaviour()).wire, isDryRun: change.isDryRun)
      })
  }

  private func switchPremium(_ call: CallContext<PremiumRequest>) throws(Problem) -> TypedReply<ShopActAnswer> {
    let game = try call.game.snapshot
    return try call.changingPlayer(
      .switchPremium(isOn: call.body.isOn), services, reason: call.body.reason,
      answer: { changed, id, change in changed.wire(id, in: game, change) })
  }
}

extension PlayerChangeOutcome where Outcome == ShopOutcome {
  /// Returns the answer with the act's outcome and the transactions that it concerns.
  fileprivate func wire(_ id: PlayerID, in game: GameSnapshot, _ change: ChangeContext) -> ShopActAnswer {
    let now = player.clock.now(game: game.clock.now(host: change.now))
    let ledger = player.ledger ?? Ledger(game: id.game, player: id.player)
    let at = max(now, ledger.settledUntil)
    var answer = ShopActAnswer(
      game: id.game, player: id.player, playerRevision: player.revision, at: at, status: outcome.status.rawValue,
      error: outcome.error?.rawValue, transaction: outcome.transaction.flatMap { ledger.transaction($0)?.wire(at: at) },
      delivered: outcome.delivered.compactMap { ledger.transaction($0)?.wire(at: at) }, isDryRun: change.isDryRun)
    answer.ended = outcome.ended.compactMap { ledger.transaction($0)?.wire(at: at) }
    // The answer includes the entitlements, so that a game needs no second call after a purchase.
    let after = PlayerView(player, id, of: game, host: change.now)
    answer.entitlements = after.entitlementsAnswer
    if let before {
      let earlier = PlayerView(before, id, of: game, host: change.now).unlockedThemes
      let themes = after.unlockedThemes
      answer.unlocked.themes = after.terms.named(themes: themes.subtracting(earlier)).wire
      answer.lockedThemes = game.catalog.themes.map(\.id).filter { earlier.contains($0) && !themes.contains($0) }
    }
    return answer
  }
}
