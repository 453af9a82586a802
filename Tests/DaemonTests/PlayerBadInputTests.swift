// Requests about players that are refused and change nothing.

import GameConfCore
import Testing

@Suite("Bad input about players", .serialized)
struct PlayerBadInputTests {
  @Test("an invalid event is refused with a pointer to its fault, and changes nothing")
  func events() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    _ = try player.event(score: 40, id: "first")
    let before = try player.page("")
    let huge = Value.integer(.max)
    let refused: [(RawConnection.Answer, Int, String, String?)] = [
      (try player.event(score: -1), 422, "SCORE_NEGATIVE", "/score"),
      (try player.event(score: -0.5), 422, "SCORE_NEGATIVE", "/score"),
      (try player.event(score: 1.5), 422, "SCORE_NOT_WHOLE", "/score"),
      (try player.event(score: "40"), 422, "SCORE_NOT_WHOLE", "/score"),
      (try player.event(score: true), 422, "SCORE_NOT_WHOLE", "/score"),
      (try player.event(score: 1e300), 422, "SCORE_NOT_WHOLE", "/score"),
      (try player.event(score: huge), 422, "SCORE_OVERFLOW", "/score"),
      (try player.event("gameover"), 422, "UNKNOWN_EVENT", "/event"),
      (try player.event(mode: "clasic"), 422, "UNKNOWN_MODE", "/mode"),
      (try player.event(mode: nil), 422, "MODE_MISSING", "/mode"),
      (try player.event(reason: "bored"), 422, "UNKNOWN_REASON", "/reason"),
      (try player.event(score: 41, id: "first"), 422, "ID_REUSED", "/event_id"),
      (try player.event(id: String(repeating: "x", count: 129)), 400, "MALFORMED_REQUEST", "/event_id"),
      (try player.event(id: ""), 400, "MALFORMED_REQUEST", "/event_id"),
      (try player.event(id: "a\nb"), 400, "MALFORMED_REQUEST", "/event_id"),
      (try player.event(more: [("scores", 3)]), 400, "MALFORMED_REQUEST", "/scores"),
      (try player.event(more: [("occurred_at", "yesterday")]), 400, "MALFORMED_REQUEST", "/occurred_at"),
      (try player.event(more: [("context", ["targetingKey": "p2"])]), 400, "PLAYERS_DIFFER", "/context/targetingKey"),
      (try player.event(more: [("context", ["locale": 7])]), 400, "MALFORMED_REQUEST", "/context/locale"),
      (try player.event(headers: ["Idempotency-Key": "a b"]), 400, "MALFORMED_HEADER", nil),
      (try player.event(headers: ["If-Match": "7"]), 400, "MALFORMED_HEADER", nil),
      (try player.event(query: "?dry_run=maybe"), 400, "MALFORMED_QUERY_PARAMETER", nil),
      (try daemon.ask("POST", player.path + "/events", body: [1]), 400, "MALFORMED_REQUEST", "/0"),
      (try daemon.ask("POST", player.path + "/events", body: []), 400, "MALFORMED_REQUEST", ""),
      (try daemon.ask("POST", player.path + "/events"), 400, "MALFORMED_JSON", ""),
    ]
    for (answer, status, code, pointer) in refused {
      #expect(answer.status == status && answer.code == code, "\(answer.text)")
      if let pointer { #expect(answer.pointer == pointer, "\(answer.text)") }
      #expect(answer.json["detail"]?.stringValue?.isEmpty == false)
    }
    #expect(try player.event("gameover").json["detail"]?.stringValue?.contains("Did you mean “game_over”?") == true)
    let after = try player.page("")
    for part in ["scores", "counters", "history", "visits", "player_revision"] { #expect(after[part] == before[part], "\(part)") }
    let darts = TestPlayer(daemon: daemon, game: "adventure")
    #expect(try darts.event("level_passed", mode: nil, score: 3, reason: nil).code == "SCORE_NOT_CARRIED")
    #expect(try TestPlayer(daemon: daemon, game: "nogame").event().code == "UNKNOWN_GAME")
  }

  @Test("an ad report must be on a decision for this player and placement, and cannot contradict an earlier report")
  func reports() throws {
    let daemon = try RunningDaemon(arguments: ["--clock", "2026-11-21T12:00:00Z"])
    let player = TestPlayer(daemon: daemon)
    let other = TestPlayer(daemon: daemon, player: "p2")
    for _ in 1...2 {
      _ = try player.ad()
      _ = try other.ad()
    }
    let mine = try player.ad()["decision_id"]
    let theirs = try other.ad()["decision_id"]
    for id in ["1-0000000000000000", .string("2-\(mine?.stringValue?.dropFirst(2) ?? "")"), theirs ?? "", "", "x"] as [Value] {
      let answer = try player.report(id, "shown")
      #expect(answer.status == 404 && answer.code == "UNKNOWN_DECISION" && answer.pointer == "/decision_id", "\(id): \(answer.text)")
    }
    #expect(try player.report(mine, "seen").pointer == "/outcome")
    #expect(try player.report(mine, "rewarded").code == "NOT_REWARDED")
    #expect(try player.report(mine, "shown", at: "gameover").status == 404)
    #expect(try player.report(mine, "shown").status == 200)
    #expect(try player.report(mine, "closed").status == 200)
    let contradicted = try player.report(mine, "no_fill")
    #expect(contradicted.status == 409 && contradicted.code == "REPORT_CONTRADICTS" && contradicted.pointer == "/outcome")
    #expect(try player.page()["player_revision"] == 5)
  }

  @Test("an ad decision can be reported for an hour")
  func oldDecision() throws {
    let folder = try TemporaryFolder()
    func started(at time: String) throws -> RunningDaemon { try RunningDaemon(folder: folder, arguments: ["--clock", time]) }
    var daemon = try started(at: "2026-11-21T12:00:00Z")
    for _ in 1...2 { _ = try TestPlayer(daemon: daemon).ad() }
    let decision = try TestPlayer(daemon: daemon).ad()["decision_id"]
    daemon.stop()
    daemon = try started(at: "2026-11-21T13:00:00.001Z")
    let late = try TestPlayer(daemon: daemon).report(decision, "no_fill")
    #expect(late.status == 409 && late.code == "DECISION_TOO_OLD" && late.pointer == "/decision_id", "\(late.text)")
    daemon.stop()
    daemon = try started(at: "2026-11-21T13:00:00Z")
    #expect(try TestPlayer(daemon: daemon).report(decision, "no_fill").status == 200)
    daemon.stop()
  }

  @Test("an unknown or locked theme, and a key that is not a setting, are refused")
  func settingsAndThemes() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    for path in [player.path + "/themes/forst", "/v1/games/wheresthedot/themes/forst"] {
      let answer = try daemon.ask("GET", path)
      #expect(answer.status == 404 && answer.code == "UNKNOWN_THEME")
      #expect(answer.json["detail"]?.stringValue?.contains("forest") == true)
    }
    let refused: [(RawConnection.Answer, Int, String)] = [
      (try player.choose("selected_theme", "forst"), 422, "NOT_ALLOWED"),
      (try player.choose("selected_theme", "ocean"), 409, "THEME_LOCKED"),
      (try player.choose("selected_theme", 7), 422, "TYPE_MISMATCH"), (try player.choose("sound_enabled", "yes"), 422, "TYPE_MISMATCH"),
      (try player.choose("arcade_difficulty_step", 5), 422, "NOT_A_SETTING"), (try player.choose("sound_enable", true), 404, "UNKNOWN_KEY"),
      (try TestPlayer(daemon: daemon, game: "dartsscore").choose("attempts", 7), 422, "NOT_ALLOWED"),
      (try TestPlayer(daemon: daemon, game: "dartsscore").choose("sound_tap_volume", 1.5), 422, "OUT_OF_RANGE"),
      (try TestPlayer(daemon: daemon, game: "remembersquare").choose("order_length", 17), 422, "OUT_OF_RANGE"),
      (try daemon.ask("DELETE", player.path + "/settings/arcade_difficulty_step"), 422, "NOT_A_SETTING"),
      (try daemon.ask("PUT", player.path + "/settings/sound_enabled", body: ["vlaue": true]), 400, "MALFORMED_REQUEST"),
      (try daemon.ask("PUT", player.path + "/context", body: ["locale": "es"]), 400, "MALFORMED_REQUEST"),
      (try daemon.ask("PUT", player.path + "/context", body: ["context": ["locale": "not a tag"]]), 400, "MALFORMED_REQUEST"),
      (try daemon.ask("GET", "/v1/games/wheresthedot/players/a%0Ab"), 400, "MALFORMED_PLAYER_ID"),
    ]
    for (answer, status, code) in refused { #expect(answer.status == status && answer.code == code, "\(answer.text)") }
    #expect(try player.revision() == 0)
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/players", admin: true).json["players"] == [])
  }

  @Test("invalid scores are refused with a pointer to the fault")
  func scores() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    func patch(_ body: Value) throws -> RawConnection.Answer { try daemon.ask("PATCH", player.path, body: body, admin: true) }
    let refused: [(Value, Int, String, String)] = [
      (["lifetime_score": -1], 422, "SCORE_NEGATIVE", "/lifetime_score"), (["games_played": 1.5], 422, "SCORE_NOT_WHOLE", "/games_played"),
      (["lifetime_score": 3, "best_scores": ["classic": "x"]], 422, "SCORE_NOT_WHOLE", "/best_scores/classic"),
      (["best_scores": ["clasic": 3]], 422, "UNKNOWN_MODE", "/best_scores/clasic"), ([:], 400, "MALFORMED_REQUEST", ""),
      (["score": 3], 400, "MALFORMED_REQUEST", "/score"),
    ]
    for (body, status, code, pointer) in refused {
      let answer = try patch(body)
      #expect(answer.status == status && answer.code == code && answer.pointer == pointer, "\(answer.text)")
    }
    #expect(try player.revision() == 0)
    let set = try patch(["lifetime_score": 200, "best_scores": ["classic": 30], "reason": "a new phone"])
    #expect(set.unlocked("themes") == ["forest", "ocean"])
    #expect(set.json["scores"]?["best_score"] == 30)
    #expect(try patch(["lifetime_score": 0]).status == 200)
    #expect(try player.theme("ocean")["unlocked"] == true)
    let line = try #require(try daemon.audit(game: "wheresthedot").last { $0["action"] == "player.scores" })
    #expect(line["reason"] == "a new phone" && line["after"]?["lifetime_score"] == 200)
    #expect(try daemon.control("player", "score", "wheresthedot", "p1", "--lifetime", "-1").status != 0)
  }

  @Test("admins' calls about players are refused on the games socket, and games for children cannot force ads")
  func whoMay() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    let calls: [(String, String)] = [
      ("PATCH", player.path), ("DELETE", player.path), ("GET", "/v1/games/wheresthedot/players"),
      ("POST", player.path + "/ads/game_over/force"), ("POST", player.path + "/ads/game_over/reset"),
    ]
    for (method, path) in calls {
      let answer = try daemon.ask(method, path)
      #expect(answer.status == 403 && answer.code == "ADMIN_ONLY", "\(method) \(path)")
    }
    #expect(try daemon.ask("POST", "/v1/games/kidsdoku2/players/p1/ads/none/force", admin: true).code == "UNKNOWN_PLACEMENT")
  }

  @Test("a user's new players are limited per minute, and writes per second")
  func limits() throws {
    let daemon = try RunningDaemon(arguments: ["--new-players-per-minute", "3"])
    for name in ["a", "b", "c"] { #expect(try TestPlayer(daemon: daemon, player: name).event().status == 200) }
    let refused = try TestPlayer(daemon: daemon, player: "d").event()
    #expect(refused.status == 429 && refused.code == "RATE_LIMITED")
    #expect(refused.headers["retry-after"].flatMap(Int.init).map { $0 > 0 && $0 <= 60 } == true)
    #expect(try TestPlayer(daemon: daemon, player: "a").event().status == 200)
    let limits = try daemon.ask("GET", "/v1/status", admin: true).json["limits"]
    #expect(limits?["new_players_per_minute_max"] == 3)
  }
}
