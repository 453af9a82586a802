// The routes of a player's events and best scores, and of leaderboards.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

struct BestRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.playerEvents) { call throws(Problem) in try events(call) },
      CallRoute(Calls.bests) { call throws(Problem) in try bests(call) },
      CallRoute(Calls.removeBests) { call throws(Problem) in try remove(call) },
      CallRoute(Calls.removeBoardRows) { call throws(Problem) in try removeRows(call) },
      CallRoute(Calls.leaderboard) { call throws(Problem) in try leaderboard(call) },
    ]
  }

  private func events(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<PlayerEventsAnswer> {
    let (id, revisions) = (try call.request.playerID(), try call.game.snapshot.revisions)
    let (event, limit) = (call.text(.event), Int(call.number(.eventsLimit) ?? 0))
    let order: EventOrder = call.text(.eventOrder) == "score" ? .score : .newest
    let host = services.clock.now
    return .task { () async throws(Problem) in
      do throws(ChangeRefusal) {
        let events = try await services.players.events(of: id, named: event, order: order, limit: limit, host: host)
        return .ok(PlayerEventsAnswer(game: id.game, player: id.player, events: events.map(\.wire)), revisions)
      } catch { throw Problem(error) }
    }
  }

  private func bests(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<BestsAnswer> {
    let (id, revisions) = (try call.request.playerID(), try call.game.snapshot.revisions)
    let (selection, limit) = (call.bestSelection, Int(call.number(.bestsLimit) ?? 0))
    let after = try call.text(.afterBest).map { text throws(Problem) in try Self.best(named: text) }
    return .task { () async throws(Problem) in
      do throws(ChangeRefusal) {
        let bests = try await services.players.bests(of: id, selection, after: after, limit: limit)
        let next = bests.count == limit ? bests.last.map { "\($0.event)/\($0.detail)" } : nil
        return .ok(BestsAnswer(game: id.game, player: id.player, bests: bests, nextAfter: next), revisions)
      } catch { throw Problem(error) }
    }
  }

  /// Parses the cursor `EVENT/DETAIL`, which names the last best score of a page. An event's name contains no slash, so the first slash
  /// ends it.
  private static func best(named text: String) throws(Problem) -> StoredBest {
    guard let slash = text.firstIndex(of: "/") else {
      throw .query(.malformedQueryParameter, "after", "after is “\(text)”; use next_after of the previous page.")
    }
    return StoredBest(
      event: String(text[..<slash]), detail: String(text[text.index(after: slash)...]), score: nil, at: Instant(milliseconds: 0))
  }

  private func remove(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<BestsRemovedAnswer> {
    let game = try call.game.snapshot
    return try call.changingPlayer(
      .removeBests(call.bestSelection), services, reason: nil,
      render: { removed, _, change in
        let revisions = removed.revisions(of: game)
        if !change.isDryRun { return .noContent(revisions) }
        return .ok(
          BestsRemovedAnswer(playerRevision: removed.player.revision, removed: Int64(removed.outcome), isDryRun: true), revisions)
      })
  }

  private func removeRows(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<BoardRowsRemovedAnswer> {
    let game = try call.game.snapshot
    return try call.changingPlayer(
      .removeRows(BoardSelection(board: call.path("board"), per: call.text(.per))), services, reason: nil,
      render: { removed, _, change in
        let revisions = removed.revisions(of: game)
        if !change.isDryRun { return .noContent(revisions) }
        return .ok(
          BoardRowsRemovedAnswer(playerRevision: removed.player.revision, removed: Int64(removed.outcome.count), isDryRun: true),
          revisions)
      })
  }

  private func leaderboard(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<LeaderboardAnswer> {
    let game = try call.game.snapshot
    let (board, player, per) = (call.path("board"), call.text(.boardPlayer), call.text(.per))
    let limit = call.request.query(QueryParameter.boardLimit.name).flatMap { Int($0) }
    let host = services.clock.now
    return .task { () async throws(Problem) in
      do throws(ChangeRefusal) {
        let shown = try await services.players.leaderboard(
          board, of: game.game, player: player, per: per, limit: limit, host: host, estimatingBy: services.histograms)
        return .ok(shown.wire(of: game.game), game.revisions)
      } catch { throw Problem(error) }
    }
  }
}

extension CallContext {
  fileprivate var bestSelection: BestSelection { BestSelection(event: text(.event), prefix: text(.prefix)) }
}

extension LeaderboardPage {
  fileprivate func wire(of game: String) -> LeaderboardAnswer {
    LeaderboardAnswer(
      game: game, board: board.id, event: board.event, mode: board.mode, per: per, parameters: board.per.count > 1 ? board.per : nil,
      rows: rows.enumerated().map { LeaderboardRow(rank: Int64($0 + 1), player: $1.player, score: $1.score, at: $1.at) },
      standing: standing.map { standing in
        LeaderboardStanding(
          player: standing.row.player, rank: standing.rank.map(Int64.init), rankAtLeast: standing.rankAtLeast, score: standing.row.score,
          at: standing.row.at)
      })
  }
}
