// Scenarios over the socket: begun as a whole or not at all, and undone at their end.

import GameConfCore
import Glibc
import Testing

@Suite("Scenarios", .serialized)
struct ScenarioTests {
  private static let file = """
    scenario: 1
    title: grace period
    games:
      kidsdoku2:
        overrides:
          free_puzzles_per_section: 7
        players:
          subscriber:
            clock: {advance: P1M}
            purchases:
              - {product: monthly_sub_2, then: [billing_retry]}
      wheresthedot:
        flags: {arcade_mode_enabled: false}
        milestones: {forest: 10}
        players:
          scorer: {scores: {lifetime_score: 12}}
    """

  private static let tests = """
    import datetime, http.client, json, os, socket, unittest

    class Daemon(http.client.HTTPConnection):
        def connect(self):
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.connect(os.environ["GAMECONF_SOCKET"])

    def ask(path, method="GET", body=None):
        daemon = Daemon("localhost")
        daemon.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"} if body else {})
        return json.load(daemon.getresponse())

    PREFIX = os.environ["GAMECONF_PLAYER_PREFIX"]

    class Shop(unittest.TestCase):
        def test_forced(self):
            for name in ["subscriber", "newcomer"]:
                value = ask(f"/v1/games/kidsdoku2/config/free_puzzles_per_section?player={PREFIX}{name}")
                self.assertEqual((value["value"], value["source"]), (7, "override.player"))
            self.assertEqual(ask("/v1/games/kidsdoku2/config/free_puzzles_per_section?player=p1")["value"], 3)
            self.assertFalse(ask(f"/v1/games/wheresthedot/config/arcade_mode_enabled?player={PREFIX}x")["value"])

        def test_grace(self):
            held = ask(f"/v1/games/kidsdoku2/players/{PREFIX}subscriber/entitlements")
            self.assertIn("Pro", [each["id"] for each in held["entitlements"]])
            self.assertIn("grace", json.dumps(held))

        def test_clock(self):
            player = ask(f"/v1/games/kidsdoku2/players/{PREFIX}subscriber?history=0")
            ahead = datetime.datetime.fromisoformat(player["now"].replace("Z", "+00:00")) - datetime.datetime.now(datetime.timezone.utc)
            self.assertGreater(ahead.days, 26)

        def test_scores(self):
            theme = ask(f"/v1/games/wheresthedot/players/{PREFIX}scorer/themes/forest")
            self.assertTrue(theme["unlocked"])

        def test_players_to_come(self):
            made = ask(f"/v1/games/wheresthedot/players/{PREFIX}new/events", "POST",
                       {"event_id": "e1", "event": "game_over", "mode": "classic", "score": 11, "reason": "timeUp"})
            self.assertIn("forest", made["unlocked"]["themes"])

    if __name__ == "__main__":
        unittest.main()
    """

  private static let endless = """
    import os, sys, time, unittest

    class Endless(unittest.TestCase):
        def test_until_told(self):
            print("under way", file=sys.stderr, flush=True)
            while not os.path.exists("go"):
                time.sleep(0.05)
    """

  /// Returns the state in which a scenario must leave no trace.
  private func state(_ daemon: RunningDaemon) throws -> [String: Value] {
    var state: [String: Value] = [:]
    for game in ["kidsdoku2", "wheresthedot", "mine"] {
      for part in ["config?detail=full", "config?player=p1", "overrides?players=all", "players?limit=500"] {
        var json = try daemon.ask("GET", "/v1/games/\(game)/\(part)", admin: true).json.objectValue ?? ObjectValue()
        json["revision"] = nil
        if case .object(var values)? = json["values"] {
          for member in values.members {
            if case .object(var value) = member.value {
              value["revision"] = nil
              values[member.name] = .object(value)
            }
          }
          json["values"] = .object(values)
        }
        state[game + "/" + part] = .object(json)
      }
    }
    return state
  }

  private func begin(_ daemon: RunningDaemon, _ body: Value, query: String = "") throws -> RawConnection.Answer {
    try daemon.ask("POST", "/v1/scenarios" + query, body: body, admin: true)
  }

  private static func forcing(_ value: Value, scope: String? = nil, lease: Int64? = nil, title: String = "one") -> Value {
    var body = ObjectValue([
      ("title", .string(title)), ("games", ["mine": ["overrides": ["lives": value], "players": ["a": ["scores": ["lifetime_score": 5]]]]]),
    ])
    body["scope"] = scope.map(Value.string)
    body["lease_seconds"] = lease.map(Value.integer)
    return .object(body)
  }

  private func mine() throws -> RunningDaemon { try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog]) }

  @Test("scenario run gives python3 -m unittest its values, subscription and clock, and undoes everything afterwards")
  func unittest() throws {
    let daemon = try RunningDaemon()
    try daemon.folder.write(Self.file, to: "grace.yaml")
    try daemon.folder.write(Self.tests, to: "test_shop.py")
    let before = try state(daemon)
    let ending = try daemon.control(
      "scenario", "run", daemon.folder.path + "/grace.yaml", "--reason", "a test", "--", "sh", "-c",
      "cd \(daemon.folder.path) && exec python3 -m unittest -v test_shop")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.errors.contains("Ran 5 tests"))
    #expect(try state(daemon) == before)
    let lines = try daemon.ask("GET", "/v1/games/kidsdoku2/audit?limit=1000", admin: true).json["entries"]?.listValue ?? []
    #expect(lines.contains { $0["action"] == "override.set" && $0["reason"] == "a test" })
    try daemon.restart(killing: true)
    #expect(try state(daemon) == before)
    let failing = try daemon.control("scenario", "run", daemon.folder.path + "/grace.yaml", "--", "sh", "-c", "exit 41")
    #expect(failing.status == 41)
    let missing = try daemon.control("scenario", "run", daemon.folder.path + "/grace.yaml", "--", "/no/such/command")
    #expect(missing.status == 1 && missing.errors.contains("/no/such/command"))
    #expect(try state(daemon) == before)
  }

  @Test("after the runner of a scenario is killed, the daemon undoes everything at the end of the lease")
  func killedRunner() throws {
    let daemon = try RunningDaemon()
    try daemon.folder.write(Self.file.replacing("title: grace period", with: "title: grace period\nlease_seconds: 1"), to: "grace.yaml")
    try daemon.folder.write(Self.endless, to: "test_endless.py")
    let before = try state(daemon)
    let runner = try ChildProcess(
      Built.control,
      [
        "scenario", "run", daemon.folder.path + "/grace.yaml", "--", "sh", "-c",
        "cd \(daemon.folder.path) && exec python3 -m unittest test_endless",
      ],
      environment: ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket])
    _ = try #require(runner.waitForLine(containing: "under way"))
    let overridden = try daemon.overrides(game: "kidsdoku2")
    let id = try #require(overridden.first?["player"]?.stringValue?.split(separator: "-").dropFirst().first)
    func lease() throws -> String {
      try daemon.ask("GET", "/v1/scenarios/\(id)", admin: true).json["lease_until"]?.stringValue ?? ""
    }
    let first = try lease()
    #expect(try daemon.waits { try lease() > first }, "the runner renews it")
    runner.signal(SIGKILL)
    #expect(try daemon.waits(seconds: 120) { try state(daemon) == before })
    // The scenario's row is removed last.
    #expect(try daemon.waits(seconds: 120) { try daemon.ask("GET", "/v1/scenarios/\(id)", admin: true).code == "UNKNOWN_ID" })
    // The runner's command outlives the runner.
    try daemon.folder.write("", to: "go")
    _ = runner.waitForEnd()
  }

  @Test("a scenario's runner that gets a signal to stop undoes everything, and passes the signal to its command")
  func stopped() throws {
    let daemon = try RunningDaemon()
    // The lease is longer than the test, so that only the runner can undo the scenario.
    try daemon.folder.write(Self.file.replacing("title: grace period", with: "title: grace period\nlease_seconds: 600"), to: "grace.yaml")
    let before = try state(daemon)
    for (command, number, status) in [([], SIGINT, 0), (["--", "sh", "-c", "echo started >&2; exec sleep 600"], SIGTERM, 128 + SIGTERM)]
      as [([String], Int32, Int32)]
    {
      let runner = try ChildProcess(
        Built.control, ["scenario", "run", daemon.folder.path + "/grace.yaml"] + command,
        environment: ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket])
      _ = try #require(runner.waitForLine(containing: command.isEmpty ? "in force" : "started"))
      runner.signal(number)
      #expect(runner.waitForEnd().status == status)
      #expect(try daemon.waits(seconds: 120) { try state(daemon) == before })
    }
  }

  @Test("a scenario that expired while the daemon was stopped is undone before the daemon is ready; others continue")
  func downMeanwhile() throws {
    let folder = try TemporaryFolder()
    var (short, long) = ("", "")
    do {
      let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog], folder: folder, arguments: ["--clock", "2026-11-21T12:00:00Z"])
      short = try #require(begin(daemon, Self.forcing(7, lease: 30)).json["id"]?.stringValue)
      long = try #require(begin(daemon, Self.forcing(8, lease: 600, title: "two")).json["id"]?.stringValue)
      #expect(try daemon.read("lives", player: "scn-\(short)-x")["value"] == 7)
      daemon.stop()
    }
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog], folder: folder, arguments: ["--clock", "2026-11-21T12:00:31Z"])
    #expect(try daemon.read("lives", player: "scn-\(short)-x")["value"] == 3)
    #expect(try daemon.read("lives", player: "scn-\(long)-x")["value"] == 8)
    #expect(try daemon.ask("GET", "/v1/scenarios/\(short)", admin: true).code == "UNKNOWN_ID")
    let players = try daemon.ask("GET", "/v1/games/mine/players", admin: true).json["players"]?.listValue ?? []
    #expect(players.map { $0["player"] } == [.string("scn-\(long)-a")])
    let ended = try daemon.ask("DELETE", "/v1/scenarios/\(long)", admin: true)
    #expect(ended.status == 204)
    #expect(try daemon.ask("DELETE", "/v1/scenarios/\(long)", admin: true).status == 204, "also when it is over")
    #expect(try daemon.overrides().isEmpty)
    #expect(try daemon.ask("GET", "/v1/games/mine/players", admin: true).json["players"] == [])
  }

  @Test("renewing a scenario only extends its lease")
  func renewal() throws {
    let daemon = try mine()
    let id = try #require(begin(daemon, Self.forcing(7)).json["id"]?.stringValue)
    let scenario = try daemon.ask("GET", "/v1/scenarios/\(id)", admin: true).json
    let before = (try daemon.ask("GET", "/v1/games/mine/config").revision, try daemon.audit().count)
    let renewed = try daemon.ask("PUT", "/v1/scenarios/\(id)/lease", admin: true)
    #expect(renewed.status == 200 && renewed.json["lease_until"] != nil)
    #expect((renewed.json["lease_until"]?.stringValue ?? "") >= (scenario["lease_until"]?.stringValue ?? "9"))
    #expect(try daemon.ask("GET", "/v1/games/mine/config").revision == before.0)
    #expect(try daemon.audit().count == before.1)
    #expect(try daemon.ask("PUT", "/v1/scenarios/000000000000/lease", admin: true).code == "UNKNOWN_ID")
  }

  @Test("a scenario for a whole game replaces overrides with a warning, prevents other changes of them, and restores them at its end")
  func wholeGame() throws {
    let daemon = try mine()
    #expect(try daemon.put("lives", 5).status == 201)
    let begun = try begin(daemon, Self.forcing(9, scope: "game", title: "nightly"))
    #expect(begun.status == 201, "\(begun.text)")
    #expect(begun.json["warnings"]?.listValue?.count == 1)
    let id = try #require(begun.json["id"]?.stringValue)
    #expect(try daemon.read("lives")["value"] == 9)
    let held = try daemon.put("lives", 6)
    #expect(held.status == 409 && held.code == "HELD_BY_SCENARIO" && held.text.contains("nightly") && held.text.contains(id))
    #expect(try daemon.remove("lives").code == "HELD_BY_SCENARIO")
    // A window is refused too, and so is one that would replace the scenario's own window.
    let until: Value = ["value": 6, "until": "9998-01-01T00:00:00Z"]
    for query in ["", "?replace=true", "?replace=true&window=scn\(id)"] {
      let window = try daemon.ask("PUT", "/v1/games/mine/overrides/lives" + query, body: until, admin: true)
      #expect(window.status == 409 && window.code == "HELD_BY_SCENARIO", "\(query): \(window.text)")
    }
    let refused = try daemon.control("config", "set", "mine", "lives", "6", "--for", "1h", "--replace")
    #expect(refused.status == 6 && refused.errors.contains("nightly"), "\(refused)")
    #expect(try daemon.ask("POST", "/v1/games/mine/overrides/clear", body: ["scope": "game"], admin: true).code == "HELD_BY_SCENARIO")
    let second = try begin(daemon, Self.forcing(8, scope: "game", title: "other"))
    #expect(second.status == 409 && second.code == "HELD_BY_SCENARIO" && second.pointer == "/games/mine/overrides/lives")
    #expect(second.text.contains("nightly"))
    #expect(try daemon.put("title", "free").status == 201, "what it does not hold is anybody's")
    #expect(try daemon.ask("DELETE", "/v1/scenarios/\(id)", admin: true).status == 204)
    #expect(try daemon.read("lives")["value"] == 5)
    #expect(try daemon.overrides().count == 2)
  }

  @Test("a scenario for a whole game that conflicts with a window names it, with the command that removes it")
  func windowInTheWay() throws {
    let daemon = try mine()
    let until: Value = ["value": 6, "until": "9998-01-01T00:00:00Z"]
    let window = try daemon.ask("PUT", "/v1/games/mine/overrides/lives", body: until, admin: true)
    let id = try #require(window.json["override"]?["window"]?["id"]?.stringValue, "\(window.text)")
    let refused = try begin(daemon, Self.forcing(9, scope: "game", title: "nightly"))
    #expect(refused.status == 409 && refused.code == "OVERLAP" && refused.pointer == "/games/mine/overrides/lives", "\(refused.text)")
    #expect(refused.text.contains("gameconfctl config reset mine lives --window \(id)") && !refused.text.contains("replace"))
    #expect(refused.json["window"]?["id"] == .string(id))
    #expect(try daemon.control("config", "reset", "mine", "lives", "--window", id).status == 0)
    #expect(try begin(daemon, Self.forcing(9, scope: "game", title: "nightly")).status == 201)
  }

  @Test(
    "two scenarios may override one key for their own players, whose overrides no other change can touch")
  func side() throws {
    let daemon = try mine()
    let one = try #require(begin(daemon, Self.forcing(7)).json["id"]?.stringValue)
    let two = try #require(begin(daemon, Self.forcing(8, title: "two")).json["id"]?.stringValue)
    #expect(try daemon.read("lives", player: "scn-\(one)-x")["value"] == 7)
    #expect(try daemon.read("lives", player: "scn-\(two)-x")["value"] == 8)
    #expect(try daemon.read("lives", player: "x")["value"] == 3)
    #expect(try daemon.put("lives", 4, player: "scn-\(one)-x").code == "HELD_BY_SCENARIO")
    #expect(try daemon.put("title", "mine", player: "scn-\(one)-x").status == 201)
    #expect(try daemon.put("title", "mine", player: "scn-\(one)-%CC%81joined").status == 201)
    #expect(try daemon.put("title", "mine", player: "scn-\(one)-").code == "HELD_BY_SCENARIO")
    for player in ["scn-0123456789ab-x", "scn-\(one)-y"] {
      let visit = try daemon.ask("POST", "/v1/games/mine/players/\(player)/visits")
      #expect(visit.status == (player.contains(one) ? 200 : 409), "\(visit.text)")
    }
    #expect(try daemon.ask("POST", "/v1/games/mine/players/scn-0123456789ab-x/visits").code == "SCENARIO_OVER")
    #expect(try daemon.ask("POST", "/v1/games/mine/players/scn-x/visits").status == 200, "that is no scenario's name")
    let stream = try StreamReader(daemon.gamesSocket, "/v1/games/mine/watch?player=scn-\(one)-x&keys=lives")
    #expect(stream.data()["values"]?["lives"]?["value"] == 7)
    for id in [one, two] { #expect(try daemon.ask("DELETE", "/v1/scenarios/\(id)", admin: true).status == 204) }
    #expect(stream.data()["values"]?["lives"]?["value"] == 3)
    #expect(try daemon.ask("POST", "/v1/games/mine/players/scn-\(one)-y/visits").code == "SCENARIO_OVER")
    #expect(try daemon.overrides().isEmpty)
    let players = try daemon.ask("GET", "/v1/games/mine/players", admin: true).json["players"]?.listValue ?? []
    #expect(players.map { $0["player"] } == ["scn-x"])
  }

  @Test("a scenario with a refused step changes nothing, and names the step")
  func refused() throws {
    let daemon = try RunningDaemon()
    let before = try state(daemon)
    let audited = try daemon.audit(game: "kidsdoku2").count
    func game(_ body: Value) -> Value { ["games": ["kidsdoku2": body]] }
    let subscribe: Value = ["product": "monthly_sub_2"]
    for (body, pointer, code) in [
      (
        game([
          "overrides": ["free_puzzles_per_section": 7], "players": ["a": ["purchases": [subscribe, subscribe, ["product": "monthly"]]]],
        ]),
        "/games/kidsdoku2/players/a/purchases/1", nil
      ),
      (
        game([
          "players": ["a": ["scores": ["lifetime_score": 5], "purchases": [["product": "monthly_sub_2", "then": ["refund", "renew"]]]]]
        ]),
        "/games/kidsdoku2/players/a/purchases/0/then/1", nil
      ),
      (game(["overrides": ["free_puzzles_per_section": 7, "free_puzles": 7]]), "/games/kidsdoku2/overrides/free_puzles", "UNKNOWN_KEY"),
      (game(["overrides": ["free_puzzles_per_section": -1]]), "/games/kidsdoku2/overrides/free_puzzles_per_section", "OUT_OF_RANGE"),
      (game(["flags": ["free_puzzles_per_section": true]]), "/games/kidsdoku2/flags/free_puzzles_per_section", "UNKNOWN_KEY"),
      (game(["milestones": ["nothing": 1]]), "/games/kidsdoku2/milestones/nothing", "UNKNOWN_KEY"),
      (game(["clock": ["advance": "P1M"]]), "/games/kidsdoku2/clock", "MALFORMED_REQUEST"),
      (game(["players": ["a": ["clock": ["advance": "one month"]]]]), "/games/kidsdoku2/players/a/clock/advance", "INVALID_PERIOD"),
      (["games": ["nothing": [:]]], "/games/nothing", "UNKNOWN_GAME"), (["games": [:]], "/games", "MALFORMED_REQUEST"),
      (["games": ["kidsdoku2": [:]], "lease_seconds": 0], "/lease_seconds", "MALFORMED_REQUEST"),
      (["games": ["kidsdoku2": [:]], "scope": "world"], "/scope", "MALFORMED_REQUEST"),
    ] as [(Value, String, String?)] {
      let answer = try begin(daemon, body)
      #expect((400...499).contains(answer.status) && answer.pointer == pointer, "\(answer.status) \(answer.text)")
      if let code { #expect(answer.code == code, "\(answer.text)") }
      #expect(try state(daemon) == before)
    }
    #expect(try daemon.audit(game: "kidsdoku2").count == audited)
    let dry = try begin(daemon, game(["overrides": ["free_puzzles_per_section": 7]]), query: "?dry_run=true")
    #expect(dry.status == 200 && dry.json["steps"]?.listValue?.count == 1)
    #expect(try state(daemon) == before)
  }

  @Test("beginning a scenario again with its Idempotency-Key begins no second one; other content with that key is refused")
  func repeated() throws {
    let daemon = try mine()
    let key = ["Idempotency-Key": "begin-1"]
    let first = try daemon.ask("POST", "/v1/scenarios", body: Self.forcing(7), headers: key, admin: true)
    #expect(first.status == 201 && first.headers["gameconf-repeated"] == nil)
    let again = try daemon.ask("POST", "/v1/scenarios", body: Self.forcing(7), headers: key, admin: true)
    #expect(again.status == 201 && again.json == first.json && again.headers["gameconf-repeated"] == "true")
    #expect(try daemon.ask("GET", "/v1/scenarios", admin: true).json["scenarios"]?.listValue?.count == 1)
    let other = try daemon.ask("POST", "/v1/scenarios", body: Self.forcing(8), headers: key, admin: true)
    #expect(other.status == 422 && other.code == "ID_REUSED", "\(other)")
    try daemon.restart()
    let later = try daemon.ask("POST", "/v1/scenarios", body: Self.forcing(7), headers: key, admin: true)
    #expect(later.status == 201 && later.json == first.json)
  }

  @Test("a user's ninth scenario is refused")
  func many() throws {
    let daemon = try mine()
    for _ in 1...8 { #expect(try begin(daemon, Self.forcing(7)).status == 201) }
    let over = try begin(daemon, Self.forcing(7))
    #expect(over.status == 409 && over.code == "LIMIT_REACHED")
  }

  @Test("gameconfctl scenario check lists the changes of a file, and its faults by line and column")
  func check() throws {
    let daemon = try RunningDaemon()
    try daemon.folder.write(Self.file, to: "grace.yaml")
    let ending = try daemon.control("scenario", "check", daemon.folder.path + "/grace.yaml")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("kidsdoku2\tits players\tvalue\tfree_puzzles_per_section\t7\n"), "\(ending.output)")
    #expect(ending.output.contains("kidsdoku2\tsubscriber\tbilling_retry\tmonthly_sub_2\tsuccess\n"), "\(ending.output)")
    #expect(try daemon.overrides(game: "kidsdoku2").isEmpty)
    for (from, to, place) in [
      ("free_puzzles_per_section: 7", "free_puzzles_per_section: seven", ":6:33: "), ("billing_retry", "billing_retri", ":11:45: "),
      ("scenario: 1", "scenario: 2", ":1:11: "), ("title: grace period", "titel: grace period", ":2:"), ("forest: 10", "forst: 10", ":14:"),
    ] {
      try daemon.folder.write(Self.file.replacing(from, with: to), to: "wrong.yaml")
      let answer = try daemon.control("scenario", "check", daemon.folder.path + "/wrong.yaml")
      #expect(answer.status != 0 && answer.errors.contains("wrong.yaml" + place), "\(to): \(answer.errors)")
    }
    try daemon.folder.write(Self.file + "\n#" + String(repeating: "x", count: 4 << 20), to: "large.yaml")
    let large = try daemon.control("scenario", "check", daemon.folder.path + "/large.yaml")
    #expect(large.status != 0 && large.errors.contains("4 MiB") && !large.errors.contains("catalog"), "\(large.errors)")
  }
}
