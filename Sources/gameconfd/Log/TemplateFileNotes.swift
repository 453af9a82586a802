// Logs changes of template files.

import GameConfEngine
import GameConfSystemd
import Logging

extension Logger {
  /// Logs that a template file was read. Failures are logged as degradations.
  func note(_ outcome: TemplateFileOutcome) {
    switch outcome {
    case .taken(let game, let path, let version, let isInForce):
      let what = isInForce ? "in force" : "waits to be activated"
      notice("template read from \(path): version \(version) \(what)", metadata: .fields([.game: game]))
    // ``DegradationJournal`` logs these outcomes.
    case .failed, .recovered: break
    }
  }
}
