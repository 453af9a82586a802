// Decides when the watchdog pings: a state machine without a clock or a thread.

/// Rounds of probes to the event loops. A new round begins only after every loop has answered the previous one.
struct WatchdogRounds: Sendable {
  /// The action for one period of the watchdog.
  enum Action: Hashable, Sendable {
    /// All loops have answered: ping the manager, and probe every loop with this round's number.
    case pingAndAsk(round: Int)
    /// The loops in `silent` have not answered for `times` periods: send no ping.
    case hold(silent: [Int], times: Int)
  }

  private let loops: Int
  private var round = 0
  private var silent: Set<Int> = []
  private var held = 0

  init(loops: Int) { self.loops = loops }

  /// Returns the action for the next period.
  mutating func due() -> Action {
    guard silent.isEmpty else {
      held += 1
      return .hold(silent: silent.sorted(), times: held)
    }
    held = 0
    round += 1
    silent = Set(0..<loops)
    return .pingAndAsk(round: round)
  }

  /// Records the answer of a loop. Ignores an answer to an earlier round, because the loop may hang since.
  mutating func answered(loop: Int, round: Int) {
    if round == self.round { silent.remove(loop) }
  }
}
