// Decides when the watchdog pings: a state machine without a clock or a thread.

/// Rounds of probes to the event loops. A new round begins only after every loop has answered the previous one.
struct WatchdogRounds: Sendable {
  /// The action of the watchdog in one period, a quarter of the service manager's timeout.
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

  /// Returns the watchdog's action for the next period, and counts a period without a ping.
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

  /// Records that a loop has answered a probe. An answer to an earlier round is ignored, because the loop may hang since then.
  mutating func answered(loop: Int, round: Int) {
    if round == self.round { silent.remove(loop) }
  }
}
