// The overview: health, the games, their catalogs, and this contract itself.

internal import GameConfAPI
internal import GameConfCore
package import GameConfEngine
package import GameConfStorage

/// The calls that list what is served.
struct ReadingRoutes {
  let health: DaemonHealth
  let clock: any HostClock

  var routes: [CallRoute] {
    [
      CallRoute(Calls.healthLive) { _ in .now(.ok(HealthAnswer(status: .live))) },
      CallRoute(Calls.healthReady) { asked throws(Problem) in
        let degraded = health.degradations(of: asked.request.served.world).filter { degradation in
          degradation.game.map { asked.role.games?.contains($0) != false } ?? true
        }
        if asked.flag(.strict), !degraded.isEmpty {
          let details = degraded.map { Problem.Item(.degraded, "\($0.game.map { $0 + ": " } ?? "")\($0.what): \($0.detail ?? "")") }
          throw Problem(.degraded, "Games are served, with problems.", errors: details)
        }
        return .now(.ok(HealthAnswer(status: degraded.isEmpty ? .ready : .degraded, degraded: degraded)))
      },
      CallRoute(Calls.games) { asked in
        let games = asked.request.served.world.games.filter { asked.role.games?.contains($0.game) != false }
        let host = clock.now
        let answer = GamesAnswer(
          games: games.map { game in
            GameSummary(
              game: game.game, title: game.catalog.title, revision: game.revision, degraded: health.degradations(of: game),
              clock: game.movedClock(host: host))
          },
          unserved: health.unserved(in: asked.request.served.world).filter { asked.role.games?.contains($0.game) != false })
        var timeless = answer
        for at in timeless.games.indices {
          timeless.games[at].clock?.now = .earliest
          if timeless.games[at].clock?.rate != 1 { timeless.games[at].clock?.offsetMilliseconds = 0 }
        }
        return .now(.ok(answer, sameAs: timeless))
      },
      CallRoute(Calls.catalog) { asked throws(Problem) in
        let game = try asked.game
        let revisions = game.snapshot.revisions
        if let body = game.catalog.known { return .now(.written(body, revisions)) }
        return .task { () async throws(Problem) in .written(try await game.catalog.made(), revisions) }
      },
    ]
  }
}

extension GameSnapshot {
  /// The game's simulated clock; nil where it shows the host's time.
  func movedClock(host: Instant) -> MovedClock? {
    if clock == .host { return nil }
    let now = now(host: host)
    return MovedClock(
      now: now, rate: Double(clock.rateThousandths) / 1_000, offsetMilliseconds: now.milliseconds - host.milliseconds)
  }
}

/// The health of the daemon as a whole, for health and status.
public struct DaemonHealth: Sendable {
  /// The daemon's version.
  public let version: String
  let store: any Store
  private let expected: ExpectedGames

  /// The health of a daemon on this store that is to serve these games.
  package init(version: String, store: any Store, expected: ExpectedGames) {
    self.version = version
    self.store = store
    self.expected = expected
  }

  /// The degradations of the store and of each game, served or not.
  func degradations(of world: World) -> [GameConfAPI.Degradation] {
    var all: [GameConfAPI.Degradation] = []
    let health = store.health
    if !health.isGood {
      all.append(GameConfAPI.Degradation(what: "store", since: health.since, detail: health.sentence))
    }
    let missing = expected.missing(from: world).map { game, details in
      GameConfAPI.Degradation(
        game: game, what: GameConfEngine.Degradation.Cause.catalogWaits.rawValue, detail: details.joined(separator: "\n"))
    }
    return all + missing + world.games.flatMap(degradations)
  }

  /// The games that have a catalog and are not served.
  func unserved(in world: World) -> [UnservedGameAnswer] {
    expected.unserved(in: world).map { UnservedGameAnswer(game: $0.game, details: $0.details, faultyFile: $0.faultyFile) }
  }

  /// The degradations of one game.
  func degradations(of game: GameSnapshot) -> [GameConfAPI.Degradation] {
    var all = game.degraded.map {
      GameConfAPI.Degradation(game: game.game, what: $0.what.rawValue, since: $0.since, detail: $0.details.joined(separator: "\n"))
    }
    let quarantined = game.overrides.counts.quarantined
    if quarantined > 0 {
      all.append(
        GameConfAPI.Degradation(
          game: game.game, what: "override",
          detail: quarantined == 1
            ? "1 override is in quarantine: the catalog does not admit it."
            : "\(quarantined) overrides are in quarantine: the catalog does not admit them."))
    }
    return all
  }
}

extension StoreHealth {
  /// The condition in a sentence.
  var sentence: String {
    let condition: String =
      switch self.condition {
      case .good: lastGoodFault.map { "writes are accepted, but \($0)" } ?? "no problems"
      case .noSpace:
        "the disk\(fleet == nil ? "" : " of the database server") is full: reads go on, writes are refused until there is space"
      case .readOnly: "the disk is read-only: reads go on, writes are refused until it is writable"
      case .failing(let words): "the database failed: writes are refused until it recovers: \(words)"
      case .lost(let words): words
      }
    return asidePath.map { condition + "; the damaged database is at \($0)" } ?? condition
  }
}
