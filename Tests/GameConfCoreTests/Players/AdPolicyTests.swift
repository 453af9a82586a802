// Tests when ads are shown: each rule, the order of the rules, and the admin's functions.

import GameConfCore
import Testing

@Suite("Ad policy")
struct AdPolicyTests {
  @Test("an interstitial is due on every third game over")
  func everyThird() throws {
    var play = Play()
    let shown = try (1...9).filter { _ in try play.ad().shows }
    #expect(shown == [3, 6, 9])
  }

  @Test("an ad that could not be loaded is owed, so the next event shows one", arguments: [AdOutcome.noFill, .failed])
  func owed(outcome: AdOutcome) throws {
    var play = Play()
    var shown: [Int] = []
    for number in 1...8 {
      let decision = try play.ad(after: 10)
      if decision.shows { shown.append(number) }
      if number == 3 {
        let report = try play.report(outcome, of: decision)
        #expect(report.isGivenBack)
        #expect(report.standing.counters.isOwed)
        #expect(report.standing.shows)
      }
    }
    #expect(shown == [3, 4, 7])
  }

  @Test("an ad that could not be loaded is not owed if the placement's on_no_fill is drop_slot")
  func dropped() throws {
    var play = Play { $0.onNoFill = .dropSlot }
    var shown: [Int] = []
    for number in 1...8 {
      let decision = try play.ad()
      if decision.shows { shown.append(number) }
      if number == 3 { #expect(try !play.report(.noFill, of: decision).standing.counters.isOwed) }
    }
    #expect(shown == [3, 6])
  }

  @Test("a changed ad interval applies to the next event, and reading the ad status counts nothing")
  func changedRhythm() throws {
    var play = Play()
    _ = try play.ad()
    for _ in 0..<5 { _ = try play.state.adStatus(at: "game_over", under: play.terms) }
    play.parameters.values["every"] = 2
    #expect(try play.ad().shows)
    #expect(try !play.ad().shows)
    #expect(try play.ad().shows)
  }

  @Test("after a refund of an ad-free purchase, the ad counter starts again from 0", arguments: [0, 60])
  func refund(seconds: Int64) throws {
    var play = Play()
    _ = try play.ad()
    _ = try play.ad()
    play.wait(seconds: seconds)
    play.buy()
    play.wait(seconds: seconds)
    play.refund()
    play.wait(seconds: seconds)
    #expect(try (1...6).filter { _ in try play.ad().shows } == [3, 6])
  }

  @Test("an ad-free entitlement that expires without a write restarts the ad counter")
  func expiry() throws {
    var play = Play()
    _ = try play.ad()
    _ = try play.ad(after: 10)
    play.entitlements.lastHeld = ["ad_free": Instant(milliseconds: play.now.milliseconds + 5_000)]
    #expect(try (1...3).filter { _ in try play.ad(after: 10).shows } == [3])
  }

  @Test("an ad-free player's events are not counted, and a purchase cancels owed and forced ads")
  func exempt() throws {
    var play = Play()
    _ = try play.ad()
    _ = try play.ad()
    _ = try play.report(.noFill, of: try play.ad(), after: 1)
    _ = try play.state.forceAd(at: "game_over", under: play.terms)
    play.wait(seconds: 1)
    play.buy()
    let decision = try play.ad(after: 1)
    #expect(decision.refusal == .adFree)
    #expect(decision.counters.events == 0)
    #expect(decision.next.blockedBy == .adFree)
    play.wait(seconds: 1)
    play.refund()
    #expect(try (1...3).filter { _ in try play.ad(after: 1).shows } == [3])
  }

  @Test("a failed ad that is reported after a reset or exemption is not owed", arguments: [true, false])
  func settled(byReset: Bool) throws {
    var play = Play()
    _ = try play.ad()
    _ = try play.ad()
    let shown = try play.ad()
    play.wait(seconds: 1)
    if byReset {
      _ = try play.state.resetAds(at: "game_over", under: play.terms)
    } else {
      play.buy()
      play.wait(seconds: 1)
      play.refund()
    }
    let report = try play.report(.noFill, of: shown, after: 1)
    #expect(report.isGivenBack)
    #expect(!report.standing.counters.isOwed)
  }

  @Test("a forced ad is shown once against every rule except an ad-free entitlement")
  func force() throws {
    var play = Play {
      $0.enabled = .number(false)
      $0.graceVisits = .number(9)
      $0.caps = [Placement.Cap(count: .number(0), per: .lifetime)]
    }
    #expect(try play.ad().refusal == .disabled)
    _ = try play.state.forceAd(at: "game_over", under: play.terms)
    #expect(try play.state.adStatus(at: "game_over", under: play.terms).shows)
    let withForce = try play.ad()
    #expect(withForce.shows)
    #expect(withForce.isForced)
    #expect(withForce.decisionID != nil)
    #expect(try play.ad().refusal == .disabled)
    play.buy()
    #expect(fault { _ = try play.state.forceAd(at: "game_over", under: play.terms) } == .adFree)
  }

  @Test("a forced ad restarts the ad counter like any other ad")
  func countsWithForce() throws {
    var play = Play()
    _ = try play.ad()
    _ = try play.state.forceAd(at: "game_over", under: play.terms)
    #expect(try (2...8).filter { _ in try play.ad().shows } == [2, 5, 8])
  }

  @Test("an admin's reset sets the ad counter to 0 and cancels owed and forced ads")
  func reset() throws {
    var play = Play { $0.offset = .number(2) }
    #expect(try play.ad().shows)
    _ = try play.state.forceAd(at: "game_over", under: play.terms)
    _ = try play.state.resetAds(at: "game_over", under: play.terms)
    #expect(try (1...3).filter { _ in try play.ad().shows } == [3])
  }

  @Test("a placement's offset applies only to the first ad")
  func offset() throws {
    var play = Play { $0.offset = .number(1) }
    #expect(try (1...8).filter { _ in try play.ad().shows } == [2, 5, 8])
  }

  @Test("ad rules are checked in their order, and the first that prevents the ad is the reason")
  func order() throws {
    var play = Play {
      $0.enabled = .parameter("on")
      $0.every = .number(1)
      $0.graceVisits = .number(1)
      $0.graceEvents = .number(8)
      $0.firstAdDelaySeconds = .number(30)
      $0.afterRewardedSeconds = .number(100)
      $0.minSeconds = .number(60)
      $0.caps = [Placement.Cap(count: .number(2), per: .hour)]
    }
    play.catalog.placements.append(Placement(id: "bonus", format: .rewarded, event: "opened_store", every: .number(1)))
    #expect(try play.ad().refusal == .disabled)
    play.parameters.values["on"] = true
    play.catalog.childDirected = true
    #expect(try play.ad().refusal == .childDirected)
    play.catalog.childDirected = false
    play.buy()
    #expect(try play.ad(after: 1).refusal == .adFree)
    play.wait(seconds: 1)
    play.refund()
    #expect(try play.ad(after: 1).refusal == .graceVisits)
    #expect(try play.ad(after: 1800).refusal == .graceEvents)
    for _ in 0..<3 { _ = try play.ad(after: 1) }
    #expect(try play.ad(after: 1).refusal == .firstAdDelay)
    let bonus = try #require(try play.record(PlayerEvent(name: "opened_store")).ads.first)
    #expect(bonus.shows)
    _ = try play.report(.rewarded, of: bonus)
    #expect(try play.ad(after: 30).refusal == .afterRewarded)
    play.parameters.values["every"] = 1
    _ = try play.state.resetAds(at: "game_over", under: play.terms)
    play.catalog.placements[0].every = .number(2)
    #expect(try play.ad(after: 100).refusal == .notDue)
    #expect(try play.ad().shows)
    _ = try play.ad()
    #expect(try play.ad(after: 59).refusal == .pacing)
    #expect(try play.ad(after: 1).shows)
    _ = try play.ad()
    let capped = try play.ad(after: 60)
    #expect(capped.refusal == .capped)
    #expect(capped.next.events == 1)
    #expect(capped.next.notBefore == Instant(milliseconds: play.now.milliseconds - 120_000 + 3_600_000))
  }

  @Test("an ad that is due but prevented by another rule stays due")
  func staysDue() throws {
    var play = Play { $0.minSeconds = .number(100) }
    #expect(try (1...3).map { _ in try play.ad() }.last?.shows == true)
    #expect(try (4...8).map { _ in try play.ad().refusal } == [.notDue, .notDue, .pacing, .pacing, .pacing])
    #expect(try play.ad(after: 100).shows)
  }

  @Test(
    "an ad cap counts the ads within its rolling window",
    arguments: [
      (Placement.Cap.Window.minute, 59, false), (.minute, 60, true), (.hour, 3599, false), (.hour, 3600, true), (.day, 86_399, false),
      (.day, 86_400, true), (.visit, 1799, false), (.visit, 1800, true), (.lifetime, 864_000, false),
    ])
  func caps(per: Placement.Cap.Window, seconds: Int64, shows: Bool) throws {
    var play = Play {
      $0.every = .number(1)
      $0.caps = [Placement.Cap(count: .number(1), per: per)]
    }
    #expect(try play.ad().shows)
    let decision = try play.ad(after: seconds)
    #expect(decision.shows == shows)
    if !shows { #expect(decision.refusal == .capped) }
  }

  @Test("the shortest time between ads applies to all placements of the game together")
  func otherPlacement() throws {
    var play = Play { $0.minSeconds = .number(60) }
    play.catalog.placements.append(Placement(id: "store", format: .interstitial, event: "opened_store", every: .number(1)))
    _ = try play.ad()
    _ = try play.ad()
    #expect(try play.record(PlayerEvent(name: "opened_store")).ads.first?.shows == true)
    #expect(try play.ad(after: 59).refusal == .pacing)
    #expect(try play.ad(after: 1).shows)
  }

  @Test("after the clock is set back, ads are blocked for no longer than the rules say", arguments: [-60, -3_600, -31_536_000])
  func clockBack(seconds: Int64) throws {
    var play = Play {
      $0.every = .number(1)
      $0.minSeconds = .number(60)
      $0.firstAdDelaySeconds = .number(30)
      $0.caps = [Placement.Cap(count: .number(1), per: .minute)]
    }
    _ = try play.ad()
    #expect(try play.ad(after: 40).shows)
    let jumped = try play.ad(after: seconds)
    #expect(!jumped.shows)
    #expect(try #require(jumped.next.notBefore).milliseconds - play.now.milliseconds <= 60_000)
    #expect(try play.ad(after: 59).refusal == .pacing)
    #expect(try play.ad(after: 1).shows)
  }

  @Test("a late event does not count for ads if it occurred before the last ad")
  func lateEvents() throws {
    var play = Play()
    _ = try play.ad()
    _ = try play.ad()
    #expect(try play.ad().shows)
    play.wait(seconds: 100)
    func late(_ secondsAgo: Int64) throws -> AdDecision? {
      let at = Instant(milliseconds: play.now.milliseconds - secondsAgo * 1000)
      return try play.record(PlayerEvent(name: "game_over", occurredAt: at)).ads.first
    }
    #expect(try late(200)?.counters.events == 0)
    #expect(try late(50)?.counters.events == 1)
  }

  @Test("a placement whose interval is 0 or unresolvable shows no ads", arguments: [nil, 0] as [Value?])
  func unresolved(every: Value?) throws {
    var play = Play()
    play.parameters.values["every"] = every
    #expect(try play.ad().refusal == .disabled)
    #expect(try play.state.adStatus(at: "game_over", under: play.terms).next.blockedBy == .disabled)
  }

  @Test("of two events at the same instant at most one shows an ad")
  func sameInstant() throws {
    var play = Play { $0.minSeconds = .number(1) }
    _ = try play.ad()
    _ = try play.ad()
    #expect(try (1...10).filter { _ in try play.ad().shows } == [1])
  }
}
