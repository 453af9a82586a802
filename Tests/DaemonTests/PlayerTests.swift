// Scores, milestones and themes of players over the socket.

import GameConfCore
import Testing

@Suite("Players play", .serialized)
struct PlayerTests {
  @Test("points unlock a theme once, also after its milestone's threshold is lowered; raising a threshold locks no theme again")
  func themes() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    #expect(try player.theme("forest")["unlocked"] == false)
    let first = try player.event(score: 30)
    #expect(first.status == 200)
    #expect(first.unlocked("themes").isEmpty)
    let second = try player.event(score: 25)
    #expect(second.unlocked("themes") == ["forest"])
    #expect(second.json["scores"]?["lifetime_score"] == 55)
    #expect(second.json["scores"]?["best_score"] == 30)
    #expect(try player.event(score: 1).unlocked("themes").isEmpty)
    #expect(try player.theme("forest")["unlocked"] == true)

    #expect(try daemon.control("themes", "milestone", "wheresthedot", "ocean", "40").status == 0)
    // The theme is unlocked immediately, and the next event's answer announces it.
    #expect(try player.theme("ocean")["unlocked"] == true)
    #expect(try player.event(score: 1).unlocked("themes") == ["ocean"])
    #expect(try player.event(score: 1).unlocked("themes").isEmpty)

    #expect(try daemon.control("themes", "milestone", "wheresthedot", "forest", "900").status == 0)
    #expect(try player.event(score: 1).unlocked("themes").isEmpty)
    let forest = try player.theme("forest")
    #expect(forest["unlocked"] == true && forest["milestone"] == 900 && forest["kind"] == "milestone")
    #expect(forest["progress"]?["fraction"] == 1.0)
    try daemon.restart(killing: true)
    #expect(try player.theme("forest")["unlocked"] == true)
    // A new player needs the higher number of points.
    let other = TestPlayer(daemon: daemon, player: "p2")
    _ = try other.event(score: 100)
    #expect(try other.theme("forest")["unlocked"] == false)
  }

  @Test("the milestone of a theme that is free or for sale is null, not 0")
  func nothingToReach() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    for path in [player.path + "/themes", "/v1/games/wheresthedot/themes"] {
      let answer = try daemon.ask("GET", path)
      #expect(answer.status == 200)
      let themes = answer.json["themes"]?.listValue ?? []
      #expect(themes.count == 8)
      let without = Set(themes.filter { $0["milestone"] == .null && $0["progress"] == .null }.compactMap { $0["theme"]?.stringValue })
      #expect(without == ["neon", "aurora", "inferno", "doctorping", "spacetravel"])
      #expect(themes.filter { $0["unlocked"] == true }.compactMap { $0["theme"]?.stringValue } == ["neon"])
      #expect(themes.first { $0["theme"] == "aurora" }?["kind"] == "entitlement")
      #expect(themes.first { $0["theme"] == "neon" }?["attributes"]?["background"] == "#05060A")
    }
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/themes/ocean?locale=es").json["name"] == "Océano")
    #expect(try daemon.control("themes", "milestone", "wheresthedot", "aurora").output == "-\n")
    let none = try daemon.ask("GET", "/v1/games/dartsscore/themes")
    #expect(none.json["themes"] == [])
  }

  @Test("each of the twelve achievements unlocks at its score")
  func achievements() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    let all = try daemon.ask("GET", player.path + "/milestones").json["milestones"]?.listValue ?? []
    let achievements = Set(all.filter { $0["achievement"] == true }.compactMap { $0["milestone"]?.stringValue })
    #expect(achievements.count == 12)
    #expect(all.filter { $0["progressive"] == true }.compactMap { $0["milestone"]?.stringValue } == ["play_10"])
    var expected: Set<String> = []
    // Each play has a mode, a score, and the achievements that it must unlock.
    let plays: [(String, Value, Set<String>)] = [
      ("classic", 0, []), ("classic", 9, ["first_dot"]), ("classic", 10, ["score10"]), ("arcade", 9, []), ("arcade", 10, ["arcade10"]),
      ("arcade", 25, ["arcade25", "got_forest"]), ("classic", 50, ["score25", "score50"]), ("daily", 100, ["got_ocean"]),
      ("arcade", 50, ["arcade50"]), ("classic", 100, ["score100", "got_cosmos", "play_10"]),
    ]
    for (at, play) in plays.enumerated() {
      let answer = try player.event(mode: play.0, score: play.1)
      let unlocked = Set(answer.unlocked("achievements"))
      #expect(achievements.isDisjoint(with: answer.unlocked("milestones")))
      #expect(unlocked == play.2, "game \(at + 1): \(play.0) \(play.1)")
      expected.formUnion(play.2)
      #expect(try player.unlocked().intersection(achievements) == expected)
    }
    #expect(expected == achievements)
  }

  @Test("the setting selected_theme refuses a locked theme, and reads as the default if the theme is locked again")
  func selectedTheme() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    let locked = try player.choose("selected_theme", "forest")
    #expect(locked.status == 409 && locked.code == "THEME_LOCKED" && locked.pointer == "/value")
    let unknown = try player.choose("selected_theme", "forst")
    #expect(unknown.status == 422 && unknown.code == "NOT_ALLOWED")
    #expect(try player.read("selected_theme")["value"] == "neon")
    _ = try player.event(score: 50)
    let chosen = try player.choose("selected_theme", "forest")
    #expect(chosen.status == 200 && chosen.json["value"] == "forest" && chosen.json["effective"] == "forest")
    #expect(chosen.json["shadowed_by"] == .null)
    let value = try player.read("selected_theme")
    #expect(value["value"] == "forest" && value["source"] == "setting" && value["reason"] == "TARGETING_MATCH")
    #expect(try daemon.read("selected_theme", game: "wheresthedot")["value"] == "neon")
    #expect(try daemon.read("selected_theme", game: "wheresthedot", player: "p2")["value"] == "neon")
  }

  @Test("an event that is sent again counts once and gets the same answer, also over kills; other content with its id is refused")
  func repeats() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    let first = try player.event(score: 30, id: "e1")
    let again = try player.event(score: 30, id: "e1")
    #expect(again.status == 200 && again.body == first.body)
    #expect(again.headers["gameconf-player-revision"] == first.headers["gameconf-player-revision"])
    // The Idempotency-Key header identifies the event, as the member of the body does.
    #expect(try player.event(score: 30, headers: ["Idempotency-Key": "e1"]).body == first.body)
    let both = try player.event(score: 30, id: "e1", headers: ["Idempotency-Key": "e1"])
    #expect(both.status == 400 && both.code == "TWO_IDS")
    let other = try player.event(score: 31, id: "e1")
    #expect(other.status == 422 && other.code == "ID_REUSED" && other.pointer == "/event_id")
    try daemon.restart(killing: true)
    #expect(try player.event(score: 30, id: "e1").body == first.body)
    #expect(try player.page()["scores"]?["lifetime_score"] == 30)
    // The same id of another player is a different request.
    #expect(try TestPlayer(daemon: daemon, player: "p2").event(score: 7, id: "e1").json["scores"]?["lifetime_score"] == 7)
    let visit = try daemon.ask("POST", player.path + "/visits", headers: ["Idempotency-Key": "v"])
    #expect(try daemon.ask("POST", player.path + "/visits", headers: ["Idempotency-Key": "v"]).body == visit.body)
    #expect(visit.json["visits"]?["count"] == 2)
    let setting = try player.choose("sound_enabled", false, headers: ["Idempotency-Key": "s"])
    #expect(try player.choose("sound_enabled", false, headers: ["Idempotency-Key": "s"]).body == setting.body)
    #expect(try player.choose("sound_enabled", true, headers: ["Idempotency-Key": "s"]).code == "ID_REUSED")
  }

  @Test("late events count at the time at which they occurred, and a dry run changes nothing")
  func lateAndDry() throws {
    let daemon = try RunningDaemon(arguments: ["--clock", "2026-11-21T12:00:00Z"])
    let player = TestPlayer(daemon: daemon)
    let dry = try player.event(score: 60, query: "?dry_run=true")
    #expect(dry.json["dry_run"] == true && dry.unlocked("themes") == ["forest"])
    #expect(try player.revision() == 0)
    let late = try player.event(score: 5, more: [("occurred_at", "2026-11-20T12:00:00Z")])
    #expect(late.json["occurred_at"] == "2026-11-20T12:00:00Z")
    #expect(try player.page()["scores"]?["lifetime_score"] == 5)
    let early = try player.event(score: 5, more: [("occurred_at", "2026-11-14T11:59:59.999Z")])
    #expect(early.status == 422 && early.code == "OCCURRED_TOO_EARLY" && early.pointer == "/occurred_at")
    #expect(try player.event(score: 5, more: [("occurred_at", "2026-11-14T12:00:00Z")]).status == 200)
    #expect(try player.event(score: 5, more: [("occurred_at", "2026-11-21T12:01:00Z")]).status == 200)
    #expect(try player.event(score: 5, more: [("occurred_at", "2026-11-21T12:01:00.001Z")]).code == "OCCURS_AHEAD")
    #expect(try player.choose("sound_enabled", false, query: "?dry_run=true").json["effective"] == false)
    #expect(try player.read("sound_enabled")["value"] == true)
  }

  @Test("a read of a player has scores and the newest history first; that of an unknown player is empty")
  func page() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, player: "a%2F%C3%A9")
    let fresh = try player.page("")
    #expect(fresh["player"] == "a/é" && fresh["player_revision"] == 0 && fresh["created_at"] == nil && fresh["history"] == [])
    _ = try player.event(mode: "classic", score: 3)
    _ = try player.event(mode: "arcade", score: 4)
    _ = try daemon.ask("POST", player.path + "/visits")
    _ = try daemon.ask("PUT", player.path + "/context", body: ["context": ["locale": "es", "targetingKey": "a/é"]])
    let page = try player.page("")
    #expect(page["player_revision"] == 4)
    #expect(page["scores"]?["best_scores"] == ["arcade": 4, "classic": 3])
    #expect(page["counters"] == [["event": "game_over", "count": 2, "modes": ["arcade": 1, "classic": 1]]])
    #expect(page["visits"]?["count"] == 2)
    #expect(page["context"] == ["locale": "es"])
    #expect(page["themes"]?.listValue?.first { $0["theme"] == "ocean" }?["name"] == "Océano")
    #expect(page["ads"]?.listValue?.count == 1)
    #expect(page["history"]?.listValue?.compactMap { $0["kind"]?.stringValue } == ["context", "visit", "event", "event"])
    #expect(try player.page("?history=1")["history"]?.listValue?.count == 1)
    #expect(try player.page("?history=0")["history"] == [])
    #expect(try daemon.ask("GET", player.path + "?history=201").status == 400)
    let list = try daemon.ask("GET", "/v1/games/wheresthedot/players", admin: true)
    #expect(list.json["players"]?.listValue?.compactMap { $0["player"]?.stringValue } == ["a/é"])
  }

  @Test("the list of players is paged")
  func pages() throws {
    let daemon = try RunningDaemon()
    for name in ["c", "a", "b"] { _ = try TestPlayer(daemon: daemon, player: name).event() }
    let first = try daemon.ask("GET", "/v1/games/wheresthedot/players?limit=2", admin: true).json
    #expect(first["players"]?.listValue?.compactMap { $0["player"]?.stringValue } == ["a", "b"])
    #expect(first["next_after"] == "b")
    let second = try daemon.ask("GET", "/v1/games/wheresthedot/players?limit=2&after=b", admin: true).json
    #expect(second["players"]?.listValue?.compactMap { $0["player"]?.stringValue } == ["c"])
    #expect(second["next_after"] == nil)
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/players?limit=501", admin: true).status == 400)
    #expect(try daemon.control("player", "list", "wheresthedot").output.split(separator: "\n").count == 3)
  }
}
