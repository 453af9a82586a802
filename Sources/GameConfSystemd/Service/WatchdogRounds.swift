// Decides when the watchdog may be notified that all is well: a state machine without a clock or a thread.

/// Rounds of questions to event loops: a new one begins only when every loop has answered the last.
struct WatchdogRounds: Sendable {
  /// The action when a round is due.
  enum Action: Hashable, Sendable {
    /// All have answered: notify the manager, and ask every loop with this round's number.
    case pingAndAsk(round: Int)
    /// These have not answered yet, for so many rounds; notify nobody.
    case hold(silent: [Int], times: Int)
  }

  private let loops: Int
  private var round = 0
  private var silent: Set<Int> = []
  private var held = 0

  init(loops: Int) { self.loops = loops }

  /// A period is over.
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

  /// A loop has answered; an answer to an earlier round says nothing about now.
  mutating func answered(loop: Int, round: Int) {
    if round == self.round { silent.remove(loop) }
  }
}
