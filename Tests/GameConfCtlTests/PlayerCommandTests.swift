// Commands about players, themes and ads against recorded responses: requests, output and exit status.

import GameConfAPI
import GameConfCore
import Testing

@testable import gameconfctl

enum PlayerSample {
  static let unlocked = WireUnlocked(
    milestones: ["forest": WireUnlockedItem(name: nil)], achievements: ["first_dot": WireUnlockedItem(name: "First dot")],
    themes: ["forest": WireUnlockedItem(name: "Forest")])
  static let counters = AdCounters(events: 2, every: 3, showsInVisit: 1, showsEver: 4)
  static let ad = AdStatusAnswer(
    placement: "game_over", format: "interstitial", event: "game_over", wouldShow: true, counters: counters, next: WireAdNext(events: 1))
  static let themes = [
    ThemeAnswer(theme: "neon", name: "Neon", kind: .free, isUnlocked: true),
    ThemeAnswer(
      theme: "ocean", name: "Ocean", kind: .milestone, by: "ocean", isUnlocked: false, milestone: 200,
      progress: WireProgress(value: 55, target: 200, isUnlocked: false)),
    ThemeAnswer(
      theme: "aurora", name: "Aurora\u{1B}", kind: .entitlement, by: "theme.aurora", unlocksWith: ["aurora", "everything\u{1B}"],
      isUnlocked: false),
  ]
  static let settings = [
    SettingAnswer(key: "sound", value: false, effective: true, source: "override.game", shadowedBy: "override.game"),
    SettingAnswer(key: "haptics", value: nil, effective: true, source: "default"),
  ]
  static let page = PlayerAnswer(
    game: "g", player: "p1", revision: 7, playerRevision: 3, createdAt: Instant(seconds: 1), changedAt: Instant(seconds: 2),
    now: Instant(seconds: 3), scores: WireScores(lifetimeScore: 55, gamesPlayed: 2, bestScore: 30, bestScores: ["classic": 30]),
    counters: [WireEventCount(event: "game_over", count: 2, modes: ["classic": 2])],
    visits: WireVisits(count: 1, openedAt: Instant(seconds: 1)), settings: settings, context: ObjectValue([("locale", "es")]),
    themes: themes,
    milestones: [
      MilestoneAnswer(
        milestone: "ten", count: "games_played", value: 2, target: 10, isUnlocked: false, isAchievement: true, isProgressive: true),
      MilestoneAnswer(
        milestone: "dot", count: ["events": "game_over"], value: 2, target: 1, isUnlocked: true, unlockedAt: Instant(seconds: 2),
        isAchievement: true),
    ],
    ads: [ad], history: [HistoryLine(number: 1, at: Instant(seconds: 2), kind: "event", details: ObjectValue([("event", "game_over")]))])
  static let decision = AdDecisionAnswer(
    placement: "game_over", format: "interstitial", shows: true, decisionID: "1-ab", counters: counters, next: WireAdNext(events: 3))
}

@Suite("Commands about players")
struct PlayerCommandTests {
  private func daemon(history: Int = 0) -> RecordedDaemon {
    RecordedDaemon(["GET /v1/games/g/players/p1?history=\(history)": .json(PlayerSample.page)])
  }

  @Test("player show prints scores, themes, the next ad and settings in lines that begin with the table's name")
  func show() async {
    let outcome = await run("player", "show", "g", "p1", admin: daemon())
    #expect(outcome.status == 0)
    #expect(
      outcome.out == """
        score\tlifetime\t55
        score\tgames played\t2
        score\tbest\t30
        score\tbest in classic\t30
        score\tgame_over events\t2
        score\tachievements\t1 of 2
        theme\tneon\tunlocked\t-\t-\tfree\tNeon\t-
        theme\tocean\tlocked\t55\t200\tmilestone ocean\tOcean\t-
        theme\taurora\tlocked\t-\t-\tentitlement theme.aurora\tAurora\\u{1B}\taurora, everything\\u{1B}
        ad\tgame_over\t2 of 3 game_over\t4, 1 in this visit\twith the next game_over\twould show
        setting\tsound\tfalse\ttrue\toverride.game
        history\t1\t1970-01-01T00:00:02Z\tevent\tevent game_over

        """)
  }

  @Test("player show on a terminal has bars and the context, and marks a setting that is not in force")
  func terminal() async {
    let outcome = await run("player", "show", "g", "p1", "--all", admin: daemon(), isTerminal: true)
    #expect(outcome.out.contains("p1 in g, player revision 3\n"))
    #expect(outcome.out.contains("context: locale es\n"))
    #expect(outcome.out.contains("████░░░░░░░░░░░░ 55 / 200"))
    #expect(outcome.out.contains("* sound"))
    #expect(outcome.out.contains("  haptics"))
    #expect(outcome.out.contains("████████████████████ 2 / 1"))
    #expect(!outcome.out.contains("\u{1B}"))
  }

  /// The members of the answer that `player show` leaves out, and the reasons.
  private static let hidden = ["revision": "of the game, not of the player", "now": "only on the live screen, as its clock"]

  @Test("player show on a terminal shows every member of the daemon's response, except for those that this test lists with a reason")
  func everyMember() throws {
    let page = PlayerSample.page.wire
    let screen = Screen(
      isTerminal: true, isAnswering: false, width: 200, write: { _ in }, writeError: { _ in }, answer: { _ in nil })
    func shown(_ page: Value) throws -> String {
      let answer = try PlayerAnswer(wire: page, at: "")
      return PlayerPage.heading(answer, isChanged: false).text(.terminal(200))
        + PlayerPage.of(answer, showsAll: true, on: screen).text(.terminal(200))
    }
    for name in try #require(PlayerAnswer.schema["properties"]?.objectValue).members.map(\.name) {
      var without = try #require(page.objectValue)
      without[name] = PlayerAnswer().wire[name]
      #expect(without != page.objectValue, "give PlayerSample.page the member \(name)")
      let isShown = try shown(.object(without)) != shown(page)
      #expect(isShown != (Self.hidden[name] != nil), "show \(name) in PlayerPage, or say why not")
    }
  }

  @Test("the table of themes names the product that unlocks a theme, also on 80 columns; without products it has no such column")
  func sold() {
    let screen = Screen(
      isTerminal: true, isAnswering: false, width: 80, write: { _ in }, writeError: { _ in }, answer: { _ in nil })
    let lines = ThemeTable.of(PlayerSample.themes, on: screen).text(.terminal(80)).split(separator: "\n")
    #expect(lines.first?.hasSuffix("UNLOCKS WITH") == true)
    #expect(lines.filter { $0.contains("everything") }.count == 1)
    #expect(lines.contains { $0.contains("██░░░░░░ 55 / 200") }, "a bar and its numbers stay together")
    let free = ThemeTable.of(Array(PlayerSample.themes.prefix(2)), on: screen).text(.terminal(80))
    #expect(!free.contains("UNLOCKS WITH") && free.contains("NAME"))
  }

  @Test(
    "a progress bar is full only at completion, and empty only at zero",
    arguments: [(0.0, 0), (0.001, 1), (0.5, 5), (0.999, 9), (1, 10)])
  func bars(fraction: Double, blocks: Int) {
    #expect(ThemeTable.bar(fraction, width: 10).filter { $0 == "█" }.count == blocks)
    #expect(ThemeTable.bar(fraction, width: 10).count == 10)
  }

  @Test("player list prints a page, and a terminal shows the option for the next one")
  func list() async {
    let list = PlayersList(
      game: "g",
      players: [
        PlayerSummary(
          player: "p1", playerRevision: 3, createdAt: Instant(seconds: 1), changedAt: Instant(seconds: 2), lifetimeScore: 55,
          gamesPlayed: 2,
          visits: 1)
      ], nextAfter: "p1")
    let daemon = RecordedDaemon(["GET /v1/games/g/players?limit=1&after=p0": .json(list)])
    let outcome = await run("player", "list", "g", "--limit", "1", "--after", "p0", admin: daemon)
    #expect(outcome.out == "p1\t55\t2\t1\t1970-01-01T00:00:01Z\t1970-01-01T00:00:02Z\n")
    #expect(await run("player", "list", "g", "--limit", "1", "--after", "p0", admin: daemon, isTerminal: true).out.contains("--after p1"))
    #expect(await run("player", "list", "g", "--limit", "0", admin: daemon).status == 2)
  }

  @Test("player score prints the scores, and sets those that its options name")
  func score() async {
    let answer = ScoresAnswer(
      playerRevision: 4, scores: WireScores(lifetimeScore: 200, gamesPlayed: 2, bestScores: ["classic": 40]),
      unlocked: WireUnlocked(milestones: ["ocean": WireUnlockedItem(name: nil)], themes: ["ocean": WireUnlockedItem(name: "Ocean")]))
    let daemon = RecordedDaemon([
      "GET /v1/games/g/players/p1?history=0": .json(PlayerSample.page), "PATCH /v1/games/g/players/p1": .json(answer),
    ])
    #expect(await run("player", "score", "g", "p1", admin: daemon).out == "lifetime\t55\ngames played\t2\nbest\t30\nbest in classic\t30\n")
    let set = await run("player", "score", "g", "p1", "--lifetime", "200", "--best", "classic=40", "--reason", "lost phone", admin: daemon)
    #expect(set.out == "p1 has 200 points in 2 games, best 40 in classic\nunlocked: theme ocean, milestone ocean\n")
    let body = daemon.changes.last?.body
    #expect(body == ["lifetime_score": 200, "best_scores": ["classic": 40], "reason": "lost phone"])
    #expect(await run("player", "score", "g", "p1", "--best", "classic", admin: daemon).status == 2)
  }

  @Test("player settings lists settings, prints one, sets one by its declared type, and removes one")
  func settings() async {
    let parameters: Value = [["key": "sound", "type": "boolean"]]
    let catalog = CatalogAnswer(document: ObjectValue([("parameters", parameters)]))
    let daemon = RecordedDaemon([
      "GET /v1/games/g/players/p1?history=0": .json(PlayerSample.page), "GET /v1/games/g/catalog": .json(catalog),
      "PUT /v1/games/g/players/p1/settings/sound": .json(PlayerSample.settings[0]),
      "DELETE /v1/games/g/players/p1/settings/sound?reason=why": .noContent(revision: 8),
      "GET /v1/games/g/config/sound?player=p1": .json(Sample.value("sound", true, type: "boolean")),
    ])
    #expect(
      await run("player", "settings", "g", "p1", admin: daemon).out == "sound\tfalse\ttrue\toverride.game\nhaptics\t-\ttrue\tdefault\n")
    let shadowed = "sound is chosen as false, but true is in force: override.game is above it\n"
    #expect(await run("player", "settings", "g", "p1", "sound", admin: daemon) == RunResult(status: 0, out: "true\n", err: shadowed))
    #expect(await run("player", "settings", "g", "p1", "sound", "false", admin: daemon).out == shadowed)
    #expect(daemon.changes.last?.body == ["value": false])
    let removed = await run("player", "settings", "g", "p1", "sound", "--reset", "--reason", "why", admin: daemon)
    #expect(removed.out == "sound is true for player p1 (default)\n")
    let unknown = await run("player", "settings", "g", "p1", "soun", admin: daemon)
    #expect(unknown.status == 1)
    #expect(unknown.err.contains("Did you mean “sound”?"))
  }

  @Test("player forget lists the stored rows and asks for confirmation, unless --yes is given")
  func forget() async {
    let daemon = RecordedDaemon([
      "DELETE /v1/games/g/players/p1?dry_run=true": .json(
        ForgetAnswer(isKnown: true, removed: ["history": 3, "settings": 1, "overrides": 0], auditLines: 4)),
      "DELETE /v1/games/g/players/p1?reason=asked": .noContent(revision: 8),
    ])
    let unasked = await run("player", "forget", "g", "p1", "--reason", "asked", admin: daemon)
    #expect(unasked.status == 2)
    let declined = await run("player", "forget", "g", "p1", "--reason", "asked", admin: daemon, answering: ["n"])
    #expect(declined.status == 1)
    #expect(declined.err.contains("Forget player p1 in g: history 3, settings 1; 4 lines of the audit log keep a digest of the id? [y/N]"))
    #expect(!daemon.calls.contains { $0.hasSuffix("reason=asked") })
    let done = await run("player", "forget", "g", "p1", "--reason", "asked", "--yes", admin: daemon)
    #expect(
      done
        == RunResult(
          status: 0, out: "player p1 is forgotten: history 3, settings 1; 4 lines of the audit log keep a digest of the id\n", err: ""))
  }

  @Test("themes list requests the game's themes, or a player's")
  func themes() async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/themes": .json(ThemeList(game: "g", revision: 7, themes: [PlayerSample.themes[0]])),
      "GET /v1/games/g/players/p1/themes?locale=es": .json(ThemeList(game: "g", player: "p1", revision: 7, themes: PlayerSample.themes)),
    ])
    #expect(await run("themes", "list", "g", admin: daemon).out == "neon\tunlocked\t-\t-\tfree\tNeon\t-\n")
    #expect(
      await run("themes", "list", "g", "--player", "p1", "--locale", "es", admin: daemon).out.contains("ocean\tlocked\t55\t200"))
  }
}

@Suite("Commands about ads")
struct AdCommandTests {
  @Test("ads event sends an event, and prints scores, unlocked themes and the decision about an ad")
  func event() async {
    let answer = EventAnswer(
      game: "g", player: "p1", event: "game_over", occurredAt: Instant(seconds: 4), lifetimeScore: 55, gamesPlayed: 2, bestScore: 30,
      isBest: true, count: 2, visit: 1, unlocked: PlayerSample.unlocked, ads: [PlayerSample.decision])
    let daemon = RecordedDaemon(["POST /v1/games/g/players/p1/events?reason=trying": .json(answer)])
    let outcome = await run(
      "ads", "event", "g", "p1", "game_over", "--mode", "classic", "--score", "25", "--event-reason", "timeUp", "--id", "e1", "--reason",
      "trying", admin: daemon)
    #expect(
      outcome.out == """
        game_over 2: 55 points in 2 games, a new best of 30, visit 1
        unlocked: theme forest, milestone forest, achievement first_dot
        ad at game_over: show, decision 1-ab

        """)
    let sent = daemon.changes.last?.body
    #expect(sent == ["event_id": "e1", "event": "game_over", "mode": "classic", "score": 25, "reason": "timeUp"])
    #expect(await run("ads", "event", "g", "p1", "e", "--id", "a", "--idempotency-key", "b", admin: daemon).status == 2)
  }

  @Test("ads event sends a play with its state and its end; state and end are refused without a play")
  func ofPlay() async {
    let daemon = RecordedDaemon()
    _ = await run(
      "ads", "event", "g", "p1", "e", "--play", "8f", "--state", #"{"a": 1}"#, "--close", "--details", #"{"d": 2}"#, admin: daemon)
    #expect(daemon.changes.last?.body == ["event": "e", "details": ["d": 2], "play": "8f", "state": ["a": 1], "close": true])
    for more in [["--close"], ["--state", "1"]] {
      let outcome = await run(["ads", "event", "g", "p1", "e"] + more, admin: daemon)
      #expect(outcome.status == 2 && outcome.err.contains("--play"), "\(outcome.err)")
    }
    #expect(await run("ads", "event", "g", "p1", "e", "--details", "[1]", admin: daemon).err.contains("a JSON object"))
  }

  @Test(
    "ads event sends a score that is not a whole number as it was typed",
    arguments: [("2.5", 2.5), ("-1", -1), ("many", "many")] as [(String, Value)])
  func score(text: String, value: Value) async {
    let daemon = RecordedDaemon()
    _ = await run("ads", "event", "g", "p1", "e", "--score=\(text)", admin: daemon)
    #expect(daemon.changes.last?.body?["score"] == value)
  }

  @Test("ads status, report, reset and force print the time of the next ad")
  func others() async {
    let blocked = AdStatusAnswer(
      placement: "game_over", format: "interstitial", event: "game_over", wouldShow: false, reason: "AD_FREE",
      counters: PlayerSample.counters, next: WireAdNext(events: 0, blockedBy: "AD_FREE"))
    let base = "/v1/games/g/players/p1/ads/game_over"
    let daemon = RecordedDaemon([
      "GET \(base)": .json(blocked),
      "POST \(base)/reports": .json(
        AdReportAnswer(playerRevision: 3, decisionID: "1-ab", outcome: .noFill, isGivenBack: true, ad: PlayerSample.ad)),
      "POST \(base)/reset?dry_run=true": .json(AdChangeAnswer(playerRevision: 3, isDryRun: true, ad: PlayerSample.ad)),
      "POST \(base)/force": .problem(Problem(.adFree, "The player sees no ads, so an admin cannot make one show.")),
    ])
    #expect(
      await run("ads", "status", "g", "p1", "game_over", admin: daemon).out
        == "game_over\t2 of 3 game_over\t4, 1 in this visit\tnot while AD_FREE\tAD_FREE\n")
    #expect(
      await run("ads", "report", "g", "p1", "game_over", "1-ab", "no_fill", admin: daemon).out
        == "1-ab is reported as no_fill, the show is given back; next ad with the next game_over\n")
    #expect(await run("ads", "report", "g", "p1", "game_over", "1-ab", "seen", admin: daemon).status == 2)
    #expect(
      await run("ads", "reset", "g", "p1", "game_over", "--dry-run", admin: daemon).out
        == "nothing was changed; without --dry-run: game_over of player p1 counts from 0; next ad with the next game_over\n")
    let refused = await run("ads", "force", "g", "p1", "game_over", "--reason", "demo", admin: daemon)
    #expect(refused.status == 6)
    #expect(refused.err.contains("[AD_FREE]"))
    #expect(daemon.changes.last?.body == ["reason": "demo"])
  }

  @Test(
    "the time of the next ad is printed in words",
    arguments: [
      (WireAdNext(events: 1), "with the next e"), (WireAdNext(events: 3), "with the 3rd e from now"),
      (WireAdNext(events: 12), "with the 12th e from now"),
      (WireAdNext(events: 21, visits: 1), "with the 21st e from now, in another visit"),
      (
        WireAdNext(events: 1, visits: 2, notBefore: Instant(seconds: 0)),
        "with the next e, 2 visits from now, not before 1970-01-01T00:00:00Z"
      ),
      (WireAdNext(events: 0, blockedBy: "DISABLED"), "not while DISABLED"),
    ])
  func next(next: WireAdNext, words: String) {
    #expect(AdWords.next(next, event: "e").text() == words)
  }
}
