// What players do and choose, as games tell it.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

/// The calls by which games write about players.
struct PlayerChangeRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.openVisit) { asked throws(Problem) in try openVisit(asked) },
      CallRoute(Calls.putContext) { asked throws(Problem) in try register(asked) },
      CallRoute(Calls.putSetting) { asked throws(Problem) in try choose(asked, asked.body.value, reason: asked.body.reason) },
      CallRoute(Calls.deleteSetting) { asked throws(Problem) in try choose(asked, .none, reason: nil) },
      CallRoute(Calls.reportAd) { asked throws(Problem) in try report(asked) },
    ]
  }

  private func openVisit(_ asked: Asked<ReasonRequest?>) throws(Problem) -> TypedReply<VisitAnswer> {
    try asked.changingPlayer(
      reason: asked.body?.reason, host: services.clock.now,
      answer: { opened, _, change in
        VisitAnswer(playerRevision: opened.player.revision, visits: opened.outcome.wire, isDryRun: change.isDryRun)
      }
    ) { id, change, remembering async throws(ChangeRefusal) in
      try await OpenVisit(services.players)(id, change, remembering: remembering)
    }
  }

  private func register(_ asked: Asked<PutContext>) throws(Problem) -> TypedReply<ContextAnswer> {
    let context = try RequestCaller.canonical(asked.body.context, isKept: true)
    return try asked.changingPlayer(
      reason: asked.body.reason, host: services.clock.now,
      answer: { registered, _, change in
        ContextAnswer(playerRevision: registered.player.revision, context: registered.outcome, isDryRun: change.isDryRun)
      }
    ) { id, change, remembering async throws(ChangeRefusal) in
      try await RegisterContext(services.players)(id, context, change, remembering: remembering)
    }
  }

  /// - Parameter value: what the player chose; nil removes the choice.
  private func choose<Ask>(_ asked: Asked<Ask>, _ value: Value?, reason: String?) throws(Problem) -> TypedReply<SettingAnswer> {
    let (game, key) = (try asked.game.snapshot, asked.path("key"))
    return try asked.changingPlayer(reason: reason, host: services.clock.now) { chosen, _, change in
      let revisions = chosen.revisions(of: game)
      if value == nil, !change.isDryRun { return .noContent(revisions) }
      return .ok(chosen.outcome.wire(playerRevision: chosen.player.revision, isDryRun: change.isDryRun), revisions)
    } perform: { id, change, remembering async throws(ChangeRefusal) in
      try await ChooseSetting(services.players)(id, key, value, change, remembering: remembering)
    }
  }

  private func report(_ asked: Asked<AdReportRequest>) throws(Problem) -> TypedReply<AdReportAnswer> {
    let (game, body, placement) = (try asked.game.snapshot, asked.body, asked.path("placement"))
    return try asked.changingPlayer(
      reason: body.reason, host: services.clock.now,
      answer: { (reported: PlayerChanged<AdReportOutcome>, _, change) in
        let outcome = reported.outcome
        return AdReportAnswer(
          playerRevision: reported.player.revision, decisionID: outcome.decisionID, outcome: outcome.outcome, isRepeat: outcome.isRepeat,
          isGivenBack: outcome.isGivenBack, isDryRun: change.isDryRun, ad: outcome.standing.status(in: game.catalog))
      }
    ) { id, change, remembering async throws(ChangeRefusal) in
      let answered = try await ReportAd(services.players)(
        id, decision: body.decisionID, body.outcome, at: placement, change, remembering: remembering)
      if !change.isDryRun, answered.fresh?.outcome.isRepeat == false { services.meters.count(body.outcome) }
      return answered
    }
  }
}
