// What players do and choose, as games tell it.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// The calls by which games write about players.
struct PlayerChangeRoutes {
  let services: DaemonServices

  var routes: [Route] {
    [
      Route(Endpoints.openVisit) { request throws(Problem) in try openVisit(request) },
      Route(Endpoints.putContext) { request throws(Problem) in try register(request) },
      Route(Endpoints.putSetting) { request throws(Problem) in
        let body = try request.shape(PutSetting.self)
        return try choose(request, body.value, reason: body.reason)
      },
      Route(Endpoints.deleteSetting) { request throws(Problem) in try choose(request, .none, reason: nil) },
      Route(Endpoints.reportAd) { request throws(Problem) in try report(request) },
    ]
  }

  private func openVisit(_ request: Request) throws(Problem) -> Reply {
    let id = try request.playerID()
    let game = try request.game().snapshot
    let change = try request.playerChange(to: "open visits of a player", reason: try request.reason(), host: services.clock.now)
    return try request.reply(changing: id, change) { opened in
      opened.answer(
        VisitAnswer(playerRevision: opened.player.revision, visits: opened.outcome.wire, isDryRun: change.isDryRun).wire, of: game)
    } perform: { remembering async throws(PlayerRefusal) in
      try await OpenVisit(services.players)(id, change, remembering: remembering)
    }
  }

  private func register(_ request: Request) throws(Problem) -> Reply {
    let id = try request.playerID()
    let game = try request.game().snapshot
    let body = try request.shape(PutContext.self)
    if let locale = body.context["locale"] { try RequestCaller.check(locale: locale) }
    let change = try request.playerChange(to: "register a player's context", reason: body.reason, host: services.clock.now)
    return try request.reply(changing: id, change) { registered in
      registered.answer(
        ContextAnswer(playerRevision: registered.player.revision, context: registered.outcome, isDryRun: change.isDryRun).wire, of: game)
    } perform: { remembering async throws(PlayerRefusal) in
      try await RegisterContext(services.players)(id, body.context, change, remembering: remembering)
    }
  }

  /// - Parameter value: what the player chose; nil removes the choice.
  private func choose(_ request: Request, _ value: Value?, reason: String?) throws(Problem) -> Reply {
    let id = try request.playerID()
    let game = try request.game().snapshot
    let key = request.path("key")
    let change = try request.playerChange(to: "choose a player's settings", reason: reason, host: services.clock.now)
    return try request.reply(changing: id, change) { chosen in
      if value == nil, !change.isDryRun { return chosen.noContent(of: game) }
      return chosen.answer(chosen.outcome.wire(playerRevision: chosen.player.revision, isDryRun: change.isDryRun).wire, of: game)
    } perform: { remembering async throws(PlayerRefusal) in
      try await ChooseSetting(services.players)(id, key, value, change, remembering: remembering)
    }
  }

  private func report(_ request: Request) throws(Problem) -> Reply {
    let id = try request.playerID()
    let game = try request.game().snapshot
    let placement = request.path("placement")
    let body = try request.shape(AdReportRequest.self)
    let change = try request.playerChange(to: "report on a player's ads", reason: body.reason, host: services.clock.now)
    return try request.reply(changing: id, change) { reported in
      let outcome = reported.outcome
      let answer = AdReportAnswer(
        playerRevision: reported.player.revision, decisionID: outcome.decisionID, outcome: outcome.outcome, isRepeat: outcome.isRepeat,
        isGivenBack: outcome.isGivenBack, isDryRun: change.isDryRun, ad: outcome.standing.status(in: game.catalog))
      return reported.answer(answer.wire, of: game)
    } perform: { remembering async throws(PlayerRefusal) in
      try await ReportAd(services.players)(id, decision: body.decisionID, body.outcome, at: placement, change, remembering: remembering)
    }
  }
}
