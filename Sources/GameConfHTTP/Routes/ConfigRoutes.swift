// A game's values: all of them, some, or one.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// The calls that answer values.
struct ConfigRoutes {
  let clock: any HostClock
  let secrets: SecretReaders
  let players: RecentPlayers
  let tallies: EvaluationTallies

  private var reads: PlayerReads { PlayerReads(recent: players, clock: clock) }

  var routes: [Route] {
    [
      Route(Endpoints.config) { request throws(Problem) in
        let game = try request.game()
        return try config(game, RequestCaller(query: request), request)
      },
      Route(Endpoints.evaluateConfig) { request throws(Problem) in
        let game = try request.game()
        return try config(game, RequestCaller(body: request), request)
      },
      Route(Endpoints.value) { request throws(Problem) in
        let game = try request.game().snapshot
        let asked = try RequestCaller(query: request)
        return try reads.reply(asked.context, of: game) { seen throws(Problem) in try value(seen, request) }
      },
      Route(Endpoints.evaluateValue) { request throws(Problem) in
        let game = try request.game().snapshot
        let asked = try RequestCaller(body: request)
        if asked.keys != nil {
          throw Problem(.malformedRequest, "keys is for a whole config; this call answers one key.", pointer: "/keys")
        }
        return try reads.reply(asked.context, of: game) { seen throws(Problem) in try value(seen, request) }
      },
    ]
  }

  private func config(_ game: ServedGame, _ asked: RequestCaller, _ request: Request) throws(Problem) -> Reply {
    try reads.reply(asked.context, of: game.snapshot) { seen throws(Problem) in try config(game, asked.keys, seen, request) }
  }

  private func value(_ seen: Evaluation, _ request: Request) throws(Problem) -> Answer {
    let game = seen.game
    let entry = try game.entry(request.path("key"))
    if entry.parameter.isSecret, !secrets.admits(request.role, to: game.game) {
      throw Problem(
        .secretKey, "\(entry.parameter.key) is secret; uid \(request.role.uid) is not among its readers in the daemon's settings.")
    }
    guard let answer = seen.answer(for: entry.parameter.key) else {
      throw Problem(.internalFault, "\(entry.parameter.key) has no value; its catalog should not have been accepted.")
    }
    tallies.count(game: game.game, layer: answer.layer)
    var wire = ValueAnswer(answer)
    if !answer.degraded.isEmpty {
      wire.degraded = answer.degraded.map(\.rawValue)
      wire.metadata["degraded"] = .list(wire.degraded.map(Value.string))
    }
    return seen.answer(wire.wire)
  }

  private func config(
    _ served: ServedGame, _ keys: [String]?, _ seen: Evaluation, _ request: Request
  ) throws(Problem) -> Answer {
    let game = served.snapshot
    let readsSecrets = secrets.admits(request.role, to: game.game)
    switch request.query("detail") {
    case nil: break
    case "full"?: return try fullConfig(seen, keys, readsSecrets: readsSecrets)
    case let other?:
      throw .query(.malformedQueryParameter, "detail", "detail is “\(other)”; the only word it takes is full.")
    }
    var body = ConfigBody(of: served, for: seen.caller, readsSecrets: readsSecrets)
    if let keys {
      for key in keys { body.append(try game.entry(key)) }
    } else {
      body.appendAll()
    }
    for (layer, count) in body.layers { tallies.count(game: game.game, layer: layer, by: count) }
    var answer = Answer(
      contentType: "application/json", body: body.finish(degraded: seen.degraded.map(\.rawValue)),
      revision: UInt64(clamping: game.revision), playerRevision: seen.playerRevision.map { UInt64(clamping: $0) })
    // Without a query nothing tells one caller from another, and nothing but a new state or the time changes what they get.
    // A clock that stands still lets no time pass, and a clock that is set is a new state.
    if request.isBare, !served.hasSecrets, !body.isTimeDependent {
      let counts = body.layers.map { (tallies.position(game: game.game, layer: $0.key), $0.value) }
      answer.standing = Answer.Standing(
        target: "/v1/games/\(game.game)/config", until: body.nextChangeAt.flatMap { game.host(at: $0) },
        tallies: Dictionary(counts, uniquingKeysWith: +))
    }
    return answer
  }

  private func fullConfig(_ seen: Evaluation, _ keys: [String]?, readsSecrets: Bool) throws(Problem) -> Answer {
    let game = seen.game
    var answers: [ValueAnswer] = []
    for entry in try RequestCaller.entries(keys, of: game) {
      let parameter = entry.parameter
      guard let answer = seen.answer(for: parameter.key) else { continue }
      tallies.count(game: game.game, layer: answer.layer)
      var wire = ValueAnswer(answer)
      if parameter.isSecret, !readsSecrets {
        wire.value = .null
        wire.isMasked = true
      }
      wire.declaration = ValueAnswer.Declaration(
        unit: parameter.unit, section: parameter.section, description: parameter.description, flag: parameter.flag?.rawValue,
        isPlayerSetting: parameter.isPlayerSetting)
      answers.append(wire)
    }
    return seen.answer(
      ConfigAnswer(game: game.game, revision: game.revision, values: .full(answers), degraded: seen.degraded.map(\.rawValue)).wire)
  }
}

extension Evaluation {
  /// An answer with the revisions it was evaluated at.
  func answer(_ wire: Value) -> Answer {
    .json(wire, revision: UInt64(clamping: game.revision), playerRevision: playerRevision.map { UInt64(clamping: $0) })
  }
}

/// Who is served secret parameters, by game.
public struct SecretReaders: Sendable, Hashable {
  private let uids: [String: Set<UInt32>]

  /// The uids listed for each game.
  public init(_ uids: [String: [UInt32]]) { self.uids = uids.mapValues(Set.init) }

  func admits(_ role: PeerRole, to game: String) -> Bool { uids[game]?.contains(role.uid) == true }
}
