// Tests reports on ads: accepted, repeated and rejected ones.

import GameConfCore
import Testing

@Suite("Ad reports")
struct AdReportTests {
  private func fresh(_ format: Placement.Format = .interstitial, _ player: String = "p1") throws -> (play: Play, decision: AdDecision) {
    var play = Play(player) {
      $0.every = .number(1)
      $0.format = format
    }
    let decision = try play.ad()
    return (play, decision)
  }

  @Test("an ad decision can be reported on for one hour", arguments: [(3_600, nil), (3_601, true)] as [(Int64, Bool?)])
  func hour(seconds: Int64, isLate: Bool?) throws {
    var (play, decision) = try fresh()
    let id = try #require(decision.decisionID)
    let fault = fault { _ = try play.report(.noFill, of: decision, after: seconds) }
    #expect(fault == (isLate == true ? .decisionTooOld(id) : nil))
  }

  @Test("a report on a decision of another player or placement, or an invented one, is rejected")
  func unknown() throws {
    var (play, decision) = try fresh()
    play.catalog.placements.append(Placement(id: "other", format: .banner, event: "opened_store", every: .number(1)))
    let id = try #require(decision.decisionID)
    let foreign = try #require(try fresh(.interstitial, "p2").decision.decisionID)
    for wrong in ["", "1", "1-0000000000000000", "2" + id.dropFirst(), "-1-aa", "99999999999999999999-aa", id + "0", foreign, " " + id] {
      decision.decisionID = wrong
      #expect(fault { _ = try play.report(.shown, of: decision) } == .unknownDecision(String(wrong.prefix(64))))
    }
    #expect(fault { _ = try play.state.reportAd(id, .shown, at: "other", under: play.terms) } == .unknownDecision(id))
    #expect(fault { _ = try play.state.reportAd(id, .shown, at: "game_ovr", under: play.terms) }?.message.contains("game_over") == true)
  }

  @Test("repeating an ad report changes nothing", arguments: AdOutcome.allCases)
  func repeats(outcome: AdOutcome) throws {
    var (play, decision) = try fresh(.rewarded)
    #expect(try !play.report(outcome, of: decision).isRepeat)
    let before = play.state
    let again = try play.report(outcome, of: decision, after: 5)
    #expect(again.isRepeat)
    #expect(!again.isGivenBack)
    #expect(play.state == before)
  }

  @Test(
    "a report that an ad was shown contradicts one that it failed",
    arguments: [
      (AdOutcome.shown, AdOutcome.noFill), (.closed, .failed), (.rewarded, .noFill), (.noFill, .shown), (.failed, .closed),
      (.noFill, .failed),
      (.noFill, .rewarded),
    ])
  func contradictions(first: AdOutcome, second: AdOutcome) throws {
    var (play, decision) = try fresh(.rewarded)
    _ = try play.report(first, of: decision)
    #expect(fault { _ = try play.report(second, of: decision) } == .reportContradicts(earlier: first, now: second))
  }

  @Test("an ad may be reported as shown, then rewarded, then closed")
  func sequence() throws {
    var (play, decision) = try fresh(.rewarded)
    for outcome in [AdOutcome.shown, .rewarded, .closed] { #expect(try !play.report(outcome, of: decision, after: 1).isRepeat) }
    #expect(play.state.ads.lastRewardAt == Instant(milliseconds: play.now.milliseconds - 1000))
  }

  @Test("a reward is accepted only for placements that show rewarded ads")
  func notRewarded() throws {
    var (play, decision) = try fresh()
    #expect(fault { _ = try play.report(.rewarded, of: decision) } == .notRewarded(placement: "game_over"))
  }

  @Test("a no_fill report removes the ad from caps and from the time since the last ad")
  func givesBack() throws {
    var play = Play {
      $0.every = .number(1)
      $0.onNoFill = .dropSlot
      $0.minSeconds = .number(60)
      $0.caps = [Placement.Cap(count: .number(2), per: .day), Placement.Cap(count: .number(2), per: .visit)]
    }
    #expect(try play.ad().shows)
    let second = try play.ad(after: 60)
    #expect(second.shows)
    #expect(try play.ad(after: 1).refusal == .pacing)
    let standing = try play.report(.noFill, of: second).standing
    #expect(standing.shows)
    #expect(standing.counters.showsEver == 1)
    #expect(standing.counters.showsInVisit == 1)
    #expect(try play.ad().shows)
    #expect(try play.ad(after: 60).refusal == .capped)
  }

  @Test("only the most recent 64 ad decisions can be reported on")
  func newest() throws {
    var (play, first) = try fresh()
    var decisions = [first]
    for _ in 0..<PlayerLimits.decisionsMax { decisions.append(try play.ad()) }
    #expect(fault { _ = try play.report(.shown, of: decisions[0]) } == .decisionTooOld(decisions[0].decisionID ?? ""))
    #expect(try !play.report(.shown, of: decisions[1]).isRepeat)
    first = decisions[2]
    #expect(try play.report(.closed, of: first).outcome == .closed)
  }
}
