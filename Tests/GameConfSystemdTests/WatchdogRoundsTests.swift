// When the watchdog pings, as tables of calls.

import Testing

@testable import GameConfSystemd

@Suite("Watchdog rounds")
struct WatchdogRoundsTests {
  @Test("each round begins when every loop has answered the last")
  func allAnswer() {
    var rounds = WatchdogRounds(loops: 2)
    #expect(rounds.due() == .pingAndAsk(round: 1))
    rounds.answered(loop: 0, round: 1)
    #expect(rounds.due() == .hold(silent: [1], times: 1))
    rounds.answered(loop: 1, round: 1)
    #expect(rounds.due() == .pingAndAsk(round: 2))
  }

  @Test("a late answer to an earlier round does not count for this one")
  func lateAnswer() {
    var rounds = WatchdogRounds(loops: 1)
    _ = rounds.due()
    rounds.answered(loop: 0, round: 1)
    #expect(rounds.due() == .pingAndAsk(round: 2))
    rounds.answered(loop: 0, round: 1)
    #expect(rounds.due() == .hold(silent: [0], times: 1))
    #expect(rounds.due() == .hold(silent: [0], times: 2))
  }

  @Test("an answer given twice counts once, and loops that do not exist count for nothing")
  func strayAnswers() {
    var rounds = WatchdogRounds(loops: 2)
    _ = rounds.due()
    rounds.answered(loop: 0, round: 1)
    rounds.answered(loop: 0, round: 1)
    rounds.answered(loop: 7, round: 1)
    #expect(rounds.due() == .hold(silent: [1], times: 1))
  }
}
