// The routes by which games change players: visits, contexts, settings and ad reports.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

struct PlayerChangeRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.openVisit) { asked throws(Problem) in try openVisit(asked) },
      CallRoute(Calls.putContext) { asked throws(Problem) in try register(asked) },
      CallRoute(Calls.putSetting) { asked throws(Problem) in try choose(asked, asked.body.value, reason: asked.body.reason) },
      CallRoute(Calls.putSettings) { asked throws(Problem) in try chooseMany(asked) },
      CallRoute(Calls.deleteSetting) { asked throws(Problem) in try choose(asked, .none, reason: nil) },
      CallRoute(Calls.reportAd) { asked throws(Problem) in try report(asked) },
    ]
  }

  private func openVisit(_ asked: CallContext<ReasonRequest?>) throws(Problem) -> TypedReply<VisitAnswer> {
    try asked.changingPlayer(
      .openVisit, services, reason: asked.body?.reason,
      answer: { opened, _, change in
        VisitAnswer(playerRevision: opened.player.revision, visits: opened.outcome.wire, isDryRun: change.isDryRun)
      })
  }

  private func register(_ asked: CallContext<PutContext>) throws(Problem) -> TypedReply<ContextAnswer> {
    let context = try RequestCaller.canonical(asked.body.context, isKept: true)
    return try asked.changingPlayer(
      .register(context), services, reason: asked.body.reason,
      answer: { registered, _, change in
        ContextAnswer(playerRevision: registered.player.revision, context: registered.outcome, isDryRun: change.isDryRun)
      })
  }

  /// - Parameter value: The player's setting; nil removes it.
  private func choose<Ask>(_ asked: CallContext<Ask>, _ value: Value?, reason: String?) throws(Problem) -> TypedReply<SettingAnswer> {
    let (game, key) = (try asked.game.snapshot, asked.path("key"))
    return try asked.changingPlayer(
      .choose([(key, value)]), services, reason: reason,
      render: { chosen, _, change in
        let revisions = chosen.revisions(of: game)
        if value == nil, !change.isDryRun { return .noContent(revisions) }
        guard let setting = chosen.outcome.first else { return .noContent(revisions) }
        return .ok(setting.wire(playerRevision: chosen.player.revision, isDryRun: change.isDryRun), revisions)
      })
  }

  private func chooseMany(_ asked: CallContext<PutSettings>) throws(Problem) -> TypedReply<SettingsAnswer> {
    let body = asked.body
    return try asked.changingPlayer(
      .choose(body.settings.members.map { ($0.name, $0.value == .null ? Value?.none : $0.value) }), services, reason: body.reason,
      answer: { chosen, _, change in
        SettingsAnswer(
          playerRevision: chosen.player.revision, settings: chosen.outcome.map { $0.wire() }, isDryRun: change.isDryRun)
      })
  }

  private func report(_ asked: CallContext<AdReportRequest>) throws(Problem) -> TypedReply<AdReportAnswer> {
    let (game, body, placement) = (try asked.game.snapshot, asked.body, asked.path("placement"))
    return try asked.changingPlayer(
      .reportAd(body.decisionID, body.outcome, at: placement), services, reason: body.reason,
      made: { if !$0.isRepeat { services.meters.count(body.outcome) } },
      answer: { reported, _, change in
        let outcome = reported.outcome
        return AdReportAnswer(
          playerRevision: reported.player.revision, decisionID: outcome.decisionID, outcome: outcome.outcome, isRepeat: outcome.isRepeat,
          isGivenBack: outcome.isGivenBack, isDryRun: change.isDryRun, ad: outcome.standing.status(in: game.catalog))
      })
  }
}
