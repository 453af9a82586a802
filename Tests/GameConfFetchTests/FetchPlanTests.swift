// When a source is read next, and what the journal says: pure steps on a clock moved by hand.

import Testing

@testable import gameconf_fetch

@Suite("The plan of a source")
struct FetchPlanTests {
  private static let quarter: Int64 = 900_000

  @Test("reads first within ten seconds or a tenth of the interval, then after the interval, a tenth either way")
  func interval() {
    #expect(FetchPlan(interval: Self.quarter, now: 0, random: 0).due == 0)
    #expect(FetchPlan(interval: Self.quarter, now: 0, random: 0.5).due == 5_000)
    #expect(FetchPlan(interval: 1_000, now: 0, random: 0.5).due == 50)
    var plan = FetchPlan(interval: Self.quarter, now: 0, random: 0)
    plan.succeed(1_000, random: 0)
    #expect(plan.due == 1_000 + 810_000)
    plan.succeed(1_000, random: 0.5)
    #expect(plan.due == 1_000 + 900_000)
  }

  @Test("doubles its pauses while it fails, up to the interval, and begins anew when it is good")
  func backOff() {
    var plan = FetchPlan(interval: Self.quarter, now: 0, random: 0)
    var pauses: [Int64] = []
    for _ in 0..<8 {
      plan.fail(0, retryAfter: nil, random: 0.5)
      pauses.append(plan.due)
    }
    #expect(pauses == [30_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000, 900_000])
    for _ in 0..<100 { plan.fail(0, retryAfter: nil, random: 0.5) }
    #expect(plan.due == 900_000, "never beyond, however often")
    plan.succeed(0, random: 0.5)
    plan.fail(0, retryAfter: nil, random: 0.5)
    #expect(plan.due == 30_000)
  }

  @Test("leaves a server alone as long as it asks, six hours at most; who asks for a fetch waits too")
  func retryAfter() {
    var plan = FetchPlan(interval: Self.quarter, now: 0, random: 0)
    plan.fail(0, retryAfter: 120_000, random: 0.5)
    #expect(plan.due == 120_000)
    plan.ask(1_000, least: 0)
    #expect(plan.due == 120_000)
    plan.fail(0, retryAfter: 1_000, random: 0.5)
    #expect(plan.due == 60_000, "the own pause is the longer one")
    plan.fail(0, retryAfter: .max / 2, random: 0.5)
    #expect(plan.due == 21_600_000)
    plan.succeed(0, random: 0.5)
    plan.ask(5_000, least: 0)
    #expect(plan.due == 5_000)
  }

  @Test("reads when it is asked to, once the game lets it")
  func asked() {
    var plan = FetchPlan(interval: Self.quarter, now: 0, random: 0)
    plan.start(10_000)
    plan.succeed(11_000, random: 0.5)
    plan.ask(20_000, least: 60_000)
    #expect(plan.due == 70_000)
    plan.ask(80_000, least: 60_000)
    #expect(plan.due == 70_000, "it is due already")
    plan.start(80_000)
    plan.succeed(81_000, random: 0.5)
    plan.ask(82_000, least: 86_400_000)
    #expect(plan.due == 81_000 + 900_000, "never later than it would be anyway")
    plan.ask(83_000, least: 0)
    #expect(plan.due == 83_000)
  }

  @Test("the journal has one line when it fails and one when it is good again")
  func journal() {
    var journal = SourceJournal()
    #expect(journal.note([]) == nil)
    #expect(journal.note(["500"]) == .failed(["500"]))
    #expect(journal.note(["500"]) == nil && journal.note(["another"]) == nil)
    #expect(journal.note([]) == .recovered(after: 3))
    #expect(journal.note([]) == nil)
    #expect(journal.note(["again"]) == .failed(["again"]))
  }
}
