// Overrides of the shipped games, by gameconfctl and over the socket.

import GameConfCore
import Glibc
import Testing

@Suite("An admin overrides values", .serialized)
struct OverrideTests {
  @Test("setting and removing an override, for the game and for a player, raises the revision each time")
  func setAndUnset() throws {
    let daemon = try RunningDaemon()
    let key = "arcade_time_limit_base"
    func value(_ player: String? = nil) throws -> Value { try daemon.read(key, game: "wheresthedot", player: player) }
    var revisions = [try value()["revision"]?.integerValue ?? 0]
    let set = try daemon.control("config", "set", "wheresthedot", key, "3.5", "--reason", "too hard")
    #expect(set.status == 0, "\(set.errors)")
    #expect(try value()["value"] == 3.5)
    #expect(try value()["source"] == "override.game")
    #expect(try value()["reason"] == "STATIC")
    revisions.append(try value()["revision"]?.integerValue ?? 0)
    #expect(try daemon.control("config", "set", "wheresthedot", key, "4", "--player", "p1").status == 0)
    #expect(try value("p1")["value"] == 4.0)
    #expect(try value("p1")["source"] == "override.player")
    #expect(try value("p1")["reason"] == "TARGETING_MATCH")
    #expect(try value("p2")["value"] == 3.5)
    revisions.append(try value("p1")["revision"]?.integerValue ?? 0)
    let explained = try daemon.control("config", "explain", "wheresthedot", key, "--player", "p1")
    #expect(explained.output.contains("too hard"))
    #expect(try daemon.control("config", "unset", "wheresthedot", key).status == 0)
    #expect(try value()["value"] == 2.5)
    #expect(try value("p1")["value"] == 4.0)
    revisions.append(try value()["revision"]?.integerValue ?? 0)
    #expect(try daemon.control("config", "unset", "wheresthedot", key, "--player", "p1").status == 0)
    #expect(try value("p1")["value"] == 2.5)
    revisions.append(try value("p1")["revision"]?.integerValue ?? 0)
    #expect(zip(revisions, revisions.dropFirst()).allSatisfy(<), "\(revisions)")
  }

  @Test("explain lists all layers in order, with an override's author and reason")
  func explain() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    _ = try daemon.put("speed", 3.0, [("reason", "too slow")])
    _ = try daemon.put("speed", 3.5, player: "p1")
    let answer = try daemon.ask("GET", "/v1/games/mine/config/speed/explain?player=p1", admin: true)
    let layers = answer.json["layers"]?.listValue ?? []
    #expect(layers.compactMap { $0["layer"]?.stringValue } == ["override.player", "override.game", "setting", "remote", "default"])
    #expect(layers.compactMap { $0["applied"]?.boolValue } == [true, false, false, false, false])
    #expect(layers[1]["value"] == 3.0)
    #expect(layers[1]["reason"] == "too slow")
    #expect(layers[1]["author"]?["uid"] == .integer(Int64(getuid())))
    #expect(layers[4]["value"] == 2.0)
    #expect(try daemon.ask("GET", "/v1/games/mine/config/speed/explain?player=p1").code == "ADMIN_ONLY")
  }

  @Test(
    "an invalid override is refused with the allowed values, and changes nothing",
    arguments: [
      ("wheresthedot", "arcade_time_limit_base", Value.double(99), 422, "OUT_OF_RANGE", "10.0"),
      ("wheresthedot", "arcade_difficulty_step", 2.5, 422, "TYPE_MISMATCH", "integer"),
      ("wheresthedot", "default_theme", "none_such", 422, "NOT_ALLOWED", "neon"),
      ("remembersquare", "order_length_max", 17, 422, "CONSTRAINT_VIOLATED", "grid_side"),
      ("wheresthedot", "arcade_time_limit_bas", 3.0, 404, "UNKNOWN_KEY", "arcade_time_limit_base"),
      ("wheresthedo", "arcade_time_limit_base", 3.0, 404, "UNKNOWN_GAME", "wheresthedot"),
    ] as [(String, String, Value, Int, String, String)])
  func refused(game: String, key: String, value: Value, status: Int, code: String, hint: String) throws {
    let daemon = try RunningDaemon()
    let before = try daemon.ask("GET", "/v1/games/\(game)/config").revision
    for player in [nil, "p1"] {
      let answer = try daemon.put(key, value, game: game, player: player)
      #expect(answer.status == status)
      #expect(answer.code == code)
      #expect(answer.detail?.contains(hint) == true, "\(answer.text)")
    }
    let ending = try daemon.control("config", "set", game, key, "--value-json", JSONWriter.text(value))
    #expect(ending.status == (status == 404 ? 5 : 1))
    #expect(ending.errors.contains(code) && ending.errors.contains(hint), "\(ending.errors)")
    #expect(try daemon.ask("GET", "/v1/games/\(game)/config").revision == before)
  }

  @Test("setting an override answers 201 or 200, and removing it 204, also if there is no override")
  func statuses() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let created = try daemon.put("speed", 3.0)
    #expect(created.status == 201)
    #expect(created.headers["location"] == "/v1/games/mine/overrides/speed")
    #expect(try daemon.put("speed", 3.5).status == 200)
    let window = try daemon.put("speed", 2.5, [("from", "2099-01-01T00:00:00Z"), ("until", "2099-01-02T00:00:00Z")])
    #expect(window.status == 201)
    let place = try #require(window.headers["location"])
    #expect(try daemon.overrides().count == 2)
    let removed = try daemon.ask("DELETE", place, admin: true)
    #expect(removed.status == 204)
    #expect(try #require(removed.revision) > #require(window.revision))
    #expect(try daemon.overrides().count == 1)
    let again = try daemon.ask("DELETE", place, admin: true)
    #expect(again.status == 204)
    #expect(again.revision == removed.revision)
    #expect(try daemon.remove("speed").status == 204)
    #expect(try daemon.remove("speed").status == 204)
    #expect(try daemon.remove("sped").code == "UNKNOWN_KEY")
  }

  @Test("calls about overrides are not answered on the games socket")
  func gamesSocket() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    for (method, path) in [
      ("PUT", RunningDaemon.path("speed")), ("DELETE", RunningDaemon.path("speed")), ("PUT", RunningDaemon.path("speed", player: "p1")),
      ("POST", "/v1/games/mine/overrides/import"), ("POST", "/v1/games/mine/overrides/clear"), ("GET", "/v1/games/mine/overrides"),
      ("GET", "/v1/games/mine/audit"), ("POST", "/v1/games/mine/audit/1/revert"), ("POST", "/v1/store/restore"),
      ("GET", "/v1/store/backup"), ("GET", "/v1/status"),
    ] {
      let answer = try daemon.ask(method, path, body: method == "PUT" ? ["value": 3.0] : nil)
      #expect(answer.status == 403, "\(method) \(path)")
      #expect(answer.code == "ADMIN_ONLY")
    }
    #expect(try daemon.read("speed")["value"] == 2.0)
  }

  @Test(
    "a request from a browser is refused on the admin socket and on the games socket",
    arguments: ["Origin: http://localhost", "Sec-Fetch-Mode: cors", "Sec-Fetch-Site: none"])
  func browser(header: String) throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let parts = header.split(separator: ":", maxSplits: 1).map { $0.trimmingPrefix(" ").description }
    let answer = try daemon.put("speed", 3.0, headers: [parts[0]: parts[1]])
    #expect(answer.status == 403)
    #expect(answer.code == "BROWSER_REFUSED")
    #expect(try daemon.ask("GET", "/v1/games/mine/config/speed", headers: [parts[0]: parts[1]]).status == 403)
    #expect(try daemon.overrides().isEmpty)
  }

  @Test("a dry run of an override answers with its outcome and changes nothing")
  func dryRun() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    _ = try daemon.put("speed", 3.0)
    let before = (try daemon.overrides(), try daemon.audit(), try daemon.ask("GET", "/v1/games/mine/config").revision)
    let set = try daemon.put("speed", 3.5, query: "?dry_run=true", headers: ["Idempotency-Key": "dry"])
    #expect(set.status == 200)
    #expect(set.json["dry_run"] == true)
    #expect(set.json["override"]?["value"] == 3.5)
    #expect(try daemon.put("speed", 9.0, query: "?dry_run=true").code == "OUT_OF_RANGE")
    #expect(try daemon.remove("speed", query: "?dry_run=true").json["cleared"] == 1)
    let clear = try daemon.ask("POST", "/v1/games/mine/overrides/clear?dry_run=true", body: ["scope": "all"], admin: true)
    #expect(clear.json["cleared"] == 1)
    let ending = try daemon.control("config", "set", "mine", "speed", "3.5", "--dry-run")
    #expect(ending.output.hasPrefix("nothing was changed; without --dry-run: "))
    let line = try #require(before.1.first?["id"]?.integerValue)
    #expect(try daemon.ask("POST", "/v1/games/mine/audit/\(line)/revert?dry_run=true", admin: true).json["dry_run"] == true)
    #expect(try daemon.overrides() == before.0)
    #expect(try daemon.audit() == before.1)
    #expect(try daemon.ask("GET", "/v1/games/mine/config").revision == before.2)
  }

  @Test("If-Match refuses an override if the revision has changed")
  func ifMatch() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let first = try #require(try daemon.put("speed", 3.0).revision)
    let lives = try #require(try daemon.put("lives", 5).revision)
    let late = try daemon.put("speed", 3.5, headers: ["If-Match": "\"\(first)\""])
    #expect(late.status == 412)
    #expect(late.code == "REVISION_CHANGED")
    #expect(late.json["revision"] == .integer(lives))
    #expect(try daemon.put("speed", 3.5, headers: ["If-Match": "\"value-\(first)\""]).status == 200)
    #expect(try daemon.put("speed", 3.6, headers: ["If-Match": "\"value-\(first)\""]).status == 412)
    #expect(try daemon.put("title", "x", headers: ["If-Match": "\"value-0\""]).status == 412)
    #expect(try daemon.put("speed", 3.6, headers: ["If-Match": "42"]).code == "MALFORMED_HEADER")
    #expect(try daemon.read("speed")["value"] == 3.5)
  }

  @Test("an override that is sent again with its id is made once, also over a restart; other content with the same id is refused")
  func repeats() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let first = try daemon.put("speed", 3.0, headers: ["Idempotency-Key": "a"])
    let second = try daemon.put("speed", 3.0, headers: ["Idempotency-Key": "a"])
    #expect(first.status == 201)
    #expect(second.status == 201 && second.body == first.body && second.headers["location"] == first.headers["location"])
    let other = try daemon.put("speed", 3.5, headers: ["Idempotency-Key": "a"])
    #expect(other.status == 422)
    #expect(other.code == "ID_REUSED")
    try daemon.restart()
    #expect(try daemon.put("speed", 3.0, headers: ["Idempotency-Key": "a"]).body == first.body)
    // An Idempotency-Key belongs to a game, a player and a route.
    #expect(try daemon.put("speed", 3.0, player: "p1", headers: ["Idempotency-Key": "a"]).status == 201)
    let refused = try daemon.put("speed", 9.0, headers: ["Idempotency-Key": "b"])
    #expect(try daemon.put("speed", 9.0, headers: ["Idempotency-Key": "b"]).body == refused.body)
    #expect(try daemon.put("speed", 3.0, headers: ["Idempotency-Key": "a b"]).code == "MALFORMED_HEADER")
    #expect(try daemon.audit("key=speed").count == 2)
    let removed = try daemon.ask("DELETE", RunningDaemon.path("speed"), headers: ["Idempotency-Key": "c"], admin: true)
    let again = try daemon.ask("DELETE", RunningDaemon.path("speed"), headers: ["Idempotency-Key": "c"], admin: true)
    #expect(removed.status == 204 && again.status == 204 && removed.revision == again.revision)
  }

  @Test("a player's id of 256 bytes with any text is accepted; longer, empty or with control characters it is refused")
  func players() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let longest = String(repeating: "a", count: 256)
    for good in [longest, "a%2Fb", "%C3%A9%20%F0%9F%8E%B2", "%25"] {
      #expect(try daemon.put("speed", 3.0, player: good).status == 201, "\(good)")
      #expect(try daemon.read("speed", player: good)["value"] == 3.0)
    }
    #expect(try daemon.overrides().contains { $0["player"] == "a/b" })
    for bad in [longest + "a", "a%0Ab", "%00", "a%7F", "%FF"] {
      let answer = try daemon.put("speed", 3.0, player: bad)
      #expect(answer.status == 400, "\(bad)")
      #expect(["MALFORMED_PLAYER_ID", "MALFORMED_PATH"].contains(answer.code ?? ""), "\(bad): \(answer.text)")
    }
    #expect(try daemon.overrides().count == 4)
    for path in ["config?player=", "config/speed?player=a%0Ab", "config?player=\(longest)a"] {
      #expect(try daemon.ask("GET", "/v1/games/mine/\(path)").status == 400)
    }
    for path in ["overrides?players=", "overrides?players=none", "audit?limit=0", "audit?player="] {
      let answer = try daemon.ask("GET", "/v1/games/mine/\(path)", admin: true)
      #expect(answer.status == 400)
      #expect(answer.code == "MALFORMED_QUERY_PARAMETER")
    }
  }

  @Test("gameconfctl switches flags and overrides a theme's milestone", arguments: [false, true])
  func flagsAndThemes(isForPlayer: Bool) throws {
    let daemon = try RunningDaemon()
    let whom = isForPlayer ? ["--player", "p1"] : []
    let player = isForPlayer ? "p1" : nil
    func run(_ arguments: [String]) throws -> ChildProcess.Ending {
      let ending = try ChildProcess(
        Built.control, arguments, environment: ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket]
      ).waitForEnd()
      #expect(ending.status == 0, "\(arguments): \(ending.errors)")
      return ending
    }
    _ = try run(["flags", "off", "wheresthedot", "onboarding_enabled"] + whom)
    #expect(try daemon.read("onboarding_enabled", game: "wheresthedot", player: player)["value"] == false)
    _ = try run(["flags", "on", "wheresthedot", "onboarding_enabled"] + whom)
    #expect(try daemon.read("onboarding_enabled", game: "wheresthedot", player: player)["value"] == true)
    #expect(try daemon.overrides(game: "wheresthedot").count == 1)
    _ = try run(["flags", "reset", "wheresthedot", "onboarding_enabled"] + whom)
    #expect(try daemon.overrides(game: "wheresthedot").isEmpty)
    if isForPlayer { return }
    _ = try run(["themes", "milestone", "wheresthedot", "forest", "15"])
    #expect(try daemon.read("theme_forest_milestone", game: "wheresthedot")["value"] == 15)
  }
}
