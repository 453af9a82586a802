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
    var body = Array("{\"game\":\"\(game.game)\",\"revision\":\(game.revision),\"values\":{".utf8)
    let start = body.count
    var layers: [Layer: Int] = [:]
    func append(_ at: Int, _ entry: ParameterEntry) {
      if entry.parameter.isSecret, !readsSecrets { return }
      if body.count > start { body.append(UInt8(ascii: ",")) }
      if asked.caller.overrides.isEmpty, let ready = served.members[at] {
        if let layer = entry.unchanging?.layer { layers[layer, default: 0] += 1 }
        body += ready
      } else if let answer = game.table.resolve(at: at, for: asked.caller) {
        layers[answer.layer, default: 0] += 1
        body += ServedGame.encoded(entry.parameter.key, answer.value)
      }
    }
    if asked.keys == nil {
      for (at, entry) in game.table.entries.enumerated() { append(at, entry) }
    } else {
      for entry in try asked.entries(of: game) {
        if let at = game.table.position(of: entry.parameter.key) { append(at, entry) }
      }
    }
    body += Array("}}".utf8)
    for (layer, count) in layers { EvaluationTallies.shared.count(game: game.game, layer: layer, by: count) }
    return Answer(contentType: "application/json", body: body, revision: UInt64(clamping: game.revision))
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
