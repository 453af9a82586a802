// The log's lines about a template's file.

import GameConfEngine
import GameConfSystemd
import Logging

extension Logger {
  /// Says what became of a file: one line when it fails, one when it is good again, one when it was taken.
  func note(_ news: TemplateFileOutcome) {
    switch news {
    case .taken(let game, let path, let version, let isInForce):
      let what = isInForce ? "in force" : "waits to be activated"
      notice("template read from \(path): version \(version) \(what)", metadata: .fields([.game: game]))
    case .failed(let game, let path, let faults):
      error(
        "template not read from \(path), the version in force stays: \(faults.joined(separator: "; "))",
        metadata: .fields([.game: game, .errorCode: "TEMPLATE_REFUSED"]))
    case .recovered(let game, let path): notice("template is valid again: \(path)", metadata: .fields([.game: game]))
    }
  }
}
