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

  var routes: [CallRoute] {
    [
      CallRoute(Calls.config) { asked throws(Problem) in try config(asked, RequestCaller(asked)) },
      CallRoute(Calls.evaluateConfig) { asked throws(Problem) in try config(asked, RequestCaller(asked.body)) },
      CallRoute(Calls.value) { asked throws(Problem) in
        try reads.reply(RequestCaller(asked).context, of: asked.game.snapshot) { seen throws(Problem) in try value(seen, asked) }
      },
      CallRoute(Calls.evaluateValue) { asked throws(Problem) in
        let caller = try RequestCaller(asked.body)
        if caller.keys != nil {
          throw Problem(.malformedRequest, "keys is for a whole config; this call answers one key.", pointer: "/keys")
        }
        return try reads.reply(caller.context, of: asked.game.snapshot) { seen throws(Problem) in try value(seen, asked) }
      },
    ]
  }

  private func config<Ask>(_ asked: Asked<Ask>, _ caller: RequestCaller) throws(Problem) -> TypedReply<ConfigAnswer> {
    let game = try asked.game
    return try reads.reply(caller.context, of: game.snapshot) { seen throws(Problem) in try config(game, caller.keys, seen, asked) }
  }

  private func value<Ask>(_ seen: Evaluation, _ asked: Asked<Ask>) throws(Problem) -> TypedAnswer<ValueAnswer> {
    let game = seen.game
    let entry = try game.entry(asked.path("key"))
    if entry.parameter.isSecret, !secrets.admits(asked.role, to: game.game) {
      throw Problem(
        .secretKey, "\(entry.parameter.key) is secret; uid \(asked.role.uid) is not among its readers in the daemon's settings.")
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
    return .ok(wire, seen.revisions)
  }

  private func config<Ask>(
    _ served: ServedGame, _ keys: [String]?, _ seen: Evaluation, _ asked: Asked<Ask>
  ) throws(Problem) -> TypedAnswer<ConfigAnswer> {
    let game = served.snapshot
    let readsSecrets = secrets.admits(asked.role, to: game.game)
    if asked.text(.detail) != nil { return try fullConfig(seen, keys, readsSecrets: readsSecrets) }
    var body = ConfigBody(of: served, for: seen.caller, readsSecrets: readsSecrets)
    if let keys {
      for key in keys { body.append(try game.entry(key)) }
    } else {
      body.appendAll()
    }
    for (layer, count) in body.layers { tallies.count(game: game.game, layer: layer, by: count) }
    var answer = TypedAnswer<ConfigAnswer>.written(body.finish(degraded: seen.degraded.map(\.rawValue)), seen.revisions)
    // Without a query nothing tells one caller from another, and nothing but a new state or the time changes what they get.
    // A clock that stands still lets no time pass, and a clock that is set is a new state.
    if asked.request.isBare, !served.hasSecrets, !body.isTimeDependent {
      let counts = body.layers.map { (tallies.position(game: game.game, layer: $0.key), $0.value) }
      answer.answer.standing = Answer.Standing(
        target: "/v1/games/\(game.game)/config", until: body.nextChangeAt.flatMap { game.host(at: $0) },
        tallies: Dictionary(counts, uniquingKeysWith: +))
    }
    return answer
  }

  private func fullConfig(_ seen: Evaluation, _ keys: [String]?, readsSecrets: Bool) throws(Problem) -> TypedAnswer<ConfigAnswer> {
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
    return .ok(
      ConfigAnswer(game: game.game, revision: game.revision, values: .full(answers), degraded: seen.degraded.map(\.rawValue)),
      seen.revisions)
  }
}

extension Evaluation {
  /// The revisions it was evaluated at.
  var revisions: Revisions { Revisions(game: game.revision, player: playerRevision) }
}

/// Who is served secret parameters, by game.
public struct SecretReaders: Sendable, Hashable {
  private let uids: [String: Set<UInt32>]

  /// The uids listed for each game.
  public init(_ uids: [String: [UInt32]]) { self.uids = uids.mapValues(Set.init) }

  func admits(_ role: PeerRole, to game: String) -> Bool { uids[game]?.contains(role.uid) == true }
}
