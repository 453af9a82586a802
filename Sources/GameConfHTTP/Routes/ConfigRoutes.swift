// A game's values: all of them, some, or one.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

/// The calls that answer values.
struct ConfigRoutes {
  let clock: any HostClock
  let secrets: SecretReaders
  let players: RecentPlayers

  private var reads: PlayerReads { PlayerReads(recent: players, clock: clock) }

  var routes: [Route] {
    [
      Route(Endpoints.config.id) { request throws(Problem) in
        let game = try request.game()
        let asked = try RequestCaller(query: request, of: game.snapshot, now: now(in: game.snapshot))
        return try reads.reply(asked, of: game.snapshot) { caller throws(Problem) in try config(game, asked.keys, caller, request) }
      },
      Route(Endpoints.evaluateConfig.id) { request throws(Problem) in
        let game = try request.game()
        let asked = try RequestCaller(body: request, of: game.snapshot, now: now(in: game.snapshot))
        return try reads.reply(asked, of: game.snapshot) { caller throws(Problem) in try config(game, asked.keys, caller, request) }
      },
      Route(Endpoints.value.id) { request throws(Problem) in
        let game = try request.game().snapshot
        let asked = try RequestCaller(query: request, of: game, now: now(in: game))
        return try reads.reply(asked, of: game) { caller throws(Problem) in try value(game, caller, request) }
      },
      Route(Endpoints.evaluateValue.id) { request throws(Problem) in
        let game = try request.game().snapshot
        let asked = try RequestCaller(body: request, of: game, now: now(in: game))
        if asked.keys != nil {
          throw Problem(.malformedRequest, "keys is for a whole config; this call answers one key.", pointer: "/keys")
        }
        return try reads.reply(asked, of: game) { caller throws(Problem) in try value(game, caller, request) }
      },
    ]
  }

  /// The game's simulated time.
  private func now(in game: GameSnapshot) -> Instant { game.now(host: clock.now) }

  private func value(_ game: GameSnapshot, _ resolved: ResolvedCaller, _ request: Request) throws(Problem) -> Answer {
    let entry = try game.entry(request.path("key"))
    if entry.parameter.isSecret, !secrets.admits(request.role, to: game.game) {
      throw Problem(
        .secretKey, "\(entry.parameter.key) is secret; uid \(request.role.uid) is not among its readers in the daemon's settings.")
    }
    guard let answer = game.table.resolve(entry.parameter.key, for: resolved.caller) else {
      throw Problem(.internalFault, "\(entry.parameter.key) has no value; its catalog should not have been accepted.")
    }
    EvaluationTallies.shared.count(game: game.game, layer: answer.layer)
    var wire = ValueAnswer(answer, of: entry, revision: game.revision(at: entry.parameter.key, for: resolved.caller.player))
    // What is the same for everyone lacks nothing when the player cannot be asked for.
    if answer.reason != .static, resolved.fault != nil {
      wire.degraded = resolved.degraded
      wire.metadata["degraded"] = .list(resolved.degraded.map(Value.string))
    }
    return .json(wire.wire, revision: UInt64(clamping: game.revision), playerRevision: resolved.playerRevision)
  }

  private func config(
    _ served: ServedGame, _ keys: [String]?, _ resolved: ResolvedCaller, _ request: Request
  ) throws(Problem) -> Answer {
    let game = served.snapshot
    let readsSecrets = secrets.admits(request.role, to: game.game)
    switch request.query("detail") {
    case nil: break
    case "full"?: return try fullConfig(game, keys, resolved, readsSecrets: readsSecrets)
    case let other?:
      throw .query(.malformedQueryParameter, "detail", "detail is “\(other)”; the only word it takes is full.")
    }
    var body = ConfigBody(of: served, for: resolved.caller, readsSecrets: readsSecrets)
    if let keys {
      for key in keys { body.append(try game.entry(key)) }
    } else {
      body.appendAll()
    }
    for (layer, count) in body.layers { EvaluationTallies.shared.count(game: game.game, layer: layer, by: count) }
    var answer = Answer(
      contentType: "application/json", body: body.finish(degraded: resolved.degraded), revision: UInt64(clamping: game.revision),
      playerRevision: resolved.playerRevision)
    // Without a query nothing tells one caller from another, and nothing but a new state or the time changes what they get.
    // A clock that stands still lets no time pass, and a clock that is set is a new state.
    if request.isBare, !served.hasSecrets, !body.isTimeDependent {
      let tallies = body.layers.map { (EvaluationTallies.shared.position(game: game.game, layer: $0.key), $0.value) }
      answer.standing = Answer.Standing(
        target: "/v1/games/\(game.game)/config", until: body.nextChangeAt.flatMap { game.host(at: $0) },
        tallies: Dictionary(tallies, uniquingKeysWith: +))
    }
    return answer
  }

  private func fullConfig(
    _ game: GameSnapshot, _ keys: [String]?, _ resolved: ResolvedCaller, readsSecrets: Bool
  ) throws(Problem) -> Answer {
    var answers: [ValueAnswer] = []
    for entry in try RequestCaller.entries(keys, of: game) {
      let parameter = entry.parameter
      guard let answer = game.table.resolve(parameter.key, for: resolved.caller) else { continue }
      EvaluationTallies.shared.count(game: game.game, layer: answer.layer)
      var wire = ValueAnswer(answer, of: entry, revision: game.revision(at: entry.parameter.key, for: resolved.caller.player))
      if parameter.isSecret, !readsSecrets {
        wire.value = .null
        wire.isMasked = true
      }
      wire.declaration = ValueAnswer.Declaration(
        unit: parameter.unit, section: parameter.section, description: parameter.description, flag: parameter.flag?.rawValue,
        isPlayerSetting: parameter.isPlayerSetting)
      answers.append(wire)
    }
    let wire = ConfigAnswer(game: game.game, revision: game.revision, values: .full(answers), degraded: resolved.degraded).wire
    return .json(wire, revision: UInt64(clamping: game.revision), playerRevision: resolved.playerRevision)
  }
}

/// Who is served secret parameters, by game.
public struct SecretReaders: Sendable, Hashable {
  private let uids: [String: Set<UInt32>]

  /// The uids listed for each game.
  public init(_ uids: [String: [UInt32]]) { self.uids = uids.mapValues(Set.init) }

  func admits(_ role: PeerRole, to game: String) -> Bool { uids[game]?.contains(role.uid) == true }
}
