// The messages about changes in force: lists, conflicting windows, reset clocks and players.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Testing

@testable import gameconfctl

@Suite("The list of changes in words")
struct ChangedWordsTests {
  private static func changes(_ change: (inout ChangedThing) -> Void) -> ChangesAnswer {
    var thing = ChangedThing("override", key: "speed", value: 5.0)
    thing.author = Sample.author
    thing.at = Instant(seconds: 60)
    change(&thing)
    return ChangesAnswer(game: "g", revision: 7, changes: [thing])
  }

  private func shown(_ answer: ChangesAnswer, now: Int64 = 60, isTerminal: Bool = true, long: Bool = false) async -> String {
    let daemon = RecordedDaemon(["GET /v1/games/g/changes": .json(answer)])
    return await run(
      ["config", "changes", "g"] + (long ? ["--long"] : []), admin: daemon, isTerminal: isTerminal, width: 120, now: Instant(seconds: now)
    ).out
  }

  private static func status(_ now: Int64) -> StatusAnswer {
    StatusAnswer(
      version: "1", pid: 2, startedAt: Instant(seconds: 0), clock: StatusClock(now: Instant(seconds: now), isFrozen: true), games: [],
      sockets: [])
  }

  @Test("a list shows if each change is in force, to come, hidden by a window or in quarantine, with its times relative to now")
  func states() async {
    let toCome = Self.changes { thing in
      thing.isInForce = false
      thing.from = Instant(seconds: 3660)
      thing.until = Instant(seconds: 7260)
      thing.reason = "spring"
    }
    #expect(
      await shown(toCome) == """
        WHAT      KEY    VALUE  STATE    FROM    UNTIL   BY   AT        REASON
        override  speed  5.0    to come  in 1 h  in 2 h  ada  just now  spring

        """)
    #expect(
      await shown(toCome, isTerminal: false).hasPrefix("override\tspeed\t5.0\tto come\t1970-01-01T01:01:00Z\t1970-01-01T02:01:00Z\tada\t"))
    #expect(await shown(Self.changes { $0.isInForce = false }).contains("below a window"))
    #expect(await shown(Self.changes { _ in }).contains("in force"))
    let quarantined = Self.changes { thing in
      thing.isInForce = false
      thing.detail = "in quarantine: the catalog does not admit it"
    }
    #expect(await shown(quarantined).contains("in quarantine"))
  }

  @Test("overrides of players are counted below the game's changes, with the command that lists them")
  func ofPlayers() async {
    func outcome(_ count: Int64, _ arguments: String...) async -> RunResult {
      let answer = Response.json(ChangesAnswer(game: "g", revision: 7, changes: [], playerOverrides: count))
      let daemon = RecordedDaemon(["GET /v1/games/g/changes": answer, "GET /v1/games/g/changes?players=all": answer])
      return await run(["config", "changes", "g"] + arguments, admin: daemon, isTerminal: true)
    }
    let hint = "“gameconfctl config changes g --players” lists them\n"
    let some = await outcome(2)
    #expect(some == RunResult(status: 0, out: "nothing is changed for the game as a whole\n", err: "players have 2 overrides: \(hint)"))
    #expect(await outcome(1).err == "players have 1 override: \(hint)")
    #expect(await outcome(0) == RunResult(status: 0, out: "nothing is changed for the game\n", err: ""))
    #expect(await outcome(2, "--players").err.isEmpty)
  }

  @Test("config changes --player lists only that player's changes, and is refused together with --players")
  func ofPlayer() async {
    let answer = ChangesAnswer(game: "g", player: "p1", revision: 7, changes: [ChangedThing("override", key: "speed", player: "p1")])
    let daemon = RecordedDaemon(["GET /v1/games/g/players/p1/changes": .json(answer)])
    let shown = await run("config", "changes", "g", "--player", "p1", admin: daemon)
    #expect(shown.status == 0 && shown.out.hasPrefix("override\tspeed\t") && daemon.calls == ["GET /v1/games/g/players/p1/changes"])
    #expect(await run("config", "changes", "g", "--player", "p1", "--players", admin: daemon).status == 2)
  }

  @Test("a change by a scenario names the scenario, and ends with the scenario's lease instead of its window")
  func scenario() async {
    let held = Self.changes { thing in
      thing.until = Instant(seconds: 86_460)
      thing.scenario = WireScenario(
        id: "0123456789ab", title: "night\u{202E}ly", prefix: "scn-0123456789ab-", author: Sample.author, startedAt: Instant(seconds: 60),
        leaseUntil: Instant(seconds: 118), leaseSeconds: 60, endsAt: Instant(seconds: 86_460))
    }
    #expect(
      await shown(held) == #"""
        WHAT      KEY    VALUE  STATE     FROM  UNTIL    BY   AT        REASON  SCENARIO
        override  speed  5.0    in force  -     in 58 s  ada  just now  -       “night\u{202E}ly” (0123456789ab)

        """#)
  }

  @Test("a terminal shows a change of scores in words, and an override's value as JSON; a pipe gets both as JSON")
  func words() async {
    let scores: Value = ["lifetime_score": 55, "best_scores": [:], "by_mode": ["classic": 3]]
    let done = Self.changes { thing in
      thing.what = "player.scores"
      thing.value = scores
    }
    #expect(await shown(done, long: true).contains("lifetime_score 55, by_mode (classic 3)"))
    #expect(await shown(done, isTerminal: false).contains(#"{"lifetime_score":55,"best_scores":{},"by_mode":{"classic":3}}"#))
    #expect(await shown(Self.changes { $0.value = ["x": 1] }).contains(#"{"x":1}"#))
  }

  @Test("the digest of a forgotten player's id is shortened, and any other id is shown whole")
  func digests() {
    let digest = "sha256:" + String(repeating: "0a", count: 32)
    #expect(AuditTable.short(digest) == "sha256:0a0a0a0a0a0a…")
    for id in ["sha256:0a", "sha256:" + String(repeating: "z", count: 64), "p1"] { #expect(AuditTable.short(id) == id) }
  }

  @Test("a simulated clock shows day and minute on a terminal, and RFC 3339 in a pipe and with --long")
  func clock() async {
    let moved = Self.changes { thing in
      thing.what = "clock"
      thing.key = nil
      thing.value = "2027-01-22T17:13:34.764Z"
    }
    let short = await shown(moved)
    let piped = await shown(moved, isTerminal: false)
    let long = await shown(moved, long: true)
    #expect(short.contains("2027-01-22 17:13 "), "\(short)")
    #expect(piped.contains("2027-01-22T17:13:34.764Z"))
    #expect(long.contains("2027-01-22T17:13:34.764Z"))
  }

  @Test(
    "the refusal of a window that conflicts names the commands that help, and with --json stays as the daemon sent it",
    arguments: [
      (
        [], 60,
        "it holds until 1970-01-01T02:00:00Z. --replace ends it if it is your own, --replace --window w2 ends it even if it is not, or"
      ),
      (
        [], 0,
        "it is to come, from 1970-01-01T00:01:00Z until 1970-01-01T02:00:00Z. “gameconfctl config reset g speed --window w2” removes it"
      ),
      (["--replace"], 60, "It is another user's: --replace --window w2 ends it, or “gameconfctl config reset"),
    ] as [([String], Int64, String)])
  func overlap(more: [String], now: Int64, words: String) async {
    let span: Value = ["id": "w2", "from": "1970-01-01T00:01:00Z", "until": "1970-01-01T02:00:00Z"]
    let problem = Problem(.overlap, "The window overlaps w2.", extensions: ObjectValue([("window", span)]))
    let status = Self.status(now)
    let answers = [
      "GET /v1/games/g/config/speed": Response.json(Sample.value()), "GET /v1/status": .json(status),
      "PUT /v1/games/g/overrides/speed": .problem(problem), "PUT /v1/games/g/overrides/speed?replace=true": .problem(problem),
    ]
    let arguments = ["config", "set", "g", "speed", "4", "--for", "1h"] + more
    let outcome = await run(arguments, admin: RecordedDaemon(answers), now: Instant(seconds: now))
    #expect(outcome.status == 6)
    #expect(outcome.err.contains("Window w2 is in the way: ") && outcome.err.contains(words), "\(outcome.err)")
    let asJSON = await run(arguments + ["--json"], admin: RecordedDaemon(answers), now: Instant(seconds: now))
    #expect(asJSON.err.contains("The window overlaps w2.") && !asJSON.err.contains("--replace"))
  }

  /// Returns the heading of a player of whom no game has reported anything.
  private func heading(changes: [ChangedThing]) async -> String {
    var page = PlayerSample.page
    page.createdAt = nil
    page.changedAt = nil
    let daemon = RecordedDaemon([
      "GET /v1/games/g/players/p1?history=0": .json(page),
      "GET /v1/games/g/players/p1/changes": .json(ChangesAnswer(game: "g", player: "p1", revision: 7, changes: changes)),
    ])
    return await run("player", "show", "g", "p1", admin: daemon, isTerminal: true).out
  }

  @Test("player show does not say that a player is unknown if only admins have changed the player")
  func touched() async {
    let touched = await heading(changes: [ChangedThing("iap.purchase", key: "1", value: "premium")])
    #expect(touched.contains("no game has sent anything about this player yet") && !touched.contains("nothing is known"))
    // After a restore an unknown player has a revision too.
    #expect(await heading(changes: []).contains("this player is unknown"))
  }

  @Test("the message about a reset of the game's clock is wrapped between words")
  func resetWords() async {
    let answer = ClockResetAnswer(
      game: "g", nowBefore: Instant(seconds: 5_000_000), now: Instant(seconds: 5), players: 2, transactions: 1, plays: 0, isDryRun: true)
    let daemon = RecordedDaemon(["DELETE /v1/games/g/clock?dry_run=true": .json(answer)])
    let outcome = await run("iap", "clock", "g", "reset", "--dry-run", admin: daemon, isTerminal: true, width: 60)
    #expect(outcome.out.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(outcome)")
    #expect(outcome.out.contains("1 simulated") && outcome.out.contains("2 players"))
  }

  @Test("audit list --since with a duration counts back from the daemon's clock")
  func ago() async {
    let daemon = RecordedDaemon([
      "GET /v1/status": .json(Self.status(7200)),
      "GET /v1/audit?limit=50&since=1970-01-01T01%3A00%3A00Z": .json(AuditList(entries: [])),
      "GET /v1/audit?limit=50&until=1970-01-02T00%3A00%3A00Z": .json(AuditList(entries: [])),
    ])
    #expect(await run("audit", "list", "--since", "1h", admin: daemon) == RunResult(status: 0, out: "", err: ""))
    #expect(await run("audit", "list", "--until", "1970-01-02T00:00:00Z", admin: daemon).status == 0)
    let wrong = await run("audit", "list", "--since", "someday", admin: daemon)
    #expect(wrong.status == 2 && wrong.err.contains("--since: “someday” is not a time") && wrong.err.contains("2h"))
  }
}
