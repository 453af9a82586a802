// A game's values: all of them, some, or one.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

/// The calls that answer values.
struct ConfigRoutes {
  let clock: any HostClock
  let secrets: SecretReaders

  var routes: [Route] {
    [
      Route(Endpoints.config.id) { request throws(Problem) in
        let game = try request.game()
        return .now(try config(game, try RequestCaller(query: request, of: game.snapshot, now: clock.now), request))
      },
      Route(Endpoints.evaluateConfig.id) { request throws(Problem) in
        let game = try request.game()
        return .now(try config(game, try RequestCaller(body: request, of: game.snapshot, now: clock.now), request))
      },
      Route(Endpoints.value.id) { request throws(Problem) in
        let game = try request.game()
        return .now(try value(game.snapshot, try RequestCaller(query: request, of: game.snapshot, now: clock.now), request))
      },
      Route(Endpoints.evaluateValue.id) { request throws(Problem) in
        let game = try request.game()
        let asked = try RequestCaller(body: request, of: game.snapshot, now: clock.now)
        if asked.keys != nil {
          throw Problem(.malformedRequest, "keys is for a whole config; this call answers one key.", pointer: "/keys")
        }
        return .now(try value(game.snapshot, asked, request))
      },
    ]
  }

  private func value(_ game: GameSnapshot, _ asked: RequestCaller, _ request: Request) throws(Problem) -> Answer {
    let entry = try game.entry(request.path("key"))
    if entry.parameter.isSecret, !secrets.admits(request.role, to: game.game) {
      throw Problem(
        .secretKey, "\(entry.parameter.key) is secret; uid \(request.role.uid) is not among its readers in the daemon's settings.")
    }
    guard let answer = game.table.resolve(entry.parameter.key, for: asked.caller) else {
      throw Problem(.internalFault, "\(entry.parameter.key) has no value; its catalog should not have been accepted.")
    }
    EvaluationTallies.shared.count(game: game.game, layer: answer.layer)
    let wire = ValueAnswer(answer, of: entry, revision: game.revision(at: entry.parameter.key, for: asked.caller.player)).wire
    return .json(wire, revision: UInt64(clamping: game.revision))
  }

  private func config(_ served: ServedGame, _ asked: RequestCaller, _ request: Request) throws(Problem) -> Answer {
    let game = served.snapshot
    let readsSecrets = secrets.admits(request.role, to: game.game)
    switch request.query("detail") {
    case nil: break
    case "full"?: return try fullConfig(game, asked, readsSecrets: readsSecrets)
    case let other?:
      throw .query(.malformedQueryParameter, "detail", "detail is “\(other)”; the only word it takes is full.")
    }
    var body = ConfigBody(of: served, for: asked.caller, readsSecrets: readsSecrets)
    if let keys = asked.keys {
      for key in keys { body.append(try game.entry(key)) }
    } else {
      body.appendAll()
    }
    for (layer, count) in body.layers { EvaluationTallies.shared.count(game: game.game, layer: layer, by: count) }
    var answer = Answer(contentType: "application/json", body: body.finish(), revision: UInt64(clamping: game.revision))
    // Without a query nothing tells one caller from another, and nothing but a new state or the time changes what they get.
    if request.isBare, !served.hasSecrets, !body.isTimeDependent {
      let tallies = body.layers.map { (EvaluationTallies.shared.position(game: game.game, layer: $0.key), $0.value) }
      answer.standing = Answer.Standing(
        target: "/v1/games/\(game.game)/config", until: body.nextChangeAt, tallies: Dictionary(tallies, uniquingKeysWith: +))
    }
    return answer
  }

  private func fullConfig(_ game: GameSnapshot, _ asked: RequestCaller, readsSecrets: Bool) throws(Problem) -> Answer {
    var answers: [ValueAnswer] = []
    for entry in try asked.entries(of: game) {
      let parameter = entry.parameter
      guard let answer = game.table.resolve(parameter.key, for: asked.caller) else { continue }
      EvaluationTallies.shared.count(game: game.game, layer: answer.layer)
      var wire = ValueAnswer(answer, of: entry, revision: game.revision(at: entry.parameter.key, for: asked.caller.player))
      if parameter.isSecret, !readsSecrets {
        wire.value = .null
        wire.isMasked = true
      }
      wire.declaration = ValueAnswer.Declaration(
        unit: parameter.unit, section: parameter.section, description: parameter.description, flag: parameter.flag?.rawValue,
        isPlayerSetting: parameter.isPlayerSetting)
      answers.append(wire)
    }
    let wire = ConfigAnswer(game: game.game, revision: game.revision, values: .full(answers)).wire
    return .json(wire, revision: UInt64(clamping: game.revision))
  }
}

/// Who is served secret parameters, by game.
public struct SecretReaders: Sendable, Hashable {
  private let uids: [String: Set<UInt32>]

  /// The uids listed for each game.
  public init(_ uids: [String: [UInt32]]) { self.uids = uids.mapValues(Set.init) }

  func admits(_ role: PeerRole, to game: String) -> Bool { uids[game]?.contains(role.uid) == true }
}
