// Tests simulated time: stopped, moved, accelerated, and never moved backwards.

import GameConfCore
import Testing

@Suite("Simulated clock")
struct SimulatedClockTests {
  private let noon = Instant(seconds: 1_795_262_400)

  private func code(_ body: () throws(Refusal) -> Void) -> ProblemCode? {
    do {
      try body()
      return nil
    } catch { return error.code }
  }

  @Test("a simulated clock that was never moved shows the host's time") func host() {
    #expect(SimulatedClock.host.now(host: noon) == noon)
    #expect(SimulatedClock.host.now(host: Instant(milliseconds: .max)) == .latest)
    #expect(PlayerClock.game.now(game: noon) == noon)
  }

  @Test(
    "a simulated clock that was moved continues from its new time at its rate",
    arguments: [(Int64(1000), Int64(60)), (0, 0), (86_400_000, 5_184_000), (500, 30)])
  func rate(thousandths: Int64, seconds: Int64) throws {
    let month = CalendarPeriod(count: 1, unit: .month)
    let clock = try SimulatedClock.host.advancing(by: month, host: noon).running(rateThousandths: thousandths, host: noon)
    let minuteLater = Instant(seconds: noon.seconds + 60)
    let start = try #require(noon.adding(month))
    #expect(clock.now(host: minuteLater) == Instant(seconds: start.seconds + seconds))
    #expect(clock.now(host: Instant(seconds: noon.seconds - 60)) == start)
  }

  @Test("a simulated clock cannot be moved backwards or beyond the calendar") func bounds() throws {
    let earlier = Instant(milliseconds: noon.milliseconds - 1)
    #expect(code { () throws(Refusal) in _ = try SimulatedClock.host.setting(to: earlier, host: noon) } == .clockBackwards)
    #expect(code { () throws(Refusal) in _ = try SimulatedClock.host.advancing(milliseconds: -1, host: noon) } == .clockBackwards)
    #expect(
      code { () throws(Refusal) in _ = try SimulatedClock.host.advancing(milliseconds: .max, host: noon) } == .outsideCalendar)
    #expect(code { () throws(Refusal) in _ = try SimulatedClock.host.running(rateThousandths: -1, host: noon) } == .clockRate)
    let far = CalendarPeriod(count: 9000, unit: .year)
    #expect(code { () throws(Refusal) in _ = try SimulatedClock.host.advancing(by: far, host: noon) } == .outsideCalendar)
    let fast = try SimulatedClock.host.running(rateThousandths: SimulatedClock.rateThousandthsMax, host: noon)
    #expect(fast.now(host: .latest) == .latest)
    #expect(throws: Never.self) { try SimulatedClock.host.setting(to: .latest, host: noon) }
  }

  @Test(
    "the host's instant for a simulated one is the first that shows it, and nil for a stopped clock",
    arguments: [Int64(1), 333, 500, 1000, 1001, 86_400_000, SimulatedClock.rateThousandthsMax])
  func inverse(thousandths: Int64) throws {
    let day = CalendarPeriod(count: 1, unit: .day)
    let clock = try SimulatedClock.host.advancing(by: day, host: noon).running(rateThousandths: thousandths, host: noon)
    for milliseconds in [Int64(1), 2, 999, 1000, 1001, 86_399_999] {
      let simulated = Instant(milliseconds: clock.anchor.milliseconds + milliseconds)
      let host = try #require(clock.host(at: simulated))
      #expect(clock.now(host: host) >= simulated)
      #expect(clock.now(host: Instant(milliseconds: host.milliseconds - 1)) < simulated)
    }
    #expect(clock.host(at: noon) == noon)
    #expect(SimulatedClock.host.host(at: noon) == noon)
    let held = try clock.running(rateThousandths: 0, host: noon)
    #expect(held.host(at: held.anchor) == noon)
    #expect(held.host(at: Instant(milliseconds: held.anchor.milliseconds + 1)) == nil)
  }

  @Test("the offset of a player's clock can only grow") func player() throws {
    let day = CalendarPeriod(count: 1, unit: .day)
    let clock = try PlayerClock.game.advancing(by: day, game: noon)
    #expect(clock.offsetMilliseconds == 86_400_000)
    #expect(clock.now(game: noon) == noon.adding(day))
    #expect(code { () throws(Refusal) in _ = try clock.setting(to: noon, game: noon) } == .clockBackwards)
    #expect(code { () throws(Refusal) in _ = try clock.offset(milliseconds: 1, game: noon) } == .clockBackwards)
    #expect(code { () throws(Refusal) in _ = try clock.offset(milliseconds: .max, game: noon) } == .outsideCalendar)
    #expect(clock.now(game: .latest) == .latest)
  }
}
