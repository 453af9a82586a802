// The routes by which admins and testers change players: set scores, reset ads, reset and forget players.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

struct PlayerAdminRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.patchPlayer) { call throws(Problem) in try setScores(call) },
      CallRoute(Calls.playerRows) { call throws(Problem) in rows(of: try call.request.playerID()) },
      CallRoute(Calls.storedRows) { call throws(Problem) in rows(of: try call.storedPlayer) },
      CallRoute(Calls.forgetPlayer) { call throws(Problem) in try forget(call, call.request.playerID()) },
      CallRoute(Calls.forgetStored) { call throws(Problem) in try forget(call, call.storedPlayer) },
      CallRoute(Calls.resetPlayer) { call throws(Problem) in try reset(call) },
      CallRoute(Calls.copyPlayer, bodyBytesMax: PlayerRowsReader.bytesMax) { call throws(Problem) in
        try CopyPlayerRoute(services: services)(call)
      },
      CallRoute(Calls.resetAds) { call throws(Problem) in try changeAds(call, .resetAds(at: call.path("placement"))) },
      CallRoute(Calls.forceAd) { call throws(Problem) in try changeAds(call, .forceAd(at: call.path("placement"))) },
    ]
  }

  private func setScores(_ call: CallContext<PatchPlayer>) throws(Problem) -> TypedReply<ScoresAnswer> {
    let body = call.body
    return try call.changingPlayer(
      .set(body.change), services, reason: body.reason,
      answer: { changed, _, change in
        ScoresAnswer(
          playerRevision: changed.player.revision, scores: changed.player.state?.scores ?? WireScores(lifetimeScore: 0, gamesPlayed: 0),
          unlocked: changed.outcome.unlocked.wire, isDryRun: change.isDryRun)
      })
  }

  private func rows(of id: PlayerID) -> TypedReply<PlayerRowsAnswer> {
    .task { () async throws(Problem) in
      do throws(ChangeRefusal) {
        let rows = try await services.players.storedRows(of: id)
        return .ok(PlayerRowsAnswer(game: id.game, player: id.player, rows: rows))
      } catch { throw Problem(error) }
    }
  }

  private func forget(_ call: CallContext<NoBody>, _ player: PlayerID) throws(Problem) -> TypedReply<ForgetAnswer> {
    let game = try call.game.snapshot
    return try call.changingPlayer(
      .forget, of: player, services, reason: nil,
      render: { [services] forgotten, _, change in
        // The change of a player without stored data is not published. The player may have read values, though, so the lines about
        // the player are removed from the viewers here.
        if !change.isDryRun, !forgotten.outcome.isKnown {
          services.views.clear([player.game])
          services.reads.players.forget(player.player, in: player.game)
        }
        let revisions = forgotten.revisions(of: game)
        return change.isDryRun ? .ok(forgotten.outcome.wire(isDryRun: true), revisions) : .noContent(revisions)
      })
  }

  private func reset(_ call: CallContext<ReasonRequest?>) throws(Problem) -> TypedReply<PlayerResetAnswer> {
    try call.changingPlayer(
      .reset, services, reason: call.body?.reason,
      answer: { changed, _, change in
        let gone = changed.outcome
        var answer = PlayerResetAnswer(
          playerRevision: changed.player.revision, isKnown: gone.isKnown,
          removed: gone.counts, isDryRun: change.isDryRun)
        answer.overridesOfOthers = gone.overridesOfOthers.mapValues(Int64.init)
        return answer
      })
  }

  private func changeAds(_ call: CallContext<ReasonRequest?>, _ act: PlayerAct<AdDecision>) throws(Problem) -> TypedReply<AdChangeAnswer> {
    let game = try call.game.snapshot
    return try call.changingPlayer(
      act, services, reason: call.body?.reason,
      answer: { changed, _, change in
        AdChangeAnswer(
          playerRevision: changed.player.revision, isDryRun: change.isDryRun, ad: changed.outcome.status(in: game.catalog))
      })
  }
}

extension CallContext {
  /// The player that the query names. It accepts any id under which rows may be stored.
  fileprivate var storedPlayer: PlayerID {
    get throws(Problem) {
      guard let player = text(.storedPlayer) else {
        throw .query(.malformedQueryParameter, "player", "Name the player whose stored rows are meant: ?player=ID.")
      }
      return PlayerID(game: try game.snapshot.game, player: player)
    }
  }
}

extension PlayerResetOutcome {
  /// The number of a player's removed rows, by kind of row.
  var counts: [String: Int64] {
    let beside = ["overrides": Int64(overrides), "clock": hadClock ? 1 : 0, "behaviour": hadBehaviour ? 1 : 0]
    return rows.answer.merging(beside.filter { $0.value > 0 }) { $1 }
  }
}

extension PlayerRemovalOutcome {
  fileprivate func wire(isDryRun: Bool) -> ForgetAnswer {
    let beside = [
      "overrides": Int64(overrides), "transfers": Int64(transfers), "answers": Int64(answers), "unreadable": rows.isUnreadable ? 1 : 0,
    ]
    return ForgetAnswer(
      isKnown: isKnown, removed: rows.answer.merging(beside.filter { $0.value > 0 }) { $1 }, auditLines: Int64(auditLines),
      isDryRun: isDryRun)
  }
}

extension PatchPlayer {
  var change: ScoreChange {
    ScoreChange(
      lifetimeScore: lifetimeScore, gamesPlayed: gamesPlayed,
      bestScores: bestScores.members.reduce(into: [:]) { $0[$1.name] = $1.value })
  }
}
