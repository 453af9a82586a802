// Events over a store: the themes that they unlock, the ads that they show, and that each is counted once.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("Recording events")
struct RecordEventTests {
  private let fixture = PlayerFixture()

  @Test("game overs with 30 and 25 points unlock the theme for 50 points at the second one, and only once")
  func forest() async throws {
    let first = try await fixture.gameOver(30)
    #expect(first.outcome.lifetimeScore == 30 && first.outcome.milestones.isEmpty && first.player.revision == 1)
    let second = try await fixture.gameOver(25)
    #expect(second.outcome.milestones == ["forest", "got_forest"] && second.outcome.themes == ["forest"])
    #expect(second.player.revision == 2 && second.player.state?.lifetimeScore == 55)
    let third = try await fixture.gameOver(25)
    #expect(third.outcome.milestones.isEmpty && third.outcome.themes.isEmpty)
    let view = try await fixture.view()
    #expect(view.unlockedThemes == ["neon", "forest"])
    #expect(view.state.bestScores == ["classic": 30] && view.state.gamesPlayed == 3)
  }

  @Test("lowering a milestone's threshold unlocks it at the next game over, and raising one locks nothing")
  func milestonesMove() async throws {
    try await fixture.gameOver(60)
    try await fixture.force(40, "ocean_at")
    #expect(try await fixture.view().unlockedThemes == ["neon", "forest", "ocean"], "a theme follows its threshold")
    #expect(try await fixture.gameOver(0).outcome.themes == ["ocean"])
    try await fixture.force(900, "forest_at")
    #expect(try await fixture.gameOver(0).outcome.milestones.isEmpty)
    let view = try await fixture.view()
    #expect(view.unlockedThemes == ["neon", "forest", "ocean"])
    let forest = try #require(view.game.catalog.themes.first { $0.id == "forest" })
    let standing = view.state.standing(of: forest, under: view.terms)
    #expect(standing.isUnlocked && standing.milestone?.target == 900)
  }

  @Test("a milestone's threshold that is overridden for one player applies to that player only")
  func milestoneOfOne() async throws {
    try await fixture.force(10, "forest_at", player: "p1")
    #expect(try await fixture.gameOver(10, "p1").outcome.themes == ["forest"])
    #expect(try await fixture.gameOver(10, "p2").outcome.themes.isEmpty)
  }

  @Test("an ad that is due at every third game over shows at game overs 3, 6 and 9")
  func everyThird() async throws {
    var shown: [Int] = []
    for number in 1...9 { if try await fixture.ad()?.shows == true { shown.append(number) } }
    #expect(shown == [3, 6, 9])
  }

  @Test("an ad that did not show at game over 3 is made up for at game over 4, and the next one shows at 7")
  func noFill() async throws {
    var shown: [Int] = []
    for number in 1...8 {
      guard let decision = try await fixture.ad(), decision.shows else { continue }
      shown.append(number)
      if number == 3 {
        let report = try await fixture.service.change(
          PlayerFixture.id(), .reportAd(decision.decisionID ?? "", .noFill, at: "game_over"), fixture.change())
        #expect(report.fresh?.outcome.isGivenBack == true && report.fresh?.outcome.standing.counters.isOwed == true)
      }
    }
    #expect(shown == [3, 4, 7])
  }

  @Test("an override of the number of game overs between ads takes effect at the next event")
  func rhythm() async throws {
    #expect(try await fixture.ad()?.refusal == .notDue)
    try await fixture.force(2, "every")
    #expect(try await fixture.ad()?.shows == true)
    #expect(try await fixture.ad()?.refusal == .notDue)
    #expect(try await fixture.ad()?.shows == true)
  }

  @Test("an event that is up to a week old is counted, and an older one is refused and changes nothing")
  func late() async throws {
    try await fixture.gameOver(5)
    let week = PlayerLimits.lateSecondsMax
    var event = PlayerEvent(name: "game_over", mode: "classic", score: 7, occurredAt: Instant(seconds: fixture.host.seconds - week))
    #expect(try await fixture.service.record(PlayerFixture.id(), event, fixture.change()).outcome.lifetimeScore == 12)
    event.occurredAt = Instant(seconds: fixture.host.seconds - week - 1)
    let refused = await refusal { try await fixture.service.record(PlayerFixture.id(), event, fixture.change()) }
    guard case .refused(let refusal) = refused, refusal.code == .occurredTooEarly else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(try await fixture.view().state.lifetimeScore == 12)
  }

  @Test(
    "an event with an undeclared name, mode or reason, or an invalid score, is refused and changes nothing",
    arguments: [
      PlayerEvent(name: "game_ovr", mode: "classic", score: 1), PlayerEvent(name: "game_over", mode: "expert", score: 1),
      PlayerEvent(name: "game_over", score: 1), PlayerEvent(name: "game_over", mode: "classic", score: 1, reason: "bored"),
      PlayerEvent(name: "game_over", mode: "classic", score: -1), PlayerEvent(name: "game_over", mode: "classic", score: 1.5),
      PlayerEvent(name: "game_over", mode: "classic", score: .integer(.max)), PlayerEvent(name: "opened_store", score: 1),
    ])
  func badEvents(event: PlayerEvent) async throws {
    let before = try await fixture.gameOver(3).player
    let refused = await refusal { try await fixture.service.record(PlayerFixture.id(), event, fixture.change()) }
    guard case .refused = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(try await fixture.view().stored == before)
    #expect(try await fixture.store.read { try $0.history(of: PlayerFixture.id(), before: nil, limit: 10) }.count == 1)
  }

  @Test("an event for a game that is not served, or for an invalid player id, is refused")
  func unknown() async throws {
    let event = PlayerEvent(name: "opened_store")
    let gone = await refusal { try await fixture.service.record(PlayerID(game: "h", player: "p"), event, fixture.change()) }
    #expect(gone == .unknownGame("h"))
    #expect(
      await refusal { try await fixture.service.record(PlayerFixture.id("a\u{7}"), event, fixture.change()) } == .notAPlayer("a\u{7}")
    )
    #expect(await refusal { try await fixture.view("") } == .notAPlayer(""))
  }

  @Test("a dry run of an event returns the outcome and stores nothing")
  func dryRun() async throws {
    let outcome = try await fixture.gameOver(60, requestID: "e1", dryRun: true)
    #expect(outcome.outcome.themes == ["forest"] && !outcome.isRepeat)
    #expect(try await fixture.view().stored == StoredPlayer())
    #expect(try await fixture.gameOver(60, requestID: "e1").isRepeat == false)
  }

  @Test("an event is refused if its precondition on the player's revision does not hold")
  func precondition() async throws {
    try await fixture.gameOver(1)
    let event = PlayerEvent(name: "opened_store")
    let stale = await refusal {
      try await fixture.service.record(PlayerFixture.id(), event, fixture.change(if: .playerRevision(0)))
    }
    #expect(stale == .playerChanged(revision: 1))
    #expect(try await fixture.service.record(PlayerFixture.id(), event, fixture.change(if: .playerRevision(1))).player.revision == 2)
  }

  @Test("a call's context replaces attributes of the player's registered context for that call only")
  func context() async throws {
    _ = try await fixture.service.change(PlayerFixture.id(), .register(["locale": "es", "platform": "ios"]), fixture.change())
    let view = try await fixture.view()
    #expect(view.caller.locales == ["es", "en"] && view.caller.context["platform"] == "ios")
    let other = try await fixture.service.view(PlayerFixture.id(), host: fixture.host, context: ["locale": "en"])
    #expect(other.caller.locales == ["en"] && other.caller.context["platform"] == "ios")
    let refused = await refusal {
      try await fixture.service.change(PlayerFixture.id(), .register(["targetingKey": "p2"]), fixture.change())
    }
    #expect(refused == .refused(.contextOfAnother("p2")))
  }
}

/// Returns the refusal that a closure throws; nil if it succeeds.
func refusal<Answer>(_ body: () async throws -> Answer) async -> ChangeRefusal? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? ChangeRefusal
  }
}
