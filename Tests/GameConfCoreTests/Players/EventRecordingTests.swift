// Tests the effects of events on scores, counters, milestones, themes and visits.

import GameConfCore
import TestSupport
import Testing

@Suite("Events and milestones")
struct EventRecordingTests {
  @Test("a milestone at 50 points unlocks with the second game over of 30 and 25 points, and only once")
  func forest() throws {
    var play = Play()
    let first = try play.gameOver(30)
    #expect(first.milestones == ["score10", "score25", "first_dot"])
    #expect(first.themes == [])
    let second = try play.gameOver(25)
    #expect(second.milestones == ["forest", "got_forest"])
    #expect(second.themes == ["forest"])
    #expect(second.lifetimeScore == 55)
    #expect(try play.gameOver(1).milestones == [])
  }

  @Test("lowering a milestone's threshold unlocks it with the next event, and raising it locks nothing")
  func movingMilestone() throws {
    var play = Play()
    try play.gameOver(30)
    try play.gameOver(25)
    play.parameters.values["ocean_at"] = 40
    #expect(play.state.milestones["ocean"] == nil)
    #expect(try #require(play.standing(of: "ocean")).isUnlocked)
    play.parameters.values["ocean_at"] = 400
    #expect(try #require(play.standing(of: "ocean")).isUnlocked == false)
    play.parameters.values["ocean_at"] = 40
    #expect(try play.gameOver(0).themes == ["ocean"])
    play.parameters.values["forest_at"] = 900
    #expect(try play.gameOver(0).milestones == [])
    let forest = try #require(play.standing(of: "forest"))
    #expect(forest.isUnlocked)
    #expect(forest.milestone?.target == 900)
    #expect(forest.milestone?.value == 55)
  }

  @Test("the default theme is unlocked while it is the default, even if it is for sale")
  func defaultTheme() throws {
    var play = Play()
    #expect(try #require(play.standing(of: "ocean")).isUnlocked == false)
    play.parameters.values["default_theme"] = "ocean"
    let ocean = try #require(play.standing(of: "ocean"))
    #expect(ocean.isUnlocked && ocean.isByDefault)
    #expect(play.state.unlockedThemes(under: play.terms) == ["neon", "ocean"])
    play.parameters.values["default_theme"] = "neon"
    #expect(try #require(play.standing(of: "neon")).isByDefault == false)
    #expect(play.state.unlockedThemes(under: play.terms) == ["neon"])
  }

  @Test("milestones that were removed from the catalog stay unlocked and do not affect others")
  func droppedMilestones() throws {
    var play = Play()
    try play.gameOver(60)
    let earned: Set<String> = ["got_forest", "forest", "score10", "score25", "score50", "first_dot"]
    #expect(Set(play.state.milestones.keys) == earned)
    play.catalog.milestones.removeAll { ["forest", "first_dot"].contains($0.id) }
    #expect(try play.gameOver(240).milestones == ["ocean", "cosmos", "score100", "got_ocean", "got_cosmos"])
    #expect(play.state.milestones.keys.count { earned.contains($0) } == earned.count)
  }

  @Test("a theme that no milestone unlocks has no milestone progress", arguments: ["neon", "aurora", "dark"])
  func noMilestone(theme: String) throws {
    let play = Play()
    let standing = try #require(play.standing(of: theme))
    #expect(standing.milestone == nil)
  }

  @Test("a theme that an entitlement or a parameter unlocks is locked again without it")
  func unlockKinds() {
    var play = Play()
    #expect(play.state.unlockedThemes(under: play.terms) == ["neon"])
    play.entitlements.held = ["theme.aurora"]
    play.parameters.values["dark"] = true
    #expect(play.state.unlockedThemes(under: play.terms) == ["neon", "aurora", "dark"])
    play.entitlements.held = []
    play.parameters.values["dark"] = false
    #expect(play.state.unlockedThemes(under: play.terms) == ["neon"])
  }

  @Test("the twelve achievements of the sample game unlock with the expected game over")
  func achievements() throws {
    var play = Play()
    var unlocked: [String: Int] = [:]
    let games: [(score: Value, mode: String)] = [
      (0, "daily"), (1, "daily"), (9, "arcade"), (10, "arcade"), (25, "arcade"), (50, "arcade"), (10, "classic"), (49, "classic"),
      (50, "classic"), (100, "classic"),
    ]
    for (number, game) in games.enumerated() {
      for id in try play.gameOver(game.score, mode: game.mode).milestones { unlocked[id] = number + 1 }
    }
    #expect(
      unlocked == [
        "first_dot": 2, "arcade10": 4, "arcade25": 5, "arcade50": 6, "forest": 6, "got_forest": 6, "score10": 7, "score25": 8,
        "score50": 9, "score100": 10, "ocean": 9, "got_ocean": 9, "cosmos": 10, "got_cosmos": 10, "play_10": 10,
      ])
  }

  @Test("events are counted by type and mode, and only those with a score count as games")
  func counters() throws {
    var play = Play()
    try play.gameOver(5, mode: "classic")
    try play.gameOver(7, mode: "arcade")
    try play.gameOver(nil, mode: nil)
    #expect(try play.record(PlayerEvent(name: "opened_store")).count == 1)
    #expect(play.state.eventCounts == ["game_over": 3, "opened_store": 1])
    #expect(play.state.modeCounts == ["game_over": ["classic": 1, "arcade": 1]])
    #expect(play.state.gamesPlayed == 2)
    #expect(play.state.bestScores == ["classic": 5, "arcade": 7])
    #expect(play.state.bestScore == 7)
  }

  @Test("best scores of modes that the catalog no longer has are dropped where a new mode needs space", arguments: [true, false])
  func bestScoresOfFormerModes(isEvent: Bool) throws {
    var play = Play()
    try play.gameOver(1, mode: "classic")
    let former = (1..<PlayerLimits.bestScoresMax).map { "former\($0)" }
    play.catalog.modes += former
    try Self.setBests(of: former, in: &play)
    play.catalog.modes.removeAll(where: former.contains)
    if isEvent {
      try play.gameOver(2, mode: "arcade")
    } else {
      _ = try play.state.change(ScoreChange(bestScores: ["arcade": 2]), under: play.terms)
    }
    #expect(play.state.bestScores == ["classic": 1, "arcade": 2])
  }

  private static func setBests(of modes: [String], in play: inout Play) throws {
    let bests = Dictionary(uniqueKeysWithValues: modes.map { ($0, Value.integer(9)) })
    _ = try play.state.change(ScoreChange(bestScores: bests), under: play.terms)
  }

  @Test("a refused best score names the limit of best scores, and changes nothing")
  func tooManyBestScores() throws {
    var play = Play()
    let modes = (0..<PlayerLimits.bestScoresMax).map { "mode\($0)" }
    play.catalog.modes += modes
    try Self.setBests(of: modes, in: &play)
    let before = play.state
    let ofEvent = fault { try play.gameOver(2, mode: "arcade") }
    let ofChange = fault { _ = try play.state.change(ScoreChange(bestScores: ["arcade": 2]), under: play.terms) }
    #expect(ofEvent?.message.contains("256 best scores") == true && ofChange == ofEvent)
    #expect(play.state == before)
  }

  @Test("a player's first score is a new best only if it is above 0", arguments: [(0, false), (1, true)])
  func firstBest(score: Int64, isBest: Bool) throws {
    var play = Play()
    let outcome = try play.gameOver(.integer(score))
    #expect(outcome.isBest == isBest && outcome.bestScore == score)
    #expect(try play.gameOver(1).isBest == !isBest)
  }

  @Test("a score is a new best if it exceeds the best of its mode", arguments: [(4, false), (5, false), (6, true)])
  func best(score: Int64, isBest: Bool) throws {
    var play = Play()
    #expect(try play.gameOver(5).isBest)
    try play.gameOver(50, mode: "arcade")
    let outcome = try play.gameOver(.integer(score))
    #expect(outcome.isBest == isBest)
    #expect(outcome.bestScore == max(5, score))
  }

  @Test("an event after 30 minutes without events begins a new visit", arguments: [(1799, 1), (1800, 2)])
  func silence(seconds: Int64, visits: Int64) throws {
    var play = Play()
    #expect(try play.gameOver().opensVisit)
    let outcome = try play.gameOver(after: seconds)
    #expect(outcome.visit == visits)
    #expect(outcome.opensVisit == (visits == 2))
  }

  @Test("a launch begins a new visit, to which the next events belong")
  func launch() throws {
    var play = Play()
    #expect(play.state.openVisit(now: play.now).kind == .visit)
    #expect(play.state.openVisit(now: play.now).number == 2)
    #expect(try play.gameOver().visit == 2)
  }

  @Test("a late event that belongs to an earlier visit begins no new one")
  func late() throws {
    var play = Play()
    try play.gameOver(1)
    let occurred = Instant(milliseconds: play.now.milliseconds - 86_400_000)
    let outcome = try play.record(PlayerEvent(name: "game_over", mode: "classic", score: 2, occurredAt: occurred))
    #expect(outcome.occurredAt == occurred)
    #expect(outcome.simulatedAt == play.now)
    #expect(outcome.lifetimeScore == 3)
    #expect(outcome.visit == 1)
  }

  @Test("a late event is as old by the simulated clock as by the host's clock, and never before the previous event")
  func lateInSimulatedTime() throws {
    var play = Play()
    play.host = Instant(milliseconds: play.now.milliseconds - 61 * 86_400_000)
    let minute: Int64 = 60_000
    func at(_ minutes: Int64, _ instant: Instant) -> Instant { Instant(milliseconds: instant.milliseconds - minutes * minute) }
    let host = try #require(play.host)
    let first = try play.record(PlayerEvent(name: "game_over", mode: "classic", score: 2, occurredAt: at(50, host)))
    #expect(first.occurredAt == at(50, host) && first.simulatedAt == at(50, play.now) && first.opensVisit)
    let second = try play.record(PlayerEvent(name: "game_over", mode: "classic", score: 2, occurredAt: at(10, host)))
    #expect(second.simulatedAt == at(10, play.now) && second.opensVisit, "40 minutes of silence lie between the two")
    let third = try play.record(PlayerEvent(name: "game_over", mode: "classic", score: 2, occurredAt: at(20, host)))
    #expect(third.occurredAt == at(20, host) && third.simulatedAt == at(10, play.now) && !third.opensVisit)
    let now = try play.record(PlayerEvent(name: "game_over", mode: "classic", score: 2))
    #expect(now.occurredAt == host && now.simulatedAt == play.now)
    let inSimulatedTime = play.now
    #expect(
      fault { _ = try play.record(PlayerEvent(name: "game_over", occurredAt: inSimulatedTime)) } == .occursAhead(inSimulatedTime, now: host)
    )
  }

  @Test("the unlocks of an event have names in the player's language, with achievements in a list of their own")
  func named() throws {
    var play = Play()
    for at in play.catalog.milestones.indices where play.catalog.milestones[at].id == "first_dot" {
      play.catalog.milestones[at].name = ["en": "First dot", "es": "Primer punto"]
    }
    for at in play.catalog.themes.indices where play.catalog.themes[at].id == "forest" {
      play.catalog.themes[at].name = ["en": "Forest", "es": "Bosque"]
    }
    play.locales = ["es", "en"]
    let unlocked = try play.gameOver(60).unlocked
    #expect(unlocked.themes == [Unlocks.UnlockedItem("forest", "Bosque")])
    #expect(unlocked.milestones.map(\.id) == ["forest"])
    #expect(unlocked.achievements.contains(Unlocks.UnlockedItem("first_dot", "Primer punto")))
    #expect(!unlocked.achievements.map(\.id).contains("forest") && unlocked.achievements.map(\.id).contains("got_forest"))
  }

  @Test(
    "an event may be up to one week old and up to one minute in the future",
    arguments: [
      (-604_800_000, true), (-604_800_001, false), (60_000, true), (60_001, false),
    ])
  func occurrence(milliseconds: Int64, isTaken: Bool) {
    var play = Play()
    let at = Instant(milliseconds: play.now.milliseconds + milliseconds)
    let fault = fault { _ = try play.record(PlayerEvent(name: "game_over", occurredAt: at)) }
    #expect((fault == nil) == isTaken)
  }

  @Test("a score set by an admin unlocks milestones, and lowering it locks no milestone")
  func scoreChange() throws {
    var play = Play()
    let raised = try play.state.change(ScoreChange(lifetimeScore: 300), under: play.terms)
    #expect(raised.unlocked.themes.map(\.id) == ["forest", "ocean", "cosmos"])
    let lowered = try play.state.change(ScoreChange(lifetimeScore: 0, bestScores: ["classic": 12]), under: play.terms)
    #expect(lowered.milestones == ["score10"])
    #expect(play.state.lifetimeScore == 0)
    #expect(play.state.milestones["forest"] != nil)
  }

  @Test(
    "with random events, a milestone unlocks with the first event that reaches it and never locks again",
    arguments: TestLength.seeds(of: 1...40))
  func unlocksStay(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var play = Play()
    var earned: Set<String> = []
    var total: Int64 = 0
    for _ in 0..<200 {
      if Int.random(in: 0..<4, using: &random) == 0 {
        play.parameters.values[["forest_at", "ocean_at", "cosmos_at"].randomElement(using: &random) ?? ""] =
          .integer(.random(in: 1...1000, using: &random))
      }
      let score = Int64.random(in: 0...12, using: &random)
      total += score
      let outcome = try play.gameOver(.integer(score), after: .random(in: -100...4000, using: &random))
      #expect(outcome.lifetimeScore == total)
      #expect(earned.isDisjoint(with: outcome.themes))
      earned.formUnion(outcome.themes)
      for theme in ["forest", "ocean", "cosmos"] {
        let target = try #require(play.parameters.values["\(theme)_at"]?.integerValue)
        if total >= target { #expect(earned.contains(theme)) }
      }
      #expect(play.state.unlockedThemes(under: play.terms) == earned.union(["neon"]))
    }
  }
}

extension Play {
  func standing(of theme: String) -> ThemeAvailability? {
    catalog.themes.first { $0.id == theme }.map { state.standing(of: $0, under: terms) }
  }
}
