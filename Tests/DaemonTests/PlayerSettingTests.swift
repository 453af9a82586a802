// Players' settings and registered contexts, and the values that depend on them.

import GameConfCore
import Glibc
import Testing

@Suite("Players' settings and registered contexts", .serialized)
struct PlayerSettingTests {
  @Test("a player's setting under an override is reported as not in force, and is in force again without the override")
  func shadowed() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    _ = try daemon.put("sound_enabled", true, game: "wheresthedot")
    let chosen = try player.choose("sound_enabled", false)
    #expect(chosen.json["value"] == false && chosen.json["effective"] == true)
    #expect(chosen.json["shadowed_by"] == "override.game" && chosen.json["source"] == "override.game")
    let setting = try #require(try player.page()["settings"]?.listValue?.first { $0["key"] == "sound_enabled" })
    #expect(setting["shadowed_by"] == "override.game")
    let layers = try daemon.ask("GET", "/v1/games/wheresthedot/config/sound_enabled/explain?player=p1", admin: true).json["layers"]
    let layer = layers?.listValue?.first { $0["layer"] == "setting" }
    #expect(layer?["value"] == false && layer?["applied"] == false)
    _ = try daemon.put("sound_enabled", true, game: "wheresthedot", player: "p1")
    #expect(try player.choose("sound_enabled", false).json["shadowed_by"] == "override.player")
    let listed = try daemon.ask("GET", "/v1/games/wheresthedot/overrides?player=p1", admin: true)
    #expect(listed.json["overrides"]?.listValue?.compactMap { $0["player"]?.stringValue } == ["p1"])
    #expect(try daemon.control("player", "overrides", "wheresthedot", "p1").output.hasPrefix("sound_enabled\ttrue\tp1\t"))
    #expect(try daemon.control("player", "overrides", "wheresthedot", "p2").output == "")
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/overrides?player=p1&players=all", admin: true).status == 400)
    _ = try daemon.remove("sound_enabled", game: "wheresthedot", player: "p1")
    _ = try daemon.remove("sound_enabled", game: "wheresthedot")
    let value = try player.read("sound_enabled")
    #expect(value["value"] == false && value["source"] == "setting")
    let ending = try daemon.control("player", "settings", "wheresthedot", "p1", "sound_enabled", "--reset", "--reason", "again")
    #expect(ending.output == "sound_enabled is true for player p1 (default)\n", "\(ending.errors)")
    let gone = try daemon.ask("DELETE", player.path + "/settings/sound_enabled")
    #expect(gone.status == 204 && gone.body.isEmpty)
  }

  @Test("a player's setting that is no longer valid is skipped and explained, and in force again when it is valid")
  func skipped() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "remembersquare")
    #expect(try player.choose("order_length", 16).status == 200)
    #expect(try player.read("order_length")["value"] == 16)
    let rows: Value = [["key": "order_length_max", "value": 9], ["key": "grid_side", "value": 3]]
    let imported = try daemon.ask("POST", "/v1/games/remembersquare/overrides/import", body: ["overrides": rows], admin: true)
    #expect(imported.status == 200, "\(imported.text)")
    #expect(try player.read("order_length")["value"] == 6)
    let setting = try #require(try player.page()["settings"]?.listValue?.first { $0["key"] == "order_length" })
    #expect(setting["value"] == 16 && setting["effective"] == 6 && setting["source"] == "default" && setting["skipped"] != nil)
    let explained = try daemon.ask("GET", "/v1/games/remembersquare/config/order_length/explain?player=p1", admin: true).json
    let layer = explained["layers"]?.listValue?.first { $0["layer"] == "setting" }
    #expect(layer?["value"] == 16 && layer?["applied"] == false)
    #expect(layer?["why"]?.stringValue?.contains("stored, but not in force") == true)
    #expect(try daemon.control("config", "explain", "remembersquare", "order_length", "--player", "p1").output.contains("not in force"))
    // In the other order, order_length_max would briefly be too large for the board of grid_side, which the daemon refuses.
    for key in ["grid_side", "order_length_max"] { #expect(try daemon.remove(key, game: "remembersquare").status == 204) }
    #expect(try player.read("order_length")["value"] == 16)
    #expect(try daemon.ask("GET", "/v1/games/remembersquare/config?player=p1&keys=order_length").json["values"] == ["order_length": 16])
  }

  @Test("each attribute of a player's registered context is used, unless the call has that attribute")
  func contexts() throws {
    let catalog = """
      gameconf: 1
      game: mine
      title: Mine
      locales: [en, fr]
      parameters:
        speed:
          type: double
          default: 1.0
          section: Play
          description: How fast it goes.
          rules:
            - {match: {platform: ios, country: SE}, value: 3.0}
            - {match: {platform: ios}, value: 2.0}
        title: {type: localized, default: {en: Hello, fr: Bonjour}, section: Play, description: What it is called.}
      """
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog])
    let player = TestPlayer(daemon: daemon, game: "mine")
    let registered = try daemon.ask("PUT", player.path + "/context", body: ["context": ["platform": "ios", "locale": "fr"]])
    #expect(registered.status == 200 && registered.headers["gameconf-player-revision"] == "1")
    #expect(try player.read("speed")["value"] == 2.0)
    #expect(try player.read("title")["value"] == "Bonjour")
    #expect(try daemon.ask("GET", "/v1/games/mine/config?player=p1&locale=en").json["values"] == ["speed": 2.0, "title": "Hello"])
    #expect(
      try daemon.ask("GET", "/v1/games/mine/config?player=p1&locale=*&keys=title").json["values"]?["title"]?["fr"] == "Bonjour")
    func speed(_ context: Value) throws -> Value? {
      try daemon.ask("POST", "/v1/games/mine/config/speed", body: ["context": context]).json["value"]
    }
    #expect(try speed(["targetingKey": "p1"]) == 2.0)
    #expect(try speed(["targetingKey": "p1", "country": "SE"]) == 3.0)
    #expect(try speed(["targetingKey": "p1", "platform": "mac"]) == 1.0)
    #expect(try speed(["targetingKey": "p2"]) == 1.0)
    let explained = try daemon.ask(
      "POST", "/v1/games/mine/config/speed/explain", body: ["player": "p1", "context": ["country": "SE"]], admin: true)
    #expect(explained.json["value"] == 3.0 && explained.json["context"]?["platform"] == "ios")
    let other = try daemon.ask("PUT", player.path + "/context", body: ["context": ["targetingKey": "p2"]])
    #expect(other.status == 400 && other.code == "PLAYERS_DIFFER" && other.pointer == "/context/targetingKey")
    let long = try daemon.ask("PUT", player.path + "/context", body: ["context": ["x": .string(String(repeating: "x", count: 8_192))]])
    #expect(long.status == 422 && long.code == "VALUE_TOO_LARGE")
    #expect(try player.page()["context"] == ["platform": "ios", "locale": "fr"])
  }

  @Test("an answer for a player has the player's revision, which each change of the player raises and a change of the game does not")
  func revisions() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    func playerRevision() throws -> String? {
      try daemon.ask("GET", "/v1/games/wheresthedot/config?player=p1").headers["gameconf-player-revision"]
    }
    #expect(try playerRevision() == "0")
    _ = try player.choose("sound_enabled", false)
    #expect(try playerRevision() == "1")
    _ = try player.event()
    #expect(try playerRevision() == "2")
    _ = try daemon.put("sound_enabled", true, game: "wheresthedot", player: "p1")
    #expect(try playerRevision() == "3")
    _ = try daemon.put("sound_enabled", true, game: "wheresthedot")
    #expect(try playerRevision() == "3")
    let stale = try daemon.ask(
      "PATCH", player.path, body: ["lifetime_score": 1], headers: ["If-Match": "\"2\""], admin: true)
    #expect(stale.status == 412 && stale.json["player_revision"] == 3)
    #expect(
      try daemon.ask("PATCH", player.path, body: ["lifetime_score": 1], headers: ["If-Match": "\"3\""], admin: true).status == 200)
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/config").headers["gameconf-player-revision"] == nil)
  }

  @Test(
    "without the database, values ignore the player's settings and report it, and calls about the player get 503",
    .enabled(if: TestStore.connection == nil, "a file is lost here"))
  func degraded() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    _ = try player.choose("sound_enabled", false)
    _ = try daemon.put("haptics_enabled", false, game: "wheresthedot", player: "p1")
    #expect(try player.read("sound_enabled")["degraded"] == nil)
    // The file last-good.json is at most a second older than the database. The daemon serves overrides from it.
    let isSaved = daemon.waits {
      String(decoding: TemporaryFolder.read(daemon.folder.path + "/state/last-good.json") ?? [], as: UTF8.self).contains("haptics_enabled")
    }
    #expect(isSaved)
    daemon.stop()
    for name in ["gameconfd.db", "gameconfd.db-wal", "gameconfd.db-shm"] { unlink(daemon.folder.path + "/state/" + name) }
    try daemon.folder.write("not a database", to: "state/gameconfd.db")
    try daemon.start()
    let value = try player.read("sound_enabled")
    #expect(value["value"] == true && value["degraded"] == ["setting"] && value["metadata"]?["degraded"] == ["setting"])
    #expect(try player.read("haptics_enabled")["value"] == false)
    // A value that no player's setting can change is not degraded.
    #expect(try player.read("arcade_difficulty_step")["degraded"] == nil)
    let config = try daemon.ask("GET", "/v1/games/wheresthedot/config?player=p1")
    #expect(config.status == 200 && config.json["degraded"] == ["setting"] && config.json["values"]?["haptics_enabled"] == false)
    #expect(config.headers["gameconf-player-revision"] == nil)
    let full = try daemon.ask("GET", "/v1/games/wheresthedot/config?player=p1&detail=full")
    #expect(full.json["degraded"] == ["setting"])
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/config").json["degraded"] == nil)
    let explained = try daemon.ask("GET", "/v1/games/wheresthedot/config/sound_enabled/explain?player=p1", admin: true)
    let layer = explained.json["layers"]?.listValue?.first { $0["layer"] == "setting" }
    #expect(layer?["why"]?.stringValue?.contains("cannot be read from the store") == true)
    let ending = try daemon.control("config", "get", "wheresthedot", "sound_enabled", "--player", "p1")
    #expect(ending.output == "true\n" && ending.errors.contains("setting could not be read"))
    for path in ["", "/themes", "/themes/forest", "/milestones", "/ads/game_over"] {
      let answer = try daemon.ask("GET", player.path + path)
      #expect(answer.status == 503 && answer.code == "STORE_UNAVAILABLE", "GET p\(path): \(answer.text)")
    }
    #expect(try player.event().status == 503)
    #expect(try player.choose("sound_enabled", true).status == 503)
    #expect(try daemon.control("player", "show", "wheresthedot", "p1").status == 7)
  }
}
