// What a player bought and may use.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// The calls that read a player's simulated purchases.
struct ShopperRoutes {
  private static let logLinesUsual: Int64 = 50
  private static let logLinesMax: Int64 = 1_000

  let services: DaemonServices
  private var reads: PlayerReads { services.playerReads }

  var routes: [Route] {
    [
      Route(Endpoints.entitlements) { request throws(Problem) in
        try reads.reply(to: request) { view throws(Problem) in view.answer(view.entitlementsAnswer.wire) }
      },
      Route(Endpoints.transactions) { request throws(Problem) in
        let onlyUnfinished = try request.flag("unfinished")
        return try later(request) { view throws(Problem) in
          let now = view.storeNow
          let wanted = onlyUnfinished ? view.ledger.unfinished : view.ledger.transactions
          let list = TransactionList(
            game: view.id.game, player: view.id.player, at: view.now, transactions: wanted.map { $0.wire(at: now) })
          return view.answer(list.wire)
        }
      },
      Route(Endpoints.transaction) { request throws(Problem) in
        let id = request.path("transaction")
        return try reads.reply(to: request) { view throws(Problem) in
          guard let transaction = view.ledger.transaction(id) else {
            throw Problem(.unknownTransaction, "The player has no transaction “\(id)”.")
          }
          return view.answer(transaction.wire(at: view.storeNow).wire)
        }
      },
      Route(Endpoints.storeLog) { request throws(Problem) in try log(request) },
      Route(Endpoints.storeBehaviour) { request throws(Problem) in
        try reads.reply(to: request) { view throws(Problem) in view.answer(view.behaviourAnswer().wire) }
      },
      Route(Endpoints.playerClock) { request throws(Problem) in
        try reads.reply(to: request) { view throws(Problem) in view.answer(view.clockAnswer.wire) }
      },
    ]
  }

  private func log(_ request: Request) throws(Problem) -> Reply {
    let limit = Int(try request.number("limit", 1...Self.logLinesMax) ?? Self.logLinesUsual)
    let before = try request.number("before", 1...Int64.max)
    return try later(request) { view throws(Problem) in
      let older = view.ledger.log.reversed().drop { entry in before.map { Int64(entry.number) >= $0 } ?? false }
      let page = older.prefix(limit).map(\.wire)
      let answer = StoreLogAnswer(
        game: view.id.game, player: view.id.player, entries: page, nextBefore: older.count > page.count ? page.last?.number : nil)
      return view.answer(answer.wire)
    }
  }

  /// Answers by a task, since thousands of lines would hold up the event loop.
  private func later(
    _ request: Request, _ answer: @escaping @Sendable (PlayerView) throws(Problem) -> Answer
  ) throws(Problem) -> Reply {
    let id = try request.playerID()
    let host = services.clock.now
    return .task { () async throws(Problem) in
      let view: PlayerView
      do throws(PlayerRefusal) { view = try await services.players.view(id, host: host) } catch { throw Problem(error) }
      return try answer(view)
    }
  }
}
