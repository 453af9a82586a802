// The routes that read players' settings, milestones, themes, ads and history.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

struct PlayerRoutes {
  let services: DaemonServices
  private var reads: PlayerReads { services.playerReads }

  var routes: [CallRoute] {
    [
      CallRoute(Calls.players) { call throws(Problem) in try list(call) },
      CallRoute(Calls.player) { call throws(Problem) in try show(call) },
      CallRoute(Calls.themes) { call throws(Problem) in
        let game = try call.game.snapshot
        let themes = fresh(game, call) { standing, locales in game.catalog.themes.map { standing($0).wire(in: locales, of: game.catalog) }
        }
        return .now(.ok(ThemeList(game: game.game, revision: game.revision, themes: themes), game.revisions))
      },
      CallRoute(Calls.theme) { call throws(Problem) in
        let game = try call.game.snapshot
        let theme = try game.theme(call.path("theme"))
        return .now(.ok(fresh(game, call) { standing, locales in standing(theme).wire(in: locales, of: game.catalog) }, game.revisions))
      },
      CallRoute(Calls.playerThemes) { call throws(Problem) in
        try reads.reply(to: call) { view throws(Problem) in
          .ok(ThemeList(game: view.id.game, player: view.id.player, revision: view.game.revision, themes: view.themes), view.revisions)
        }
      },
      CallRoute(Calls.playerTheme) { call throws(Problem) in
        let theme = try call.game.snapshot.theme(call.path("theme"))
        return try reads.reply(to: call) { view throws(Problem) in
          .ok(view.state.standing(of: theme, under: view.terms).wire(in: view.caller.locales, of: view.game.catalog), view.revisions)
        }
      },
      CallRoute(Calls.playerMilestones) { call throws(Problem) in
        try reads.reply(to: call) { view throws(Problem) in
          let list = MilestoneList(
            game: view.id.game, player: view.id.player, revision: view.game.revision, milestones: view.milestones)
          return .ok(list, view.revisions)
        }
      },
      CallRoute(Calls.adStatus) { call throws(Problem) in
        let placement = call.path("placement")
        return try reads.reply(to: call) { view throws(Problem) in .ok(try view.ad(at: placement), view.revisions) }
      },
    ]
  }

  private func list(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<PlayersList> {
    let game = try call.game.snapshot
    let limit = Int(call.number(.playersLimit) ?? 0)
    let after = call.text(.after)
    return .task { () async throws(Problem) in
      let found: [PlayerListItem]
      do throws(ChangeRefusal) {
        found = try await services.players.players(in: game.game, after: after, limit: limit)
      } catch { throw Problem(error) }
      let list = PlayersList(
        game: game.game, players: found.map(\.wire), nextAfter: found.count == limit ? found.last?.player : nil)
      return .ok(list, game.revisions)
    }
  }

  private func show(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<PlayerAnswer> {
    let count = Int(call.number(.history) ?? 0)
    if count == 0 { return try reads.reply(to: call) { view throws(Problem) in view.page(history: []).answer(view.revisions) } }
    let id = try call.request.playerID()
    let context = call.locale(.locale).map { ObjectValue([("locale", .string($0))]) }
    let host = services.clock.now
    return .task { () async throws(Problem) in
      do throws(ChangeRefusal) {
        let history = try await services.players.history(of: id, limit: count)
        let view = try await services.players.view(id, host: host, context: context)
        return view.page(history: history).answer(view.revisions)
      } catch { throw Problem(error) }
    }
  }

  /// Returns the result of `body` for a player without stored data.
  private func fresh<Outcome>(
    _ game: GameSnapshot, _ call: CallContext<NoBody>, _ body: ((Theme) -> ThemeAvailability, [String]) -> Outcome
  ) -> Outcome {
    let now = game.clock.now(host: services.clock.now)
    let locales = LocaleLookup.order(for: call.locale(.locale), among: game.catalog.locales)
    let caller = Caller(locales: locales, now: now)
    let terms = PlayerTerms(
      rules: game.table.playerRules, player: "", parameters: CallerLookup(table: game.table, caller: caller), now: now)
    let state = PlayerState(createdAt: now)
    return body({ state.standing(of: $0, under: terms) }, locales)
  }
}

extension PlayerAnswer {
  /// Returns the player's page as an answer. The ETag ignores the time of the request, which the page contains.
  fileprivate func answer(_ revisions: AnswerRevisions) -> TypedAnswer<PlayerAnswer> {
    var timeless = self
    timeless.now = .earliest
    return .ok(self, sameAs: timeless, revisions)
  }
}

extension DaemonServices {
  var playerReads: PlayerReads { PlayerReads(recent: players.recent, plays: plays, clock: clock, longWork: longWork) }
}

extension GameSnapshot {
  /// Returns the theme with this id.
  /// - Throws: `UNKNOWN_THEME`, with the most similar ids.
  fileprivate func theme(_ id: String) throws(Problem) -> Theme {
    if let theme = catalog.themes.first(where: { $0.id == id }) { return theme }
    throw Problem(
      .unknownTheme, "\(game) has no theme “\(id)”.\(NearestNames.hint(for: id, among: catalog.themes.map(\.id)))")
  }
}
