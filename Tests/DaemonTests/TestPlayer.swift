// Requests about players that many tests send.

import GameConfCore

/// Sends requests about one player of one game.
struct TestPlayer {
  let daemon: RunningDaemon
  var game = "wheresthedot"
  var player = "p1"

  var path: String { "/v1/games/\(game)/players/\(player)" }

  /// Sends an event of the player.
  /// - Parameter more: Further members of the request's body.
  func event(
    _ name: String = "game_over", mode: String? = "classic", score: Value? = 1, reason: String? = "timeUp", id: String? = nil,
    more: [(String, Value)] = [], query: String = "", headers: [String: String] = [:], admin: Bool = false
  ) throws -> RawConnection.Answer {
    var body = ObjectValue([("event", .string(name))])
    body["mode"] = mode.map(Value.string)
    body["score"] = score
    body["reason"] = reason.map(Value.string)
    body["event_id"] = id.map(Value.string)
    for (name, value) in more { body[name] = value }
    return try daemon.ask("POST", path + "/events" + query, body: .object(body), headers: headers, admin: admin)
  }

  /// Sends an event of the player and returns its decision about the only placement.
  func ad(_ score: Value = 1) throws -> Value { try event(score: score).json["ads"]?["game_over"] ?? .null }

  /// Reports the outcome of an ad at a placement, as the player's game does.
  func report(_ decision: Value?, _ outcome: String, at placement: String = "game_over") throws -> RawConnection.Answer {
    try daemon.ask(
      "POST", path + "/ads/\(placement)/reports", body: ["decision_id": decision ?? .null, "outcome": .string(outcome)])
  }

  /// Sets one of the player's settings.
  func choose(_ key: String, _ value: Value, query: String = "", headers: [String: String] = [:]) throws -> RawConnection.Answer {
    try daemon.ask("PUT", path + "/settings/\(key)" + query, body: ["value": value], headers: headers)
  }

  /// Returns the response for one value, as the player's game reads it.
  func read(_ key: String) throws -> Value { try daemon.read(key, game: game, player: player) }

  /// Returns the player's scores, history, context and revision, as the games socket serves them.
  func page(_ query: String = "?history=0") throws -> Value { try daemon.ask("GET", path + query).json }

  /// Returns the player's state of one theme.
  func theme(_ id: String) throws -> Value { try daemon.ask("GET", path + "/themes/\(id)").json }

  /// Returns the ids of the milestones that the player has unlocked.
  func unlocked() throws -> Set<String> {
    let all = try daemon.read(at: path + "/milestones")["milestones"]?.listValue ?? []
    return Set(all.filter { $0["unlocked"] == true }.compactMap { $0["milestone"]?.stringValue })
  }

  /// Returns the player's revision in the header of an answer.
  func revision() throws -> Int64? {
    try daemon.ask("GET", path + "?history=0").headers["gameconf-player-revision"].flatMap(Int64.init)
  }
}

extension RawConnection.Answer {
  /// Returns the ids of one kind of items that an event has unlocked.
  func unlocked(_ kind: String) -> [String] { json["unlocked"]?[kind]?.objectValue?.names ?? [] }

  /// The pointer to the fault in the request's body.
  var pointer: String? { json["pointer"]?.stringValue }
}
