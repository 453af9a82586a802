// What only people and tools do to players: scores, ads, forgetting.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

/// The calls about players that are answered on the admin socket alone.
struct PlayerAdminRoutes {
  let services: DaemonServices

  var routes: [Route] {
    [
      Route(Endpoints.patchPlayer) { request throws(Problem) in try setScores(request) },
      Route(Endpoints.forgetPlayer) { request throws(Problem) in try forget(request) },
      Route(Endpoints.resetAds) { request throws(Problem) in
        let placement = request.path("placement")
        return try changeAds(request, to: "reset a player's ads") { id, change, remembering async throws(PlayerRefusal) in
          try await ResetAds(services.players)(id, at: placement, change, remembering: remembering)
        }
      },
      Route(Endpoints.forceAd) { request throws(Problem) in
        let placement = request.path("placement")
        return try changeAds(request, to: "force a player's ads") { id, change, remembering async throws(PlayerRefusal) in
          try await ForceAd(services.players)(id, at: placement, change, remembering: remembering)
        }
      },
    ]
  }

  private func setScores(_ request: Request) throws(Problem) -> Reply {
    let id = try request.playerID()
    let game = try request.game().snapshot
    let body = try request.shape(PatchPlayer.self)
    let change = try request.playerChange(to: "set a player's scores", reason: body.reason, host: services.clock.now)
    let scores = ScoreChange(
      lifetimeScore: body.lifetimeScore, gamesPlayed: body.gamesPlayed,
      bestScores: body.bestScores.members.reduce(into: [:]) { $0[$1.name] = $1.value })
    return try request.reply(changing: id, change) { refusal in
      body.problem(refusal)
    } render: { changed in
      let answer = ScoresAnswer(
        playerRevision: changed.player.revision, scores: changed.player.state?.scores ?? WireScores(lifetimeScore: 0, gamesPlayed: 0),
        unlocked: WireUnlocked(milestones: changed.outcome.milestones, themes: changed.outcome.themes), isDryRun: change.isDryRun)
      return changed.answer(answer.wire, of: game)
    } perform: { remembering async throws(PlayerRefusal) in
      try await ChangeScores(services.players)(id, scores, change, remembering: remembering)
    }
  }

  private func forget(_ request: Request) throws(Problem) -> Reply {
    let id = try request.playerID()
    let game = try request.game().snapshot
    let change = try request.playerChange(.admin, to: "forget a player", reason: nil, host: services.clock.now)
    return try request.reply(changing: id, change) { forgotten in
      if !change.isDryRun { return forgotten.noContent(of: game) }
      return forgotten.answer(forgotten.outcome.wire(isDryRun: true).wire, of: game)
    } perform: { remembering async throws(PlayerRefusal) in
      try await ForgetPlayer(services.players)(id, change, remembering: remembering)
    }
  }

  private typealias AdChange =
    @Sendable (PlayerID, PlayerChange, Remembering<PlayerChanged<AdDecision>, PlayerRefusal>?) async throws(PlayerRefusal) -> Answered<
      PlayerChanged<AdDecision>
    >

  private func changeAds(_ request: Request, to act: String, _ perform: @escaping AdChange) throws(Problem) -> Reply {
    let id = try request.playerID()
    let game = try request.game().snapshot
    let change = try request.playerChange(to: act, reason: try request.reason(), host: services.clock.now)
    return try request.reply(changing: id, change) { changed in
      let answer = AdChangeAnswer(
        playerRevision: changed.player.revision, isDryRun: change.isDryRun, ad: changed.outcome.status(in: game.catalog))
      return changed.answer(answer.wire, of: game)
    } perform: { remembering async throws(PlayerRefusal) in
      try await perform(id, change, remembering)
    }
  }
}

extension PatchPlayer {
  /// The refusal, with the place of the score that it is about.
  fileprivate func problem(_ refusal: PlayerRefusal) -> Problem {
    var problem = Problem(refusal)
    switch refusal {
    case .fault(.scoreNotWhole(let value)), .fault(.scoreNegative(let value)): problem.pointer = pointer(of: value)
    case .fault(.unknownMode(let mode, _)): problem.pointer = "/best_scores/" + JSONPointer.escaped(mode)
    default: break
    }
    return problem
  }

  private func pointer(of value: Value) -> String? {
    if lifetimeScore == value { return "/lifetime_score" }
    if gamesPlayed == value { return "/games_played" }
    return bestScores.members.first { $0.value == value }.map { "/best_scores/" + JSONPointer.escaped($0.name) }
  }
}

extension ForgottenPlayer {
  fileprivate func wire(isDryRun: Bool) -> ForgetAnswer {
    ForgetAnswer(
      isKnown: isKnown,
      removed: [
        "history": Int64(rows.historyEntries), "settings": Int64(rows.settings), "transactions": Int64(rows.transactions),
        "overrides": Int64(overrides), "transfers": Int64(transfers), "answers": Int64(answers),
      ].filter { $0.value > 0 }, auditLines: Int64(auditLines), isDryRun: isDryRun)
  }
}
