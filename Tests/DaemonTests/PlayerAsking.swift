// What tests of players ask the daemon again and again.

import GameConfCore

/// Asks about one player of one game.
struct AskedPlayer {
  let daemon: RunningDaemon
  var game = "wheresthedot"
  var player = "p1"

  var path: String { "/v1/games/\(game)/players/\(player)" }

  /// Sends an event.
  /// - Parameter more: further members of the body.
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

  /// Sends an event and answers what it decided about the only placement on it.
  func ad(_ score: Value = 1) throws -> Value { try event(score: score).json["ads"]?["game_over"] ?? .null }

  /// Reports what became of an ad.
  func report(_ decision: Value?, _ outcome: String, at placement: String = "game_over") throws -> RawConnection.Answer {
    try daemon.ask(
      "POST", path + "/ads/\(placement)/reports", body: ["decision_id": decision ?? .null, "outcome": .string(outcome)])
  }

  /// Chooses a value.
  func choose(_ key: String, _ value: Value, query: String = "", headers: [String: String] = [:]) throws -> RawConnection.Answer {
    try daemon.ask("PUT", path + "/settings/\(key)" + query, body: ["value": value], headers: headers)
  }

  /// One value as the player's game sees it.
  func read(_ key: String) throws -> Value { try daemon.read(key, game: game, player: player) }

  /// The player's page.
  func page(_ query: String = "?history=0") throws -> Value { try daemon.ask("GET", path + query).json }

  /// One theme.
  func theme(_ id: String) throws -> Value { try daemon.ask("GET", path + "/themes/\(id)").json }

  /// The milestones that are unlocked.
  func unlocked() throws -> Set<String> {
    let all = try daemon.ask("GET", path + "/milestones").json["milestones"]?.listValue ?? []
    return Set(all.filter { $0["unlocked"] == true }.compactMap { $0["milestone"]?.stringValue })
  }

  /// The player's revision, as the header has it.
  func revision() throws -> Int64? {
    try daemon.ask("GET", path + "?history=0").headers["gameconf-player-revision"].flatMap(Int64.init)
  }
}

extension RawConnection.Answer {
  /// What an event unlocked.
  func unlocked(_ kind: String) -> [String] { json["unlocked"]?[kind]?.objectValue?.names ?? [] }

  /// Where the request was wrong.
  var pointer: String? { json["pointer"]?.stringValue }
}
