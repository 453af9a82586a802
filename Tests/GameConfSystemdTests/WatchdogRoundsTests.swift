// The watchdog's state machine, as tables of calls.

import Testing

@testable import GameConfSystemd

@Suite("Watchdog rounds")
struct WatchdogRoundsTests {
  @Test("the watchdog begins a round only after every event loop has answered the previous one")
  func allAnswer() {
    var rounds = WatchdogRounds(loops: 2)
    #expect(rounds.due() == .pingAndAsk(round: 1))
    rounds.answered(loop: 0, round: 1)
    #expect(rounds.due() == .hold(silent: [1], times: 1))
    rounds.answered(loop: 1, round: 1)
    #expect(rounds.due() == .pingAndAsk(round: 2))
  }

  @Test("an event loop's late answer to an earlier watchdog round does not count for the present one")
  func lateAnswer() {
    var rounds = WatchdogRounds(loops: 1)
    _ = rounds.due()
    rounds.answered(loop: 0, round: 1)
    #expect(rounds.due() == .pingAndAsk(round: 2))
    rounds.answered(loop: 0, round: 1)
    #expect(rounds.due() == .hold(silent: [0], times: 1))
    #expect(rounds.due() == .hold(silent: [0], times: 2))
  }

  @Test("a repeated answer of an event loop counts once, and an answer of an unknown loop is ignored")
  func strayAnswers() {
    var rounds = WatchdogRounds(loops: 2)
    _ = rounds.due()
    rounds.answered(loop: 0, round: 1)
    rounds.answered(loop: 0, round: 1)
    rounds.answered(loop: 7, round: 1)
    #expect(rounds.due() == .hold(silent: [1], times: 1))
  }
}
