// What players did, chose and reached, for games and for admins to read.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// The calls that read players, and the game's themes.
struct PlayerRoutes {
  /// How many lines of history a page has unless said.
  private static let historyUsual: Int64 = 20
  private static let playersUsual: Int64 = 50

  let services: DaemonServices
  private var reads: PlayerReads { services.playerReads }

  var routes: [Route] {
    [
      Route(Endpoints.players) { request throws(Problem) in try list(request) },
      Route(Endpoints.player) { request throws(Problem) in try show(request) },
      Route(Endpoints.themes) { request throws(Problem) in
        let game = try request.game().snapshot
        let themes = try fresh(game, request) { standing, locales in game.catalog.themes.map { standing($0).wire(in: locales) } }
        return .now(
          .json(
            ThemeList(game: game.game, revision: game.revision, themes: themes).wire, revision: UInt64(clamping: game.revision)))
      },
      Route(Endpoints.theme) { request throws(Problem) in
        let game = try request.game().snapshot
        let theme = try game.theme(request.path("theme"))
        let answer = try fresh(game, request) { standing, locales in standing(theme).wire(in: locales) }
        return .now(.json(answer.wire, revision: UInt64(clamping: game.revision)))
      },
      Route(Endpoints.playerThemes) { request throws(Problem) in
        try reads.reply(to: request) { view throws(Problem) in
          let list = ThemeList(game: view.id.game, player: view.id.player, revision: view.game.revision, themes: view.themes)
          return view.answer(list.wire)
        }
      },
      Route(Endpoints.playerTheme) { request throws(Problem) in
        let theme = try request.game().snapshot.theme(request.path("theme"))
        return try reads.reply(to: request) { view throws(Problem) in
          view.answer(view.state.standing(of: theme, under: view.terms).wire(in: view.caller.locales).wire)
        }
      },
      Route(Endpoints.playerMilestones) { request throws(Problem) in
        try reads.reply(to: request) { view throws(Problem) in
          let list = MilestoneList(
            game: view.id.game, player: view.id.player, revision: view.game.revision, milestones: view.milestones)
          return view.answer(list.wire)
        }
      },
      Route(Endpoints.adStatus) { request throws(Problem) in
        let placement = request.path("placement")
        return try reads.reply(to: request) { view throws(Problem) in view.answer(try view.ad(at: placement).wire) }
      },
    ]
  }

  private func list(_ request: Request) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let limit = Int(try request.number("limit", 1...Int64(ListPlayers.playersMax)) ?? Self.playersUsual)
    let after = request.query("after")
    return .task { () async throws(Problem) in
      let found: [ListedPlayer]
      do throws(PlayerRefusal) {
        found = try await ListPlayers(services.players)(in: game.game, after: after, limit: limit)
      } catch { throw Problem(error) }
      let list = PlayersList(
        game: game.game, players: found.map(\.wire), nextAfter: found.count == limit ? found.last?.player : nil)
      return .json(list.wire, revision: UInt64(clamping: game.revision))
    }
  }

  private func show(_ request: Request) throws(Problem) -> Reply {
    let count = Int(try request.number("history", 0...Int64(PlayerLimits.historyEntriesMax)) ?? Self.historyUsual)
    if count == 0 { return try reads.reply(to: request) { view throws(Problem) in view.answer(view.page(history: []).wire) } }
    let id = try request.playerID()
    let context = try request.locale().map { ObjectValue([("locale", .string($0))]) }
    let host = services.clock.now
    return .task { () async throws(Problem) in
      do throws(PlayerRefusal) {
        let read = ReadPlayer(services.players)
        let history = try await read.history(of: id, limit: count)
        let view = try await read(id, host: host, context: context)
        return view.answer(view.page(history: history).wire)
      } catch { throw Problem(error) }
    }
  }

  /// What is so for a player of whom nothing is known.
  private func fresh<Outcome>(
    _ game: GameSnapshot, _ request: Request, _ body: ((Theme) -> ThemeStanding, [String]) -> Outcome
  ) throws(Problem) -> Outcome {
    let now = game.clock.now(host: services.clock.now)
    let locales = LocaleLookup.order(for: try request.locale(), among: game.catalog.locales)
    let caller = Caller(locales: locales, now: now)
    let terms = PlayerTerms(
      rules: game.table.playerRules, player: "", parameters: CallerLookup(table: game.table, caller: caller), now: now)
    let state = PlayerState(createdAt: now)
    return body({ state.standing(of: $0, under: terms) }, locales)
  }
}

extension DaemonServices {
  /// Answers reads about players.
  var playerReads: PlayerReads { PlayerReads(recent: players.recent, clock: clock, longWork: longWork) }
}

extension GameSnapshot {
  /// The theme of that id.
  /// - Throws: `UNKNOWN_THEME` with the nearest ids.
  fileprivate func theme(_ id: String) throws(Problem) -> Theme {
    if let theme = catalog.themes.first(where: { $0.id == id }) { return theme }
    throw Problem(
      .unknownTheme, "\(game) has no theme “\(id)”.\(NearestNames.hint(for: id, among: catalog.themes.map(\.id), quotes: .curved))")
  }
}
