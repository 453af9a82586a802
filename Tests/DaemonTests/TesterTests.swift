// A tester's work: windows one after another, clocks, reset players, and the list of changes.

import GameConfCore
import Glibc
import Testing

@Suite("What a tester does")
struct TesterTests {
  private static let noon = ["--clock", "2026-11-21T12:00:00Z"]
  private static let key = "/v1/games/wheresthedot/overrides/arcade_difficulty_step"

  private func window(
    _ value: Value, _ daemon: RunningDaemon, query: String = "", from: String? = nil, until: String = "2026-11-21T13:00:00Z"
  )
    throws -> RawConnection.Answer
  {
    var body: ObjectValue = ["value": value, "until": .string(until)]
    body["from"] = from.map(Value.string)
    return try daemon.ask("PUT", Self.key + query, body: .object(body), admin: true)
  }

  private func step(_ daemon: RunningDaemon) throws -> Value? {
    try daemon.ask("GET", "/v1/games/wheresthedot/config/arcade_difficulty_step").json["value"]
  }

  @Test("a new window replaces the author's own window once, also if repeated, and an undo restores the first one")
  func replaceOwn() throws {
    let daemon = try RunningDaemon(arguments: Self.noon)
    #expect(try window(3, daemon).status == 201)
    #expect(try window(4, daemon).code == "OVERLAP")
    let replaced = try window(4, daemon, query: "?replace=true")
    #expect(try replaced.status == 201 && step(daemon) == 4, "\(replaced.text)")
    let list = try daemon.ask("GET", Self.key, admin: true).json["overrides"]?.listValue ?? []
    #expect(list.count == 1 && list.first?["window"]?["id"] == replaced.json["override"]?["window"]?["id"])
    let line = try #require(try daemon.ask("GET", "/v1/games/wheresthedot/audit?limit=1", admin: true).json["entries"]?.listValue?.first)
    #expect(line["detail"]?["replaced_until"] == "2026-11-21T13:00:00Z")
    let id = try #require(line["id"]?.integerValue)
    #expect(try daemon.ask("POST", "/v1/games/wheresthedot/audit/\(id)/revert", admin: true).status == 200)
    #expect(try step(daemon) == 3)
    // A dry run leaves the window unchanged. Without a present window, the call has nothing to replace and sets a new one.
    #expect(try window(5, daemon, query: "?replace=true&dry_run=true").status == 200)
    #expect(try step(daemon) == 3)
    #expect(try daemon.ask("DELETE", Self.key, admin: true).status == 204)
    #expect(try window(6, daemon, query: "?replace=true").status == 201)
  }

  @Test("only the present window is replaced, and only by one that begins now; the refusal names another author's window")
  func replaceRefused() throws {
    let daemon = try RunningDaemon(arguments: Self.noon)
    #expect(try window(3, daemon, from: "2026-11-21T12:30:00Z").status == 201)
    #expect(try window(4, daemon, query: "?replace=true").code == "OVERLAP", "one that is still to come stays")
    let later = try window(4, daemon, query: "?replace=true", from: "2026-11-21T12:10:00Z")
    #expect(later.status == 400 && later.pointer == "/from")
    #expect(try window(4, daemon, query: "?replace=true&window=w99").code == "UNKNOWN_WINDOW")
    #expect(try window(4, daemon, query: "?window=w99").code == "MALFORMED_QUERY_PARAMETER")
    let standing = try daemon.ask("PUT", Self.key + "?replace=true", body: ["value": 4], admin: true)
    #expect(standing.code == "MALFORMED_QUERY_PARAMETER")
    let id = try #require(
      try daemon.ask("GET", Self.key, admin: true).json["overrides"]?.listValue?.first?["window"]?["id"]?.stringValue)
    #expect(try window(4, daemon, query: "?replace=true&window=\(id)").status == 201)
    #expect(try step(daemon) == 4)
  }

  @Test("config set --replace ends the author's own window; that of another author needs its id and a confirmation")
  func replaceByCommand() throws {
    let daemon = try RunningDaemon()
    func set(_ value: String, _ more: String...) throws -> ChildProcess.Ending {
      try daemon.control(["config", "set", "wheresthedot", "arcade_difficulty_step", value, "--for", "1h"] + more)
    }
    #expect(try set("3").status == 0)
    // A second change in the same session changes the session's own window.
    #expect(try set("4").status == 0)
    #expect(try step(daemon) == 4)
    #expect(try set("4", "--replace").status == 0)
    #expect(try step(daemon) == 4)
    let id = try #require(
      try daemon.ask("GET", Self.key, admin: true).json["overrides"]?.listValue?.first?["window"]?["id"]?.stringValue)
    let unasked = try set("5", "--replace", "--window", id)
    #expect(unasked.status == 2 && unasked.errors.contains("--yes"))
    #expect(try set("5", "--replace", "--window", id, "--yes").status == 0)
    #expect(try step(daemon) == 5)
    #expect(try daemon.control("config", "set", "wheresthedot", "arcade_difficulty_step", "5", "--replace").status == 2)
  }

  @Test("moving a clock needs a confirmation and is shown in status; its reset first copies the database and then deletes purchases")
  func clock() throws {
    let daemon = try RunningDaemon(arguments: Self.noon)
    let player = TestPlayer(daemon: daemon)
    #expect(try daemon.ask("GET", "/v1/games").json["games"]?.listValue?.allSatisfy { $0["clock"] == nil } == true)
    let unasked = try daemon.control("iap", "clock", "wheresthedot", "advance", "P2M")
    #expect(unasked.status == 2 && unasked.errors.contains("for every player"))
    #expect(try daemon.control("iap", "clock", "wheresthedot", "advance", "P2M", "--yes").status == 0)
    for path in ["/v1/games", "/v1/status"] {
      let game = try daemon.ask("GET", path, admin: true).json["games"]?.listValue?.first { $0["game"] == "wheresthedot" }
      #expect(game?["clock"]?["now"] == "2027-01-21T12:00:00Z", "\(path)")
    }
    #expect(try daemon.control("status").output.contains("2027-01-21"))
    #expect(try player.event(score: 60).status == 200)
    _ = try player.ad()
    _ = try player.ad()
    #expect(try daemon.ask("POST", player.path + "/purchases", body: ["product": "theme.aurora"]).status == 201)
    let tried = try daemon.ask("DELETE", "/v1/games/wheresthedot/clock?dry_run=true", admin: true)
    #expect(tried.json["transactions"] == 1 && tried.json["players"] == 1 && tried.json["backup"] == nil, "\(tried.text)")
    #expect(try daemon.ask("GET", player.path + "/entitlements").json["entitlements"]?.listValue?.count == 1)
    let reset = try daemon.control("iap", "clock", "wheresthedot", "reset", "--yes", "--reason", "done")
    #expect(reset.status == 0 && reset.output.contains("1 simulated transaction cleared"), "\(reset)")
    let copies = try daemon.ask("GET", "/v1/store/copies", admin: true).json["copies"]?.listValue ?? []
    #expect(copies.map { $0["kind"] } == ["before-clock-reset"])
    let page = try player.page()
    #expect(page["now"] == "2026-11-21T12:00:00Z" && page["scores"]?["lifetime_score"] == 62)
    #expect(page["visits"]?["active_at"] == "2026-11-21T12:00:00Z")
    #expect(page["ads"]?.listValue?.first?["counters"]?["last_show_at"] == "2026-11-21T12:00:00Z")
    #expect(try daemon.ask("GET", player.path + "/transactions").json["transactions"] == [])
    // Afterwards everything works: a purchase has the present date, and the third game over shows an ad.
    let bought = try daemon.ask("POST", player.path + "/purchases", body: ["product": "theme.aurora"])
    #expect(bought.json["transaction"]?["purchased_at"] == "2026-11-21T12:00:00Z", "\(bought.text)")
    #expect(try (0..<3).map { _ in try player.ad()["show"] } == [false, false, true])
    // A second reset finds nothing to do, and makes no copy.
    #expect(try daemon.ask("DELETE", "/v1/games/wheresthedot/clock", admin: true).json["players"] == 0)
    #expect(try daemon.ask("GET", "/v1/store/copies", admin: true).json["copies"]?.listValue?.count == 1)
    let line = try #require(
      try daemon.ask("GET", "/v1/games/wheresthedot/audit?limit=1", admin: true).json["entries"]?.listValue?.first)
    #expect(line["action"] == "clock.reset" && line["reason"] == "done" && line["detail"]?["transactions"] == 1)
    try daemon.restart(killing: true)
    #expect(try player.page()["now"] == "2026-11-21T12:00:00Z")
  }

  @Test("a player's reset keeps the audit log and the positions of queues, which forgetting removes")
  func reset() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    let sequence: Value = ["client": "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d", "number": 1]
    #expect(try player.event(score: 60, more: [("sequence", sequence)]).status == 200)
    #expect(try player.choose("sound_enabled", false).status == 200)
    #expect(try daemon.ask("POST", player.path + "/purchases", body: ["product": "premium"]).status == 201)
    #expect(try daemon.ask("PUT", player.path + "/overrides/arcade_difficulty_step", body: ["value": 9], admin: true).status == 201)
    #expect(try daemon.ask("PUT", player.path + "/clock", body: ["advance": "P1D"], admin: true).status == 200)
    #expect(try daemon.ask("POST", player.path + "/plays", body: [:]).status == 201)
    let before = try #require(try player.revision())
    let unasked = try daemon.control("player", "reset", "wheresthedot", "p1")
    #expect(unasked.status == 2 && unasked.errors.contains("transactions 1") && unasked.errors.contains("plays 1"), "\(unasked)")
    #expect(try daemon.control("player", "reset", "wheresthedot", "p1", "--dry-run").output.contains("overrides 1"))
    #expect(try player.page()["scores"]?["lifetime_score"] == 60)
    #expect(try daemon.control("player", "reset", "wheresthedot", "p1", "--yes").status == 0)
    let page = try player.page("?history=50")
    #expect(page["scores"]?["lifetime_score"] == 0 && page["history"] == [] && page["visits"]?["count"] == 0)
    #expect(try player.read("arcade_difficulty_step")["value"] == 5 && player.read("sound_enabled")["value"] == true)
    #expect(try daemon.ask("GET", player.path + "/entitlements").json["is_ad_free"] == false)
    #expect(try daemon.ask("GET", player.path + "/plays").json["plays"] == [])
    #expect(try daemon.ask("GET", player.path + "/clock", admin: true).json["offset_milliseconds"] == 0)
    #expect(try #require(try player.revision()) > before)
    let repeated = try player.event(score: 60, more: [("sequence", sequence)])
    #expect(try repeated.status == 200 && player.page()["scores"]?["lifetime_score"] == 0, "what is done of a queue is not done again")
    #expect(
      try player.event(score: 5, more: [("sequence", ["client": "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d", "number": 2])]).status == 200)
    #expect(try player.page()["scores"]?["lifetime_score"] == 5)
    let lines = try daemon.ask("GET", "/v1/games/wheresthedot/audit?player=p1", admin: true).json["entries"]?.listValue ?? []
    #expect(lines.first?["action"] == "player.reset" && lines.contains { $0["action"] == "override.set" })
    try daemon.restart(killing: true)
    #expect(try player.page()["scores"]?["lifetime_score"] == 5)
    #expect(
      try TestPlayer(daemon: daemon, player: "nobody").daemon.control("player", "reset", "wheresthedot", "nobody", "--yes").output
        .contains("nothing is known"))
  }

  @Test("gameconfctl remarks on an unknown player, also after a restore; a player with purchases is known")
  func remarked() throws {
    let daemon = try RunningDaemon()
    func buy(_ player: String) throws -> Bool {
      try daemon.control("iap", "buy", "kidsdoku2", player, "monthly_sub_2").errors.contains("player \(player) is new in kidsdoku2")
    }
    let first = try (buy("ben"), buy("ben"))
    #expect(first.0 && !first.1)
    let file = daemon.folder.path + "/taken.db"
    #expect(try daemon.control("store", "backup", file).status == 0)
    #expect(try daemon.control("store", "restore", "--yes", file).status == 0)
    #expect(try (daemon.ask("GET", "/v1/games/kidsdoku2/players/new").json["player_revision"]?.integerValue ?? 0) > 0)
    let second = try (buy("ben"), buy("jen"), buy("jen"))
    #expect(!second.0 && second.1 && !second.2)
  }

  @Test("testers may reset a player, but not a game's clock")
  func roles() throws {
    let document = try RunningDaemon().ask("GET", "/openapi.json").json
    let paths = document["paths"]
    #expect(paths?["/v1/games/{game}/players/{player}/reset"]?["post"]?["x-gameconf"]?["needs"] == "tester")
    #expect(paths?["/v1/games/{game}/clock"]?["delete"]?["x-gameconf"]?["needs"] == "admin")
    #expect(paths?["/v1/games/{game}"]?["delete"]?["x-gameconf"]?["needs"] == "admin")
  }

  @Test("the lists of changes of a game and a player have each change with author, time, reason and end")
  func changes() throws {
    let daemon = try RunningDaemon(arguments: Self.noon)
    let player = TestPlayer(daemon: daemon)
    let game = "/v1/games/wheresthedot"
    func list(_ path: String) throws -> [Value] { try daemon.ask("GET", path, admin: true).json["changes"]?.listValue ?? [] }
    #expect(try list(game + "/changes").isEmpty && list(player.path + "/changes").isEmpty)
    #expect(try daemon.ask("PUT", Self.key, body: ["value": 3, "reason": "spring"], admin: true).status == 201)
    #expect(try window(4, daemon).status == 201)
    #expect(try daemon.ask("PUT", game + "/clock", body: ["advance": "P1D", "reason": "renewals"], admin: true).status == 200)
    #expect(
      try daemon.ask("PUT", player.path + "/overrides/arcade_difficulty_step", body: ["value": 9, "reason": "hard"], admin: true).status
        == 201)
    let ofGame = try list(game + "/changes")
    #expect(ofGame.map { $0["what"] } == ["override", "override", "clock"])
    #expect(ofGame[0]["value"] == 3 && ofGame[0]["in_force"] == false && ofGame[0]["reason"] == "spring")
    #expect(ofGame[1]["value"] == 4 && ofGame[1]["in_force"] == true && ofGame[1]["until"] == "2026-11-21T13:00:00Z")
    #expect(ofGame[2]["value"] == "2026-11-22T12:00:00Z" && ofGame[2]["reason"] == "renewals" && ofGame[2]["at"] == "2026-11-21T12:00:00Z")
    #expect(ofGame.allSatisfy { $0["author"]?["uid"] == .integer(Int64(getuid())) })
    #expect(try daemon.ask("GET", game + "/changes", admin: true).json["player_overrides"] == 1)
    #expect(try list(game + "/changes?players=all").count == 4)
    // The game's own acts are not listed as changes.
    _ = try player.event(score: 5)
    #expect(try daemon.ask("PUT", player.path + "/clock", body: ["advance": "P1D", "reason": "later"], admin: true).status == 200)
    #expect(try daemon.ask("PUT", player.path + "/store/behaviour", body: ["ask_to_buy": true], admin: true).status == 200)
    #expect(try daemon.ask("PUT", player.path + "/store/behaviour", body: [:], admin: true).status == 200)
    #expect(try daemon.ask("POST", player.path + "/ads/game_over/force", body: ["reason": "see it"], admin: true).status == 200)
    #expect(try daemon.ask("PATCH", player.path, body: ["lifetime_score": 70], admin: true).status == 200)
    let ofPlayer = try list(player.path + "/changes")
    #expect(Set(ofPlayer.compactMap { $0["what"]?.stringValue }) == ["override", "clock", "ad_force", "player.scores"], "\(ofPlayer)")
    #expect(ofPlayer.first { $0["what"] == "ad_force" }?["reason"] == "see it")
    let shown = try daemon.control("player", "show", "wheresthedot", "p1").output
    #expect(shown.contains("ad_force") && shown.contains("hard"))
    #expect(try daemon.control("config", "changes", "wheresthedot").output.contains("renewals"))
    // The ad is shown, so that its override is used up. The player's reset leaves no changes.
    _ = try player.ad()
    #expect(try !list(player.path + "/changes").contains { $0["what"] == "ad_force" })
    #expect(try daemon.ask("POST", player.path + "/reset", admin: true).status == 200)
    #expect(try list(player.path + "/changes").isEmpty)
  }
}
