// The routes that read a player's purchases and entitlements at the simulated store.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

struct ShopperRoutes {
  /// The maximum number of transactions, the newest ones, for which a list shows the acts that would be accepted. To find these acts, every
  /// act must be tried.
  static let actsShownMax = 500

  let services: DaemonServices
  private var reads: PlayerReads { services.playerReads }

  var routes: [CallRoute] {
    [
      CallRoute(Calls.entitlements) { call throws(Problem) in
        try reads.reply(to: call) { view throws(Problem) in
          let answer = view.entitlementsAnswer
          var timeless = answer
          timeless.at = .earliest
          return .ok(answer, sameAs: timeless, view.revisions)
        }
      },
      CallRoute(Calls.transactions) { call throws(Problem) in
        let (onlyUnfinished, showsActs) = (call.flag(.unfinished), call.flag(.acts))
        let isAdmin = call.request.peer.socket == .admin
        return try later(call) { view throws(Problem) in
          let now = view.storeNow
          let wanted = onlyUnfinished ? view.ledger.unfinished : view.ledger.transactions
          var list = TransactionList(
            game: view.id.game, player: view.id.player, at: view.now, transactions: wanted.map { $0.wire(at: now) })
          if showsActs {
            for at in list.transactions.indices.suffix(Self.actsShownMax) {
              list.transactions[at].acts = view.acts(on: list.transactions[at].id, isAdmin: isAdmin)
            }
          }
          var timeless = list
          timeless.at = .earliest
          return .ok(list, sameAs: timeless, view.revisions)
        }
      },
      CallRoute(Calls.transaction) { call throws(Problem) in
        let id = call.path("transaction")
        return try reads.reply(to: call) { view throws(Problem) in
          guard let transaction = view.ledger.transaction(id) else {
            throw Problem(.unknownTransaction, "The player has no transaction “\(id)”.")
          }
          return .ok(transaction.wire(at: view.storeNow), view.revisions)
        }
      },
      CallRoute(Calls.storeLog) { call throws(Problem) in try log(call) },
      CallRoute(Calls.storeBehaviour) { call throws(Problem) in
        try reads.reply(to: call) { view throws(Problem) in .ok(view.behaviourAnswer(), view.revisions) }
      },
      CallRoute(Calls.playerClock) { call throws(Problem) in
        try reads.reply(to: call) { view throws(Problem) in .ok(view.clockAnswer, view.revisions) }
      },
    ]
  }

  private func log(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<ShopLogAnswer> {
    let limit = Int(call.number(.limit) ?? 0)
    let before = call.number(.before)
    return try later(call) { view throws(Problem) in
      let older = view.ledger.log.reversed().drop { entry in before.map { Int64(entry.number) >= $0 } ?? false }
      let page = older.prefix(limit).map(\.wire)
      let answer = ShopLogAnswer(
        game: view.id.game, player: view.id.player, entries: page, nextBefore: older.count > page.count ? page.last?.number : nil)
      return .ok(answer, view.revisions)
    }
  }

  /// Replies in a task, and on another thread if there are many lines. Thousands of lines would block an event loop, or the threads of
  /// other tasks.
  private func later<Body>(
    _ call: CallContext<NoBody>, _ answer: @escaping @Sendable (PlayerView) throws(Problem) -> TypedAnswer<Body>
  ) throws(Problem) -> TypedReply<Body> {
    let id = try call.request.playerID()
    let (host, user) = (services.clock.now, call.role.uid)
    return .task { () async throws(Problem) in
      let (count, stored, game): (Int, StoredPlayer, GameSnapshot)
      do throws(ChangeRefusal) {
        let view = try await services.players.view(id, host: host)
        (count, stored, game) = (view.ledger.transactions.count + view.ledger.log.count, view.stored, view.game)
      } catch { throw Problem(error) }
      return try await services.longWork.lines(count, for: user) { () throws(Problem) in
        try answer(PlayerView(stored, id, of: game, host: host))
      }
    }
  }
}
