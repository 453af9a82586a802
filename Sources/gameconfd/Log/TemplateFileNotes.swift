// The log's lines about a template's file.

import GameConfEngine
import GameConfSystemd
import Logging

extension Logger {
  /// Says what became of a file: one line when it was taken.
  func note(_ news: TemplateFileOutcome) {
    switch news {
    case .taken(let game, let path, let version, let isInForce):
      let what = isInForce ? "in force" : "waits to be activated"
      notice("template read from \(path): version \(version) \(what)", metadata: .fields([.game: game]))
    // The list of degradations logs these.
    case .failed, .recovered: break
    }
  }
}
