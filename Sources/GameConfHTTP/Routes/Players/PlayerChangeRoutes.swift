// The routes by which games change players: launches, contexts, settings and ad reports.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

struct PlayerChangeRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.openVisit) { call throws(Problem) in try openVisit(call) },
      CallRoute(Calls.putContext) { call throws(Problem) in try register(call) },
      CallRoute(Calls.putSetting) { call throws(Problem) in try choose(call, call.body.value, reason: call.body.reason) },
      CallRoute(Calls.putSettings) { call throws(Problem) in try chooseMany(call) },
      CallRoute(Calls.deleteSetting) { call throws(Problem) in try choose(call, .none, reason: nil) },
      CallRoute(Calls.reportAd) { call throws(Problem) in try report(call) },
    ]
  }

  private func openVisit(_ call: CallContext<ReasonRequest?>) throws(Problem) -> TypedReply<VisitAnswer> {
    try call.changingPlayer(
      .openVisit, services, reason: call.body?.reason,
      answer: { opened, _, change in
        VisitAnswer(playerRevision: opened.player.revision, visits: opened.outcome.wire, isDryRun: change.isDryRun)
      })
  }

  private func register(_ call: CallContext<PutContext>) throws(Problem) -> TypedReply<ContextAnswer> {
    let context = try RequestCaller.canonical(call.body.context, isStored: true)
    return try call.changingPlayer(
      .register(context), services, reason: call.body.reason,
      answer: { registered, _, change in
        ContextAnswer(playerRevision: registered.player.revision, context: registered.outcome, isDryRun: change.isDryRun)
      })
  }

  /// - Parameter value: The value that the player has chosen; nil removes the setting.
  private func choose<Ask>(_ call: CallContext<Ask>, _ value: Value?, reason: String?) throws(Problem) -> TypedReply<SettingAnswer> {
    let (game, key) = (try call.game.snapshot, call.path("key"))
    return try call.changingPlayer(
      .choose([(key, value)]), services, reason: reason,
      render: { chosen, _, change in
        let revisions = chosen.revisions(of: game)
        if value == nil, !change.isDryRun { return .noContent(revisions) }
        guard let setting = chosen.outcome.first else { return .noContent(revisions) }
        return .ok(setting.wire(playerRevision: chosen.player.revision, isDryRun: change.isDryRun), revisions)
      })
  }

  private func chooseMany(_ call: CallContext<PutSettings>) throws(Problem) -> TypedReply<SettingsAnswer> {
    let body = call.body
    return try call.changingPlayer(
      .choose(body.settings.members.map { ($0.name, $0.value == .null ? Value?.none : $0.value) }), services, reason: body.reason,
      answer: { chosen, _, change in
        SettingsAnswer(
          playerRevision: chosen.player.revision, settings: chosen.outcome.map { $0.wire() }, isDryRun: change.isDryRun)
      })
  }

  private func report(_ call: CallContext<AdReportRequest>) throws(Problem) -> TypedReply<AdReportAnswer> {
    let (game, body, placement) = (try call.game.snapshot, call.body, call.path("placement"))
    return try call.changingPlayer(
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
