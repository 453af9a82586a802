// Requests about overrides that many tests send.

import GameConfCore

/// A small game for tests.
enum Mine {
  static let catalog = text()

  /// Returns the game's catalog.
  /// - Parameter speedMost: The upper bound of `speed`.
  static func text(speedMost: String = "4", game: String = "mine") -> String {
    """
    gameconf: 1
    game: \(game)
    title: Mine
    locales: [en]
    parameters:
      speed: {type: double, default: 2.0, range: {min: 1, max: \(speedMost)}, section: Play, description: How fast it goes.}
      lives: {type: integer, default: 3, range: {min: 1, max: 1000000}, section: Play, description: How often one may fail.}
      title: {type: string, default: hello, section: Play, description: What it is called.}
      sound: {type: boolean, default: true, player_setting: true, section: Play, description: Whether it is heard.}
      token: {type: string, default: open, pattern: "^[a-z]+$", secret: true, section: Play, description: What opens it.}
    """
  }
}

extension RunningDaemon {
  static func path(_ key: String, game: String = "mine", player: String? = nil) -> String {
    "/v1/games/\(game)" + (player.map { "/players/\($0)" } ?? "") + "/overrides/\(key)"
  }

  /// Overrides a value of the game, or of a player, over the admin socket.
  /// - Parameter more: Further members of the request's body.
  func put(
    _ key: String, _ value: Value, game: String = "mine", player: String? = nil, _ more: [(String, Value)] = [], query: String = "",
    headers: [String: String] = [:]
  ) throws -> RawConnection.Answer {
    try ask(
      "PUT", Self.path(key, game: game, player: player) + query, body: .object(ObjectValue([("value", value)] + more)), headers: headers,
      admin: true)
  }

  func remove(_ key: String, game: String = "mine", player: String? = nil, query: String = "") throws -> RawConnection.Answer {
    try ask("DELETE", Self.path(key, game: game, player: player) + query, admin: true)
  }

  /// Returns the response for one value, as a game reads it.
  func read(_ key: String, game: String = "mine", player: String? = nil) throws -> Value {
    try ask("GET", "/v1/games/\(game)/config/\(key)" + (player.map { "?player=\($0)" } ?? "")).json
  }

  /// Returns lines of the audit log, newest first.
  func audit(game: String = "mine", _ query: String = "limit=1000") throws -> [Value] {
    try read(at: "/v1/games/\(game)/audit?\(query)", admin: true)["entries"]?.listValue ?? []
  }

  /// Returns all overrides of the game, those of its players included.
  func overrides(game: String = "mine") throws -> [Value] {
    try read(at: "/v1/games/\(game)/overrides?players=all", admin: true)["overrides"]?.listValue ?? []
  }

  /// Returns the member `store` of the daemon's status.
  func storeStatus() throws -> Value { try read(at: "/v1/status", admin: true)["store"] ?? .null }
}

extension RawConnection.Answer {
  var revision: Int64? { headers["gameconf-revision"].flatMap(Int64.init) }
}
