// The routes of the daemon's health, of the list of games, and of their catalogs.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfStorage

struct ReadingRoutes {
  let health: DaemonHealth
  let clock: any HostClock

  var routes: [CallRoute] {
    [
      CallRoute(Calls.healthLive) { _ in .now(.ok(HealthAnswer(status: .live))) },
      CallRoute(Calls.healthReady) { call throws(Problem) in
        let degraded = health.degradations(in: call.request.served.world, visibleTo: call.role)
        if call.flag(.strict), !degraded.isEmpty {
          let details = degraded.map { Problem.Item(.degraded, "\($0.game.map { $0 + ": " } ?? "")\($0.word): \($0.detail ?? "")") }
          throw Problem(.degraded, "Games are served, with problems.", errors: details)
        }
        return .now(.ok(HealthAnswer(status: degraded.isEmpty ? .ready : .degraded, degraded: degraded)))
      },
      CallRoute(Calls.games) { call in
        let world = call.request.served.world
        let games = world.games.filter { call.role.games?.contains($0.game) != false }
        let degraded = health.degradations(in: world)
        let host = clock.now
        let answer = GamesAnswer(
          games: games.map { game in
            GameSummary(
              game: game.game, title: game.catalog.title, revision: game.revision, degraded: degraded.filter { $0.game == game.game },
              clock: game.movedClock(host: host))
          },
          unserved: health.unserved(in: world).filter { call.role.games?.contains($0.game) != false })
        var timeless = answer
        for at in timeless.games.indices {
          timeless.games[at].clock?.now = .earliest
          if timeless.games[at].clock?.rate != 1 { timeless.games[at].clock?.offsetMilliseconds = 0 }
        }
        return .now(.ok(answer, sameAs: timeless))
      },
      CallRoute(Calls.catalog) { call throws(Problem) in
        let game = try call.game
        let revisions = game.snapshot.revisions
        if let body = game.catalog.known { return .now(.written(body, revisions)) }
        return .task { () async throws(Problem) in .written(try await game.catalog.made(), revisions) }
      },
    ]
  }
}

extension GameSnapshot {
  /// Returns the game's simulated clock; nil if it shows the host's time.
  func movedClock(host: Instant) -> MovedClock? {
    if clock == .host { return nil }
    let now = now(host: host)
    return MovedClock(
      now: now, rate: Double(clock.rateThousandths) / 1_000, offsetMilliseconds: now.milliseconds - host.milliseconds)
  }
}
