// Scenarios together with restarts, watches, other changes, streams and leaderboards, and the limits of their players.

import GameConfCore
import Glibc
import Testing

@Suite("Scenarios together with restarts, watchers and other changes", .serialized)
struct ScenarioLifeTests {
  private func mine(_ arguments: [String] = []) throws -> RunningDaemon {
    try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog], arguments: arguments)
  }

  private func begin(_ daemon: RunningDaemon, _ body: Value, headers: [String: String] = [:]) throws -> RawConnection.Answer {
    try daemon.ask("POST", "/v1/scenarios", body: body, headers: headers, admin: true)
  }

  /// Begins a scenario and returns its id.
  private func started(_ daemon: RunningDaemon, _ game: Value, in name: String = "mine", scope: String? = nil) throws -> String {
    var body: ObjectValue = ["title": "nightly", "games": .object(ObjectValue([(name, game)]))]
    body["scope"] = scope.map(Value.string)
    let begun = try begin(daemon, .object(body))
    #expect(begun.status == 201, "\(begun.text)")
    return try #require(begun.json["id"]?.stringValue)
  }

  private func end(_ daemon: RunningDaemon, _ id: String) throws {
    #expect(try daemon.ask("DELETE", "/v1/scenarios/\(id)", admin: true).status == 204)
  }

  @Test("a scenario is in force again after a kill of the daemon, and ends as usual")
  func restarted() throws {
    let daemon = try mine()
    let (ready, go) = (daemon.folder.path + "/ready", daemon.folder.path + "/go")
    let file = "scenario: 1\ngames: {mine: {overrides: {lives: 7}, players: {a: {scores: {lifetime_score: 5}}}}}\n"
    try daemon.folder.write(file, to: "s.yaml")
    let script = "echo $GAMECONF_PLAYER_PREFIX > \(ready).part; mv \(ready).part \(ready); while [ ! -e \(go) ]; do sleep 0.05; done"
    let runner = try ChildProcess(
      Built.control, ["scenario", "run", daemon.folder.path + "/s.yaml", "--", "sh", "-c", script],
      environment: ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket])
    #expect(daemon.waits(seconds: 120) { access(ready, R_OK) == 0 })
    let prefix = try ChildProcess("/bin/cat", [ready]).waitForEnd().output.trimmed
    #expect(prefix.hasPrefix("scn-"))
    for restart in [false, true] {
      if restart { try daemon.restart(killing: true) }
      #expect(try daemon.read("lives", player: prefix + "any")["value"] == 7)
      #expect(try daemon.ask("GET", "/v1/games/mine/players/\(prefix)a").json["scores"]?["lifetime_score"] == 5)
    }
    try daemon.folder.write("", to: "go")
    #expect(runner.waitForEnd().status == 0)
    #expect(try daemon.overrides().isEmpty)
    #expect(try daemon.ask("GET", "/v1/games/mine/players", admin: true).json["players"] == [])
  }

  @Test("a reconnecting watcher of a scenario's player gets the changes of the scenario's end")
  func resumed() throws {
    let daemon = try mine()
    // Player p9 has an override of the same key. So the scenario's end changes neither the game-wide value nor its reason.
    #expect(try daemon.put("lives", 5, player: "p9").status == 201)
    let id = try started(daemon, ["overrides": ["lives": 7]])
    let target = "/v1/games/mine/watch?player=scn-\(id)-x"
    let seen: String
    do {
      let stream = try StreamReader(daemon.gamesSocket, target)
      #expect(stream.data()["values"]?["lives"]?["value"] == 7)
      seen = try #require(stream.lastID)
    }
    try end(daemon, id)
    let again = try StreamReader(daemon.gamesSocket, target, lastEventID: seen)
    #expect(again.data()["values"]?["lives"]?["value"] == 3)
    let everybody = try StreamReader(daemon.gamesSocket, "/v1/games/mine/watch?keys=lives")
    #expect(everybody.data()["values"]?["lives"]?["value"] == 3)
    let second = try started(daemon, ["overrides": ["lives": 9]], scope: "game")
    #expect(everybody.data()["values"]?["lives"]?["value"] == 9)
    try end(daemon, second)
    #expect(everybody.data()["values"]?["lives"]?["value"] == 3)
  }

  @Test("other changes cannot replace, import over, revert or clear a scenario's overrides, and the refusal names the scenario")
  func held() throws {
    let daemon = try mine(["--clock", "2026-11-21T12:00:00Z"])
    let id = try started(daemon, ["overrides": ["lives": 7]], scope: "game")
    let until: [(String, Value)] = [("until", "2026-11-21T13:00:00Z")]
    let window = "scn\(id)"
    let line = try #require(try daemon.audit().first { $0["key"] == "lives" }?["id"]?.integerValue)
    let rows: Value = ["overrides": [["key": "lives", "value": 2]]]
    for answer in [
      try daemon.put("lives", 4, until), try daemon.put("lives", 4, until, query: "?replace=true"),
      try daemon.put("lives", 4, until, query: "?replace=true&window=\(window)"), try daemon.remove("lives", query: "?window=\(window)"),
      try daemon.ask("POST", "/v1/games/mine/audit/\(line)/revert", admin: true),
      try daemon.ask("POST", "/v1/games/mine/overrides/clear", body: ["scope": "all"], admin: true),
    ] {
      #expect(answer.status == 409 && answer.code == "HELD_BY_SCENARIO", "\(answer.text)")
      #expect(answer.text.contains("nightly") && answer.text.contains(id), "\(answer.text)")
    }
    let imported = try daemon.ask("POST", "/v1/games/mine/overrides/import", body: rows, admin: true)
    #expect((400...499).contains(imported.status) && imported.text.contains("HELD_BY_SCENARIO"), "\(imported.text)")
    let control = try daemon.control("config", "set", "mine", "lives", "4")
    #expect(control.status == 6 && control.errors.contains("nightly"), "\(control.errors)")
    #expect(try daemon.read("lives")["value"] == 7)
    try end(daemon, id)
    #expect(try daemon.put("lives", 4).status == 201)
    // A revert of the scenario's own audit line does not bring its override back.
    let over = try daemon.ask("POST", "/v1/games/mine/audit/\(line)/revert", admin: true)
    #expect((400...499).contains(over.status), "\(over.text)")
    #expect(try daemon.read("lives")["value"] == 4)
  }

  @Test("the lists of changes name a change's scenario and its lease, and no longer have the change after the scenario's end")
  func changes() throws {
    let daemon = try mine()
    #expect(try daemon.put("lives", 5, player: "p9").status == 201)
    let own = try started(daemon, ["overrides": ["lives": 7], "players": ["a": ["scores": ["lifetime_score": 5]]]])
    let whole = try started(daemon, ["overrides": ["title": "all"]], scope: "game")
    func listed(_ path: String) throws -> [Value] {
      try daemon.ask("GET", "/v1/games/mine/" + path, admin: true).json["changes"]?.listValue ?? []
    }
    let ofGame = try listed("changes?players=all")
    #expect(ofGame.map { $0["scenario"]?["id"] } == [.string(whole), nil, .string(own)], "\(ofGame)")
    #expect(ofGame.first?["scenario"]?["title"] == "nightly" && ofGame.first?["scenario"]?["lease_until"]?.stringValue != nil)
    let ofPlayer = try listed("players/scn-\(own)-a/changes")
    #expect(ofPlayer.map { $0["what"] } == ["override", "player.scores"] && ofPlayer.allSatisfy { $0["scenario"]?["id"] == .string(own) })
    #expect(try listed("players/p9/changes").map { $0["scenario"] } == [nil])
    let shown = try daemon.control("config", "changes", "mine").output
    #expect(shown.contains("“nightly” (\(whole))"), "\(shown)")
    #expect(try daemon.control("player", "show", "mine", "scn-\(own)-a").output.contains("“nightly” (\(own))"))
    for id in [own, whole] { try end(daemon, id) }
    #expect(try listed("changes?players=all").map { $0["scenario"] } == [nil])
  }

  @Test("gameconfctl lists and ends scenarios; ending an ended scenario gets 204, also as a dry run")
  func ended() throws {
    let daemon = try mine()
    #expect(try daemon.control("scenario", "list").output.isEmpty)
    let id = try started(daemon, ["overrides": ["lives": 7]], scope: "game")
    let listed = try daemon.control("scenario", "list").output.split(separator: "\t").map(String.init)
    #expect(Array(listed.prefix(4)) == [id, "nightly", "mine", "1"])
    let inTheWay = try daemon.control("config", "set", "mine", "lives", "4")
    #expect(inTheWay.status == 6 && inTheWay.errors.contains("gameconfctl scenario end \(id)"), "\(inTheWay.errors)")
    let offered = try daemon.control("complete", "3", "--", "scenario", "end", String(id.prefix(2)))
    #expect(offered.output == "\(id)\tnightly\n")
    let dry = try daemon.control("scenario", "end", id, "--dry-run")
    #expect(dry.status == 0 && dry.output.contains("“nightly” (\(id)) would be taken back: 1 value"), "\(dry)")
    let unasked = try daemon.control("scenario", "end", id)
    #expect(unasked.status == 2 && unasked.errors.contains("--yes"), "\(unasked.errors)")
    #expect(try daemon.read("lives")["value"] == 7)
    let ended = try daemon.control("scenario", "end", id, "--yes", "--reason", "in the way")
    #expect(ended.status == 0 && ended.output.contains("is taken back"), "\(ended)")
    #expect(try daemon.read("lives")["value"] == 3)
    let newest = try daemon.ask("GET", "/v1/audit?limit=1", admin: true).json["entries"]?.listValue?.first
    #expect(newest?["action"] == "scenario.end" && newest?["reason"] == "in the way", "\(newest ?? .null)")
    #expect(try daemon.control("scenario", "list", "--json").output.contains("\"scenarios\": []"))
    var gone = try daemon.control("scenario", "end", id, "--yes")
    // On a busy machine the daemon may time out, which is another exit status.
    for _ in 0..<20 where gone.status == 7 { gone = try daemon.control("scenario", "end", id, "--yes") }
    #expect(gone.status == 5 && gone.errors.contains("scenario list"), "\(gone.errors)")
    for query in ["", "?dry_run=true"] {
      #expect(try daemon.ask("DELETE", "/v1/scenarios/\(id)" + query, admin: true).status == 204, "a repeat finds all taken back")
    }
  }

  @Test("the audit log has a scenario's author, reason, changes and end")
  func audited() throws {
    let daemon = try mine()
    let game: Value = ["overrides": ["lives": 7], "players": ["a": ["scores": ["lifetime_score": 5]]]]
    let begun = try begin(daemon, ["title": "nightly", "reason": "build 12", "games": ["mine": game]])
    let id = try #require(begun.json["id"]?.stringValue)
    try end(daemon, id)
    let lines = (try daemon.ask("GET", "/v1/audit?limit=100", admin: true).json["entries"]?.listValue ?? []).reversed().map { $0 }
    let actions = lines.filter { $0["action"]?.stringValue?.hasPrefix("catalog") != true }.compactMap { $0["action"]?.stringValue }
    #expect(actions == ["override.set", "player.scores", "scenario.begin", "override.remove", "scenario.end"])
    let first = try #require(lines.first { $0["action"] == "scenario.begin" })
    #expect(first["reason"] == "build 12" && first["detail"]?["scenario"] == .string(id) && first["detail"]?["title"] == "nightly")
    #expect(first["detail"]?["steps"] == 2 && first["author"]?["uid"] == .integer(Int64(geteuid())))
    let value = try #require(lines.first { $0["action"] == "override.set" })
    #expect(value["player"] == .string("scn-\(id)-") && value["reason"] == "build 12" && value["after"] == 7)
    #expect(lines.first { $0["action"] == "scenario.end" }?["detail"]?["why"] == "it was ended")
    #expect(lines.allSatisfy { $0["player"] != .string("scn-\(id)-a") }, "who is forgotten is named by a digest")
  }

  @Test("events of a scenario's players are marked in the stream, count on no leaderboard, and are removed with it")
  func marked() throws {
    let daemon = try RunningDaemon()
    let id = try started(daemon, ["overrides": [:]], in: "wheresthedot")
    let (tested, plain) = (TestPlayer(daemon: daemon, player: "scn-\(id)-x"), TestPlayer(daemon: daemon))
    #expect(try tested.event(score: 99).status == 200)
    #expect(try plain.event(score: 5).status == 200)
    func lines() throws -> [Value] {
      let export = try daemon.control("events", "export", "wheresthedot").output
      return try export.split(separator: "\n").map { try JSONReader.value(from: Array($0.utf8)) }
    }
    #expect(try lines().map { $0["scenario"] } == [.string(id), nil])
    let board = try daemon.ask("GET", "/v1/games/wheresthedot/leaderboards/classic?player=scn-\(id)-x").json
    #expect(board["rows"]?.listValue?.map { $0["player"] } == ["p1"] && board["standing"] == nil)
    #expect(try tested.page()["scores"]?["lifetime_score"] == 99)
    try end(daemon, id)
    #expect(try lines().map { $0["player"] } == ["p1"])
    #expect(try tested.page()["scores"]?["lifetime_score"] == 0)
  }

  @Test("purchases cannot move between a scenario's players and others; moves among its own players end with it")
  func transfers() throws {
    let daemon = try RunningDaemon()
    let buys: Value = ["purchases": [["product": "removeads"]]]
    let id = try started(daemon, ["players": ["a": buys]], in: "wheresthedot")
    let path = "/v1/games/wheresthedot/players/"
    #expect(try daemon.ask("POST", path + "p1/purchases", body: ["product": "removeads"]).status < 300)
    for (player, other) in [("p2", "scn-\(id)-a"), ("scn-\(id)-a", "p1")] {
      let refused = try daemon.ask("POST", path + "\(player)/restore", body: ["from_player": .string(other)])
      #expect(refused.status == 422 || refused.status == 409, "\(refused.text)")
      #expect(refused.text.contains("scenario"), "\(refused.text)")
    }
    let moved = try daemon.ask("POST", path + "scn-\(id)-b/restore", body: ["from_player": .string("scn-\(id)-a")])
    #expect(moved.status == 200, "\(moved.text)")
    func adFree(_ player: String) throws -> Value? { try daemon.ask("GET", path + "\(player)/entitlements").json["is_ad_free"] }
    #expect(try adFree("scn-\(id)-b") == true)
    try end(daemon, id)
    #expect(try adFree("p1") == true && adFree("scn-\(id)-b") == false)
    let players = try daemon.ask("GET", "/v1/games/wheresthedot/players", admin: true).json["players"]?.listValue ?? []
    #expect(players.map { $0["player"] } == ["p1"])
  }

  @Test("a scenario's player can be forgotten or reset; the prefix of its players' ids is not a player")
  func forgotten() throws {
    let daemon = try mine()
    let scores: Value = ["scores": ["lifetime_score": 5]]
    let id = try started(daemon, ["overrides": ["lives": 7], "players": ["a": scores, "b": scores]])
    let path = "/v1/games/mine/players/scn-\(id)-"
    #expect(try daemon.ask("DELETE", path + "a", admin: true).status == 204)
    #expect(try daemon.ask("GET", path + "a").json["scores"]?["lifetime_score"] == 0)
    #expect(try daemon.read("lives", player: "scn-\(id)-a")["value"] == 7, "its values are for players to come too")
    for (method, target) in [("DELETE", path), ("POST", path + "/visits")] {
      let answer = try daemon.ask(method, target, admin: true)
      #expect(answer.status == 409 && answer.code == "SCENARIO_OVER", "\(answer.text)")
    }
    #expect(try daemon.read("lives", player: "scn-\(id)-b")["value"] == 7)
    try end(daemon, id)
    #expect(try daemon.overrides().isEmpty)
  }

  @Test(
    "titles, names and leases of scenarios are accepted up to their limits and refused beyond them",
    arguments: [
      (["title": .string(String(repeating: "t", count: 256))], nil), (["title": .string(String(repeating: "t", count: 257))], "/title"),
      (["title": "a\u{7}b"], "/title"), (["lease_seconds": 600], nil), (["lease_seconds": 601], "/lease_seconds"),
      (["lease_seconds": 1], nil), (["lease_seconds": -1], "/lease_seconds"),
      (["games": ["mine": ["players": .object(ObjectValue([(String(repeating: "n", count: 128), [:])]))]]], nil),
      (
        ["games": ["mine": ["players": .object(ObjectValue([(String(repeating: "n", count: 129), [:])]))]]],
        "/games/mine/players/" + String(repeating: "n", count: 129)
      ), (["games": ["mine": ["players": ["": [:]]]]], "/games/mine/players/"),
    ] as [(ObjectValue, String?)])
  func edges(members: ObjectValue, pointer: String?) throws {
    let daemon = try mine()
    var body: ObjectValue = ["games": ["mine": ["overrides": ["lives": 7]]]]
    for member in members.members { body[member.name] = member.value }
    let answer = try begin(daemon, .object(body))
    if let pointer {
      #expect((400...499).contains(answer.status) && answer.pointer == pointer, "\(answer.text)")
      #expect(try daemon.overrides().isEmpty)
    } else {
      #expect(answer.status == 201, "\(answer.text)")
    }
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()) }
}
