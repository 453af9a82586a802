// One full and one bare instance of every request and answer about players.

import GameConfAPI
import GameConfCore

enum PlayerSamples {
  static let counters = AdCounters(
    events: 2, every: 3, isOwed: true, isForced: true, showsInVisit: 1, showsEver: 4, lastShowAt: Instant(seconds: 8))
  static let next = WireAdNext(events: 1, visits: 2, notBefore: Instant(seconds: 9), blockedBy: "CAPPED")
  static let ad = AdStatusAnswer(
    placement: "game_over", format: "interstitial", event: "game_over", wouldShow: false, reason: "NOT_DUE", counters: counters, next: next)
  static let bareAd = AdStatusAnswer(
    placement: "a", format: "banner", event: "e", wouldShow: true, counters: AdCounters(events: 0, every: 1),
    next: WireAdNext(events: 1))
  static let decision = AdDecisionAnswer(
    placement: "game_over", format: "interstitial", shows: true, decisionID: "1-ab", isForced: true, counters: counters, next: next)
  static let refusal = AdDecisionAnswer(
    placement: "a", format: "banner", shows: false, reason: "PACING", counters: bareAd.counters, next: bareAd.next)
  static let theme = ThemeAnswer(
    theme: "forest", name: "Forest", kind: .milestone, by: "forest", isUnlocked: true, unlockedAt: Instant(seconds: 5), milestone: 900,
    progress: WireProgress(value: 55, target: 900, isUnlocked: true), attributes: members(["grid": "#000000"]))
  static let aurora = ThemeAnswer(
    theme: "aurora", name: "Aurora", kind: .entitlement, by: "theme.aurora", unlocksWith: ["theme.aurora", "premium"], isUnlocked: false)
  static let milestone = MilestoneAnswer(
    milestone: "play_10", name: "Ten games", count: "games_played", value: 2, target: 10, isUnlocked: true, unlockedAt: Instant(seconds: 5),
    isAchievement: true, isProgressive: true, themes: ["forest"])
  static let setting = SettingAnswer(
    key: "k", value: 16, effective: 6, source: "default", shadowedBy: "override.game", skipped: "too long", playerRevision: 3,
    isDryRun: true)
  static let scores = WireScores(lifetimeScore: 55, gamesPlayed: 2, bestScore: 30, bestScores: ["classic": 30])
  static let visits = WireVisits(count: 2, openedAt: Instant(seconds: 1), activeAt: Instant(seconds: 2))

  static let unlocked = WireUnlocked(
    milestones: ["forest": WireUnlockedItem(name: nil)], achievements: ["first_dot": WireUnlockedItem(name: "First dot")],
    themes: ["forest": WireUnlockedItem(name: "Forest")])
  static let sequence = WireSequence(client: "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d", number: 12)
  static let queued = EventRequest(sequence: sequence, event: "game_over")
  static let recorded = EventAnswer(
    game: "g", player: "p", event: "e", occurredAt: Instant(seconds: 4), lifetimeScore: 0, gamesPlayed: 0, count: 1, visit: 1)
  static let listed = ListedEventAnswer(number: 12, status: 200, isRepeated: true, answer: recorded)
  static let notTried = ListedEventAnswer(number: 13, status: 503, problem: Problem(.notTried, "Later."))

  private static let best = StoredBest(event: "e", detail: "4-Easy-1", score: 30, at: Instant(seconds: 1))
  private static let boardRow = LeaderboardRow(rank: 1, player: "p", score: 30, at: Instant(seconds: 1))
  private static let standing = LeaderboardStanding(player: "p", rank: 1, rankAtLeast: nil, score: 30, at: Instant(seconds: 1))

  static let all: [any WireShape] = [
    EventRequest(
      eventID: "e1", event: "game_over", mode: "classic", score: 30, reason: "timeUp", context: members(["platform": "ios"]),
      occurredAt: Instant(seconds: 4)), EventRequest(event: "game_over"),
    EventRequest(event: "puzzle_solved", score: 30, details: members(["puzzle": "4-Easy-1", "mistakes": 0])), sequence, queued,
    PutContext(context: members(["locale": "es"]), reason: "why"), PutContext(context: ObjectValue()),
    PutSetting(value: [1, 2.0], reason: "why"), PutSetting(value: .null),
    PutSettings(settings: members(["sound_enabled": false, "dart_size": .null]), reason: "why"),
    AdReportRequest(decisionID: "1-ab", outcome: .noFill, reason: "why"), AdReportRequest(decisionID: "1-ab", outcome: .shown),
    PatchPlayer(lifetimeScore: 5, gamesPlayed: 1, bestScores: members(["classic": 5]), reason: "why"), PatchPlayer(gamesPlayed: 0),
    PlayersList(
      game: "g",
      players: [
        PlayerSummary(
          player: "p", playerRevision: 3, createdAt: Instant(seconds: 1), changedAt: Instant(seconds: 2), lifetimeScore: 55, gamesPlayed: 2,
          visits: 1)
      ], nextAfter: "p"), PlayersList(game: "g", players: []),
    PlayerAnswer(
      game: "g", player: "p", revision: 7, playerRevision: 3, createdAt: Instant(seconds: 1), changedAt: Instant(seconds: 2),
      now: Instant(seconds: 3), scores: scores, counters: [WireEventCount(event: "game_over", count: 2, modes: ["classic": 2])],
      visits: visits, settings: [setting], context: members(["locale": "es"]), themes: [theme, aurora], milestones: [milestone],
      ads: [ad, bareAd],
      history: [HistoryLine(number: 1, at: Instant(seconds: 3), kind: "event", details: members(["event": "game_over"]))]),
    PlayerAnswer(
      game: "g", player: "p", revision: 7, playerRevision: 0, now: Instant(seconds: 3),
      scores: WireScores(lifetimeScore: 0, gamesPlayed: 0), visits: WireVisits(count: 0)),
    theme, aurora, ThemeList(game: "g", player: "p", revision: 7, themes: [theme, aurora]), ThemeList(game: "g", revision: 7, themes: []),
    milestone, MilestoneAnswer(milestone: "m", count: ["events": "e"], value: 0, target: nil, isUnlocked: false),
    MilestoneList(game: "g", player: "p", revision: 7, milestones: [milestone]),
    setting, SettingAnswer(key: "k", value: nil, effective: nil),
    SettingsAnswer(playerRevision: 3, settings: [setting], isDryRun: true), ad, bareAd, decision, refusal,
    AdReportAnswer(playerRevision: 3, decisionID: "1-ab", outcome: .failed, isRepeat: true, isGivenBack: true, isDryRun: true, ad: ad),
    AdReportAnswer(playerRevision: 3, decisionID: "1-ab", outcome: .shown, ad: bareAd),
    AdChangeAnswer(playerRevision: 3, isDryRun: true, ad: ad), AdChangeAnswer(playerRevision: 3, ad: bareAd),
    EventAnswer(
      game: "g", player: "p", event: "game_over", occurredAt: Instant(seconds: 4), simulatedAt: Instant(seconds: 9), lifetimeScore: 55,
      gamesPlayed: 2, bestScore: 30,
      isBest: true, count: 2, visit: 1, opensVisit: true, unlocked: unlocked,
      ads: [decision, refusal], isDryRun: true),
    EventAnswer(
      game: "g", player: "p", event: "e", occurredAt: Instant(seconds: 4), lifetimeScore: 0, gamesPlayed: 0, count: 1, visit: 1,
      best: EventBest(detail: "4-Easy-1", score: 30, isBest: true)),
    EventBest(detail: "1.0", score: nil, isBest: false), best,
    StoredBest(event: "e", detail: "1.0", score: nil, at: Instant(seconds: 1)),
    BestsAnswer(game: "g", player: "p", bests: [best], nextAfter: "e/4-Easy-1"), BestsAnswer(game: "g", player: "p", bests: []),
    BestsRemovedAnswer(playerRevision: 3, removed: 2, isDryRun: true),
    BoardRowsRemovedAnswer(playerRevision: 3, removed: 1, isDryRun: true), boardRow, standing,
    LeaderboardStanding(player: "p", rank: nil, rankAtLeast: 10_001, score: 3, at: Instant(seconds: 1)),
    LeaderboardAnswer(
      game: "g", board: "b", event: "e", mode: "classic", per: "6", rows: [boardRow], standing: standing),
    LeaderboardAnswer(game: "g", board: "b", event: "e", rows: []),
    LeaderboardAnswer(game: "g", board: "b", event: "e", per: "6,4", parameters: ["a", "b"], rows: []),
    PlayerEventsAnswer(
      game: "g", player: "p",
      events: [HistoryLine(number: 1, at: Instant(seconds: 3), kind: "event", details: members(["event": "game_over"]))]),
    recorded, DoneAnswer(playerRevision: 3), listed, notTried,
    VisitAnswer(playerRevision: 3, visits: visits, isDryRun: true), ContextAnswer(playerRevision: 3, context: members(["a": 1])),
    ScoresAnswer(
      playerRevision: 3, scores: scores, unlocked: unlocked, isDryRun: true),
    ForgetAnswer(isKnown: true, removed: ["history": 3], auditLines: 2, isDryRun: true), ForgetAnswer(isKnown: false, removed: [:]),
  ]
}
