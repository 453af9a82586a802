// Tests the schedule of a source and the messages of its journal, with a clock that the test moves.

import Testing

@testable import gameconf_fetch

@Suite("Fetch schedule of a source")
struct FetchPlanTests {
  private static let quarter: Int64 = 900_000

  @Test("the first fetch comes within a tenth of the interval or ten seconds, each later one after the interval with a jitter of a tenth")
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

  @Test("failed fetches back off exponentially up to the interval, and a success resets the backoff")
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

  @Test("a fetch waits for the server's Retry-After, at most six hours, also when a fetch is requested")
  func retryAfter() {
    var plan = FetchPlan(interval: Self.quarter, now: 0, random: 0)
    plan.fail(0, retryAfter: 120_000, random: 0.5)
    #expect(plan.due == 120_000)
    plan.request(1_000, least: 0)
    #expect(plan.due == 120_000)
    plan.fail(0, retryAfter: 1_000, random: 0.5)
    #expect(plan.due == 60_000, "the own pause is the longer one")
    plan.fail(0, retryAfter: .max / 2, random: 0.5)
    #expect(plan.due == 21_600_000)
    plan.succeed(0, random: 0.5)
    plan.request(5_000, least: 0)
    #expect(plan.due == 5_000)
  }

  @Test("a requested fetch waits for the minimum interval between two fetches of the game")
  func onRequest() {
    var plan = FetchPlan(interval: Self.quarter, now: 0, random: 0)
    plan.start(10_000)
    plan.succeed(11_000, random: 0.5)
    plan.request(20_000, least: 60_000)
    #expect(plan.due == 70_000)
    plan.request(80_000, least: 60_000)
    #expect(plan.due == 70_000, "it is due already")
    plan.start(80_000)
    plan.succeed(81_000, random: 0.5)
    plan.request(82_000, least: 86_400_000)
    #expect(plan.due == 81_000 + 900_000, "never later than it would be anyway")
    plan.request(83_000, least: 0)
    #expect(plan.due == 83_000)
  }

  @Test("the journal logs a source's first failure and its recovery, not the failures between them")
  func journal() {
    var journal = SourceJournal()
    #expect(journal.record([]) == nil)
    #expect(journal.record(["500"]) == .failed(["500"]))
    #expect(journal.record(["500"]) == nil && journal.record(["another"]) == nil)
    #expect(journal.record([]) == .recovered(after: 3))
    #expect(journal.record([]) == nil)
    #expect(journal.record(["again"]) == .failed(["again"]))
  }
}
