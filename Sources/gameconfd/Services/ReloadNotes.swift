// What reloads made of the games, logged when it is news.

import GameConfEngine
import Logging
import Synchronization

/// Logs the outcomes of reloads; faults that were told and are still the same are not told again.
final class ReloadNotes: Sendable {
  private let logger: Logger
  private let told = Mutex<[String: ReloadOutcome]>([:])

  init(logger: Logger) { self.logger = logger }

  func note(_ outcomes: [ReloadOutcome]) {
    for outcome in outcomes {
      let last = told.withLock { $0.updateValue(outcome, forKey: outcome.game) }
      if outcome.kind == .unchanged, last?.kind == .degraded {
        logger.notice("catalog good again", metadata: ["game": "\(outcome.game)"])
      } else if outcome.kind == .changed || last?.kind != outcome.kind || last?.faults != outcome.faults {
        logger.note(outcome)
      }
    }
  }
}
