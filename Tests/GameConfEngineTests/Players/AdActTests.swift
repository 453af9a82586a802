// Games' reports of ads, and admins' changes to ads, over a store.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Reports of ads and admins' acts about ads")
struct AdActTests {
  private let fixture = PlayerFixture()
  private let id = PlayerFixture.id()

  @Test("an ad that an admin forces shows once, at the next event, and the act is audited")
  func force() async throws {
    let withForce = try await fixture.service.change(id, .forceAd(at: "game_over"), fixture.change("demo", admin: true))
    #expect(withForce.fresh?.outcome.counters.isForced == true)
    let shown = try #require(try await fixture.ad())
    #expect(shown.shows && shown.isForced)
    #expect(try await fixture.ad()?.refusal == .notDue)
    let line = try #require(try await fixture.audits().last)
    #expect(line.action.rawValue == "ad.force" && line.player == "p1" && line.reason == "demo" && line.author.uid == 1000)
    #expect(line.detail == ["placement": "game_over"])
  }

  @Test("an admin's reset restarts a placement's counter and is audited, and games' events are not audited")
  func reset() async throws {
    _ = try await fixture.ad()
    _ = try await fixture.ad()
    let reset = try await fixture.service.change(id, .resetAds(at: "game_over"), fixture.change(admin: true))
    #expect(reset.fresh?.outcome.counters.events == 0)
    #expect(try await fixture.ad()?.refusal == .notDue)
    #expect(try await fixture.audits().map(\.action.rawValue) == ["ad.reset"])
    let history = try await fixture.service.history(of: id, limit: 10)
    #expect(history.map(\.kind) == [.event, .adReset, .event, .event])
  }

  @Test("a report on an unknown, expired or another player's decision is refused and changes nothing")
  func badReports() async throws {
    for _ in 0..<2 { _ = try await fixture.ad() }
    let shown = try #require(try await fixture.ad()?.decisionID)
    let before = try await fixture.view().stored
    func report(_ decision: String, _ player: String = "p1", _ placement: String = "game_over", _ outcome: AdOutcome = .shown) async
      -> ChangeRefusal?
    {
      await refusal {
        try await fixture.service.change(PlayerFixture.id(player), .reportAd(decision, outcome, at: placement), fixture.change())
      }
    }
    #expect(await report("7-0000") == .refused(.unknownDecision("7-0000")))
    #expect(await report(shown, "p2") == .refused(.unknownDecision(shown)))
    #expect(await report(shown, "p1", "lobby") == .refused(.unknownPlacement("lobby", hint: "")))
    #expect(await report(shown, "p1", "game_over", .rewarded) == .refused(.notRewarded(placement: "game_over")))
    fixture.wait(seconds: PlayerLimits.reportSecondsMax + 1)
    #expect(await report(shown) == .refused(.decisionTooOld(shown)))
    #expect(try await fixture.view().stored == before)
    #expect(try await fixture.view("p2").stored.isUnknown, "a refused change makes no player")
  }

  @Test("a repeated report on an ad changes nothing, not even the player's revision")
  func sameReport() async throws {
    for _ in 0..<2 { _ = try await fixture.ad() }
    let shown = try #require(try await fixture.ad()?.decisionID)
    func report() async throws -> PlayerChangeOutcome<AdReportOutcome>? {
      try await fixture.service.change(id, .reportAd(shown, .shown, at: "game_over"), fixture.change()).fresh
    }
    let first = try #require(try await report())
    let second = try #require(try await report())
    #expect(!first.outcome.isRepeat && second.outcome.isRepeat)
    #expect(first.player.revision == 4 && second.player.revision == 4)
  }

  @Test("a visit begins with a launch, and with the first event after half an hour without events")
  func visits() async throws {
    #expect(try await fixture.service.change(id, .openVisit, fixture.change()).fresh?.outcome.count == 1)
    #expect(try await fixture.gameOver(1).outcome.opensVisit == false)
    fixture.wait(seconds: 1_800)
    let opening = try await fixture.gameOver(1).outcome
    #expect(opening.opensVisit && opening.visit == 2)
  }

  @Test("scores that an admin sets unlock themes, and the audit log has the old and the new score")
  func scores() async throws {
    try await fixture.gameOver(10)
    let scores = ScoreChange(lifetimeScore: 60, bestScores: ["arcade": 7])
    let changed = try await fixture.service.change(id, .set(scores), fixture.change("moved device", admin: true)).fresh
    #expect(changed?.outcome.milestones == ["forest", "got_forest"])
    #expect(changed?.outcome.unlocked.themes.map(\.id) == ["forest"])
    let line = try #require(try await fixture.audits().last)
    #expect(line.action.rawValue == "player.scores")
    #expect(line.before == ["lifetime_score": 10, "games_played": 1, "best_scores": ["classic": 10]])
    #expect(line.after == ["lifetime_score": 60, "games_played": 1, "best_scores": ["arcade": 7, "classic": 10]])
    let bad = await refusal { try await fixture.service.change(id, .set(ScoreChange(lifetimeScore: 1.5)), fixture.change(admin: true)) }
    #expect(bad == .refused(.scoreNotWhole(1.5, at: "/lifetime_score")))
  }
}
