// Commands against recorded responses: their requests, output and exit status.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Testing

@testable import gameconfctl

@Suite("Commands that read")
struct ReadingCommandTests {
  @Test("the games command lists ids, titles, revisions and degradations")
  func games() async {
    let daemon = RecordedDaemon([
      "GET /v1/games": .json(
        GamesAnswer(games: [
          GameSummary(game: "a", title: "A", revision: 3),
          GameSummary(game: "b", title: "B", revision: 4, degraded: [Degradation(what: "catalog")]),
        ]))
    ])
    #expect(await run("games", admin: daemon) == RunResult(status: 0, out: "a\tA\t3\tok\nb\tB\t4\tdegraded: catalog\n", err: ""))
  }

  @Test("config get prints the bare value, and notes that it is overridden")
  func get() async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/config/speed": .json(Sample.value()),
      "GET /v1/games/g/config/speed?player=p%2F1": .json(Sample.value("speed", 4.0, source: "override.player")),
    ])
    #expect(await run("config", "get", "g", "speed", admin: daemon) == RunResult(status: 0, out: "2.5\n", err: ""))
    #expect(
      await run("config", "get", "g", "speed", "--player", "p/1", admin: daemon)
        == RunResult(status: 0, out: "4.0\n", err: "speed is overridden (override.player)\n"))
  }

  @Test("config get --context sends the attributes and the locale in the request's body")
  func context() async {
    let daemon = RecordedDaemon(["POST /v1/games/g/config/speed": .json(Sample.value())])
    let outcome = await run(
      "config", "get", "g", "speed", "--context", #"{"platform": "ios"}"#, "--locale", "fr", "--player", "p", admin: daemon)
    #expect(outcome.out == "2.5\n")
    #expect(daemon.changes.map(\.body) == [["player": "p", "context": ["platform": "ios", "locale": "fr"]]])
  }

  @Test("--json prints the daemon's response with all members, even unknown ones")
  func json() async throws {
    let answer: Value = ["games": [["game": "a", "title": "A", "revision": 3, "later": [1.0]]]]
    let daemon = RecordedDaemon(["GET /v1/games": Response(head: ResponseHead(status: 200), body: JSONWriter.bytes(answer))])
    let outcome = await run("games", "--json", admin: daemon)
    #expect(try JSONReader.value(from: outcome.out) == answer)
  }

  @Test(
    "the health command exits with 7 when the daemon is degraded",
    arguments: [
      (HealthAnswer(status: .ready), Int32(0)),
      (HealthAnswer(status: .degraded, degraded: [Degradation(game: "g", what: "catalog", detail: "bad\u{1B}")]), 7),
    ] as [(HealthAnswer, Int32)])
  func health(answer: HealthAnswer, status: Int32) async {
    let outcome = await run("health", admin: RecordedDaemon(["GET /health/ready": .json(answer)]))
    #expect(outcome.status == status)
    #expect(!outcome.out.contains("\u{1B}"))
  }

  @Test("the status command prints games, kill switches, sockets and faults in lines that begin with the table's name")
  func status() async {
    let status = StatusAnswer(
      version: "1", pid: 2, startedAt: Instant(seconds: 0), clock: StatusClock(now: Instant(seconds: 1), isFrozen: true),
      games: [
        StatusGame(
          game: "g", title: "G", revision: 3, degraded: [Degradation(game: "g", what: "catalog", detail: "g.yaml:1:1: empty")], keys: 4,
          killSwitches: [StatusKillSwitch(key: "k", isOn: false, source: "override.game")])
      ],
      sockets: [StatusSocket(kind: "games", path: "/run/g", origin: "systemd", connections: 2, isOpen: true)],
      limits: ObjectValue([("body_bytes", 1)]), degraded: [Degradation(game: "g", what: "catalog", detail: "g.yaml:1:1: empty")])
    let daemon = RecordedDaemon(["GET /v1/status": .json(status)])
    let outcome = await run("status", admin: daemon)
    let lines = outcome.out.split(separator: "\n").map(String.init)
    #expect(lines.contains("degraded\tg\tcatalog\t-\tg.yaml:1:1: empty"))
    #expect(lines.contains("kill switches\tg\tk\toff\toverride.game"))
    #expect(lines.contains("sockets\tgames\t/run/g\tsystemd\t2\teveryone"))
    #expect(lines.contains("daemon\tclock\t1970-01-01T00:00:01Z (frozen)"))
    #expect(!outcome.out.contains("body_bytes"))
    #expect(await run("status", "--all", admin: daemon).out.contains("limits\tbody_bytes\t1"))
  }

  @Test("themes milestone prints one theme's threshold, or a hyphen if it has none; without a theme it prints the table of all themes")
  func milestones() async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/catalog": .json(Sample.catalog),
      "GET /v1/games/g/config/forest_at": .json(Sample.value("forest_at", 50, type: "integer")),
      "GET /v1/games/g/config?detail=full": .json(
        ConfigAnswer(
          game: "g", revision: 7, values: .full([Sample.value("forest_at", 40, type: "integer", source: "override.game", isListed: true)]))),
    ])
    #expect(await run("themes", "milestone", "g", "forest", admin: daemon).out == "50\n")
    #expect(await run("themes", "milestone", "g", "aurora", admin: daemon).out == "-\n")
    #expect(await run("themes", "milestone", "g", "ten", admin: daemon).out == "10\n")
    #expect(
      await run("themes", "milestone", "g", admin: daemon).out
        == "neon\t-\tfree\t-\nforest\t40\tmilestone forest\tforest_at\nten\t10\tmilestone ten\t-\naurora\t-\tentitlement theme.aurora\t-\n"
    )
    let unknown = await run("themes", "milestone", "g", "forst", admin: daemon)
    #expect(unknown.status == 5)
    #expect(unknown.err.contains("Did you mean “forest”?"))
  }
}

@Suite("Commands that change")
struct ChangingCommandTests {
  @Test("config set parses the value by the declared type and prints the former value")
  func set() async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/config/speed": .json(Sample.value()), "PUT /v1/games/g/overrides/speed": .json(Sample.override("speed", 4.0)),
    ])
    let outcome = await run("config", "set", "g", "speed", "4", "--reason", "too hard", "--idempotency-key", "i1", admin: daemon)
    #expect(outcome == RunResult(status: 0, out: "speed is overridden with 4.0 for the game, was 2.5 (default); revision 8\n", err: ""))
    let put = daemon.changes.last
    #expect(put?.body == ["value": 4.0, "reason": "too hard"])
    #expect(put?.headers == ["Idempotency-Key": "i1"])
  }

  @Test("config set --for counts from the daemon's clock, and --dry-run says that nothing was changed")
  func window() async {
    let status = StatusAnswer(
      version: "1", pid: 2, startedAt: Instant(seconds: 0), clock: StatusClock(now: Instant(seconds: 1000), isFrozen: true), games: [],
      sockets: [])
    let window = WireWindow(id: "w1", from: Instant(seconds: 1000), until: Instant(seconds: 8200))
    let daemon = RecordedDaemon([
      "GET /v1/status": .json(status), "GET /v1/games/g/config/speed?player=p": .json(Sample.value()),
      "PUT /v1/games/g/players/p/overrides/speed?dry_run=true": .json(
        Sample.override("speed", 4.0, player: "p", window: window), status: 201),
    ])
    let outcome = await run("config", "set", "g", "speed", "4", "--player", "p", "--for", "2h", "--dry-run", admin: daemon)
    #expect(daemon.changes.last?.body == ["value": 4.0, "until": "1970-01-01T02:16:40Z"])
    #expect(
      outcome.out
        == "nothing was changed; without --dry-run: speed is overridden with 4.0 for player p from 1970-01-01T00:16:40Z until 1970-01-01T02:16:40Z (window w1), was 2.5 (default); revision 8\n"
    )
  }

  @Test(
    "a refusal by the daemon is printed with its code, and its kind determines the exit status",
    arguments: [
      (ProblemCode.outOfRange, Int32(1)), (.constraintViolated, 1), (.adminOnly, 4), (.unknownKey, 5), (.overlap, 6), (.revisionChanged, 6),
      (.storeUnavailable, 7), (.storeLate, 7), (.noSpace, 7), (.outcomeUnknown, 7), (.storeElsewhere, 6),
    ] as [(ProblemCode, Int32)])
  func refused(code: ProblemCode, status: Int32) async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/config/speed": .json(Sample.value()),
      "PUT /v1/games/g/overrides/speed": .problem(
        Problem(code, "It must be from 0.5 to 10.\u{1B}", pointer: "/value", errors: [.init(nil, "more", pointer: "/x")])),
    ])
    let outcome = await run("config", "set", "g", "speed", "99", admin: daemon)
    #expect(outcome.status == status)
    #expect(outcome.out == "")
    let words =
      code == .adminOnly
      ? "--socket names the games socket, which does not serve this call. Leave it out, or name the admin socket."
      : "It must be from 0.5 to 10.\\u{1B}"
    #expect(outcome.err == "gameconfctl: \(words) [\(code.rawValue)]\n  /x: more\n")
  }

  @Test("config set takes the type of a secret key from the catalog")
  func secret() async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/config/forest_at": .problem(Problem(.secretKey, "secret")), "GET /v1/games/g/catalog": .json(Sample.catalog),
      "PUT /v1/games/g/overrides/forest_at": .json(Sample.override("forest_at", 5)),
    ])
    #expect(await run("config", "set", "g", "forest_at", "5", admin: daemon).status == 0)
    #expect(daemon.changes.last?.body == ["value": 5])
  }

  @Test("config unset prints the value that is in force again")
  func unset() async {
    let daemon = RecordedDaemon([
      "DELETE /v1/games/g/overrides/speed?reason=done": .noContent(revision: 9), "GET /v1/games/g/config/speed": .json(Sample.value()),
      "DELETE /v1/games/g/overrides/speed?dry_run=true&window=w1": .json(ClearAnswer(game: "g", revision: 8, cleared: 1, isDryRun: true)),
    ])
    #expect(
      await run("config", "reset", "g", "speed", "--reason", "done", admin: daemon).out
        == "speed is 2.5 for the game (default); revision 9\n")
    #expect(
      await run("config", "unset", "g", "speed", "--window", "w1", "--dry-run", admin: daemon).out
        == "nothing was changed; without --dry-run: 1 override of speed for the game is removed\n")
  }

  @Test("config reset reports that nothing was overridden, and names similar players")
  func nothingToReset() async {
    let none = Response.json(OverrideList(game: "g", revision: 7, overrides: []))
    let known = PlayersList(
      game: "g", players: [PlayerSummary(player: "james", playerRevision: 1, lifetimeScore: 0, gamesPlayed: 0, visits: 0)])
    let window = WireOverride(
      key: "speed", value: 5.0, window: WireWindow(id: "w2", from: Instant(seconds: 0), until: Instant(seconds: 9)), author: Sample.author,
      at: Instant(seconds: 0), revision: 1)
    let daemon = RecordedDaemon([
      "GET /v1/games/g/overrides/speed": .json(OverrideList(game: "g", revision: 7, overrides: [window])),
      "DELETE /v1/games/g/overrides/speed?window=w1": .noContent(revision: 7),
      "DELETE /v1/games/g/overrides/speed?dry_run=true": .json(ClearAnswer(game: "g", revision: 8, cleared: 0, isDryRun: true)),
      "GET /v1/games/g/config/speed": .json(Sample.value()), "GET /v1/games/g/config/speed?player=jame": .json(Sample.value()),
      "GET /v1/games/g/players/jame/overrides/speed": none, "DELETE /v1/games/g/players/jame/overrides/speed": .noContent(revision: 7),
      "GET /v1/games/g/players?limit=500": .json(known),
    ])
    #expect(
      await run("config", "reset", "g", "speed", "--window", "w1", admin: daemon).out
        == "nothing was removed: speed has no window w1 for the game; it is 2.5 for the game (default)\n")
    #expect(
      await run("config", "reset", "g", "speed", "--player", "jame", admin: daemon)
        == RunResult(
          status: 0, out: "nothing was removed: speed is not overridden for player jame; it is 2.5 for player jame (default)\n",
          err: "nothing is known of player jame in g. Did you mean “james”?\n"))
    #expect(
      await run("config", "reset", "g", "speed", "--dry-run", admin: daemon).out
        == "nothing was removed: speed is not overridden for the game\n")
  }

  @Test("the games command lists a game that is not served, and names the command that shows the reason")
  func unserved() async {
    let faulty = UnservedGameAnswer(game: "b", details: ["d/b.yaml:5:3: no"], faultyFile: "d/b.yaml")
    let answer = GamesAnswer(
      games: [GameSummary(game: "a", title: "A", revision: 1)], unserved: [faulty, UnservedGameAnswer(game: "c", details: ["waits"])])
    #expect(
      await run("games", admin: RecordedDaemon(["GET /v1/games": .json(answer)])).out
        == "a\tA\t1\tok\nb\t-\t-\tnot served: “gameconfctl catalog validate d/b.yaml” says why\nc\t-\t-\tnot served: waits\n")
    let status = StatusAnswer(
      version: "1", pid: 2, startedAt: Instant(seconds: 0), clock: StatusClock(now: Instant(seconds: 1), isFrozen: true), games: [],
      unserved: [faulty], sockets: [],
      degraded: [Degradation(game: "b", what: "not_served", code: "not_served", detail: "d/b.yaml:5:3: no")])
    let page = await run("status", admin: RecordedDaemon(["GET /v1/status": .json(status)])).out
    #expect(page.contains("games\tb\t-\t-\t-\t-\t-\t-\tnot served\n"))
    #expect(page.contains("degraded\tb\tnot_served\t-\td/b.yaml:5:3: no\n"))
  }

  @Test("config clear asks a person, refuses a program without --yes, and changes nothing after the answer no")
  func clear() async {
    let answers = ["POST /v1/games/g/overrides/clear": Response.json(ClearAnswer(game: "g", revision: 9, cleared: 2))]
    let program = RecordedDaemon(answers)
    #expect(await run("config", "clear", "g", admin: program).status == 2)
    let no = await run("config", "clear", "g", admin: program, isTerminal: true, answering: ["n"])
    #expect(no.status == 1)
    #expect(program.calls.isEmpty)
    let person = RecordedDaemon(answers)
    #expect(
      await run("config", "clear", "g", "--players", admin: person, isTerminal: true, answering: ["yes"]).out
        == "2 overrides are removed; revision 9\n")
    #expect(await run("config", "clear", "g", "--player", "p", "--yes", admin: person).status == 0)
    #expect(person.changes.map(\.body) == [["scope": "players"], ["scope": "player", "player": "p"]])
  }

  @Test("flags on and flags off change only keys that are flags")
  func flags() async {
    let one = { (value: ValueAnswer) in Response.json(ConfigAnswer(game: "g", revision: 7, values: .full([value]))) }
    let daemon = RecordedDaemon([
      "GET /v1/games/g/config?detail=full": .json(Sample.config),
      "GET /v1/games/g/config?keys=sound&detail=full": one(Sample.value("sound", true, type: "boolean", flag: "ops", isListed: true)),
      "GET /v1/games/g/config?keys=speed&detail=full": one(Sample.value(isListed: true)),
      "PUT /v1/games/g/overrides/sound": .json(Sample.override("sound", false)),
    ])
    #expect(
      await run("flags", "off", "g", "sound", admin: daemon).out
        == "sound is overridden with off for the game, was on (default); revision 8\n")
    #expect(daemon.changes.last?.body == ["value": false])
    #expect(await run("flags", "on", "g", "speed", admin: daemon).status == 1)
    #expect(await run("flags", "list", "g", admin: daemon).out == "sound\ton\tkill_switch\toverride.game\tAbout sound.\n")
  }

  @Test("flags reset without a flag's name removes only the overrides of flags, for the game or the player")
  func flagsReset() async {
    let record = { (key: String, player: String?) in
      WireOverride(key: key, player: player, value: true, author: Sample.author, at: Instant(seconds: 0), revision: 1)
    }
    let daemon = RecordedDaemon([
      "GET /v1/games/g/config?detail=full": .json(Sample.config),
      "GET /v1/games/g/overrides": .json(
        OverrideList(game: "g", revision: 7, overrides: [record("sound", nil), record("speed", nil), record("sound", "p")])),
      "DELETE /v1/games/g/overrides/sound": .noContent(revision: 8), "GET /v1/games/g/config/sound": .json(Sample.value("sound", true)),
    ])
    #expect(await run("flags", "reset", "g", "--yes", admin: daemon).status == 0)
    #expect(daemon.calls.filter { $0.hasPrefix("DELETE") } == ["DELETE /v1/games/g/overrides/sound"])
  }

  @Test("themes milestone overrides the parameter behind the milestone, and is refused if there is no parameter")
  func milestone() async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/catalog": .json(Sample.catalog),
      "GET /v1/games/g/config/forest_at": .json(Sample.value("forest_at", 50, type: "integer")),
      "PUT /v1/games/g/overrides/forest_at": .json(Sample.override("forest_at", 40)),
    ])
    #expect(await run("themes", "milestone", "g", "forest", "40", admin: daemon).status == 0)
    #expect(daemon.changes.last?.body == ["value": 40])
    for theme in ["neon", "aurora", "ten"] { #expect(await run("themes", "milestone", "g", theme, "40", admin: daemon).status == 1) }
  }

  @Test("audit revert prints the restored value, also with --force")
  func revert() async {
    let entry = AuditEntry(
      id: 10, at: Instant(seconds: 0), author: Sample.author, action: "override.reverted", game: "g", key: "speed", after: 2.5, revision: 9,
      reverts: 4)
    let daemon = RecordedDaemon([
      "POST /v1/games/g/audit/4/revert": .problem(Problem(.changedSince, "speed was changed by entry 6.")),
      "POST /v1/games/g/audit/4/revert?force=true": .json(RevertAnswer(revision: 9, entry: entry)),
    ])
    #expect(await run("audit", "revert", "g", "4", admin: daemon).status == 6)
    #expect(await run("audit", "revert", "g", "4", "--force", admin: daemon).out == "speed is overridden with 2.5 again; revision 9\n")
  }

  @Test("reload notes that the reason is not in the audit log if no catalog has changed")
  func reasonOfNothing() async {
    for (outcome, isLost) in [(ReloadedGame.Outcome.unchanged, true), (.changed, false)] {
      let answer = ReloadAnswer(games: [ReloadedGame(game: "a", outcome: outcome, revision: 4)])
      let reloaded = await run("reload", "--reason", "faster", admin: RecordedDaemon(["POST /v1/reload": .json(answer)]))
      #expect(reloaded.status == 0 && reloaded.err.contains("no catalog has changed") == isLost, "\(reloaded)")
      let silent = await run("reload", admin: RecordedDaemon(["POST /v1/reload": .json(answer)]))
      #expect(silent.err.isEmpty, "\(silent)")
    }
  }

  @Test("reload prints every fault, and exits with 7 if a catalog is invalid")
  func reload() async {
    let answer = ReloadAnswer(games: [
      ReloadedGame(game: "a", outcome: .changed, revision: 4),
      ReloadedGame(game: "b", outcome: .degraded, revision: 2, faults: ["b.yaml:1:2: bad", "b.yaml:3:4: worse"]),
    ])
    let outcome = await run("reload", admin: RecordedDaemon(["POST /v1/reload": .json(answer)]))
    #expect(outcome == RunResult(status: 7, out: "a\tchanged\t4\t0\nb\tdegraded\t2\t2\n", err: "b.yaml:1:2: bad\nb.yaml:3:4: worse\n"))
  }
}

@Suite("Reaching the daemon")
struct ReachingTests {
  @Test("without a daemon a command lists the sockets that it tried and the ways to start a daemon")
  func noDaemon() async {
    let outcome = await run(
      "games", admin: RecordedDaemon(failure: .noSocket(path: "/run/a")), games: RecordedDaemon(failure: .refused(path: "/run/g")))
    #expect(outcome.status == 3)
    for word in ["/run/a", "/run/g", "systemctl start gameconfd", "make run", "GAMECONF_SOCKET"] { #expect(outcome.err.contains(word)) }
  }

  @Test(
    "a read tries the games socket if the admin socket is absent, closed or refuses the user",
    arguments: [
      RecordedDaemon(failure: .noSocket(path: "/run/a")), RecordedDaemon(failure: .permissionDenied(path: "/run/a")),
      RecordedDaemon(["GET /v1/games": .problem(Problem(.notPermitted, "no role"))]),
    ])
  func fallback(admin: RecordedDaemon) async {
    let games = RecordedDaemon(["GET /v1/games": .json(GamesAnswer(games: [GameSummary(game: "a", title: "A", revision: 1)]))])
    #expect(await run("games", admin: admin, games: games).out == "a\tA\t1\tok\n")
  }

  @Test(
    "a change is never sent to the games socket",
    arguments: [
      (RecordedDaemon(failure: .noSocket(path: "/run/a")), Int32(3)), (RecordedDaemon(failure: .permissionDenied(path: "/run/a")), 4),
      (RecordedDaemon(["POST /v1/reload": .problem(Problem(.notPermitted, "no role"))]), 4),
    ] as [(RecordedDaemon, Int32)])
  func changes(admin: RecordedDaemon, status: Int32) async {
    let games = RecordedDaemon()
    #expect(await run("reload", admin: admin, games: games).status == status)
    #expect(games.calls.isEmpty)
  }

  @Test("the refusal of an unknown key is not followed by a request on the games socket")
  func notFound() async {
    let admin = RecordedDaemon(["GET /v1/games/g/config/x": .problem(Problem(.unknownKey, "no x"))])
    let games = RecordedDaemon()
    #expect(await run("config", "get", "g", "x", admin: admin, games: games).status == 5)
    #expect(games.calls.isEmpty)
  }

  @Test("a response that is not gameconfd's is reported as unexpected")
  func strange() async {
    let outcome = await run(
      "games", admin: RecordedDaemon(["GET /v1/games": Response(head: ResponseHead(status: 200), body: Array("<html>".utf8))]))
    #expect(outcome.status == 3)
    let failed = await run(
      "games", admin: RecordedDaemon(["GET /v1/games": Response(head: ResponseHead(status: 502), body: Array("<html>".utf8))]))
    #expect(failed.status == 7)
  }

  @Test(
    "an invalid command line exits with 2, and --help exits with 0",
    arguments: [
      (["bogus"], Int32(2)), (["config", "get", "g"], 2), (["config", "set", "g", "k"], 2), (["config", "--help"], 0), (["--version"], 0),
      (["config", "watch", "g", "--interval", "0"], 2),
    ] as [([String], Int32)])
  func usage(arguments: [String], status: Int32) async {
    #expect(await Console.$current.withValue(nil) { await GameConfCtl.run(arguments) } == status)
  }
}
