// Logs the outcomes of fetches, and shows systemd the number of failing sources.

import GameConfSystemd
import Logging
import Synchronization

/// The log of gameconf-fetch, and its status line in `systemctl status`.
final class FetchLog: Sendable {
  private let logger: Logger
  private let notifier = ServiceNotifier()
  private let failing = Mutex<Set<String>>([])
  private let sources: Int

  init(_ logger: Logger, sources: Int) {
    self.logger = logger
    self.sources = sources
  }

  func ready() {
    logger.notice("ready: \(sources) \(sources == 1 ? "source" : "sources")")
    notifier.ready(status: status(0))
  }

  /// Logs that the daemon stores a source's document as this version, either new or unchanged.
  func accepted(_ source: FetchSource, version: Int64) {
    logger.debug("template fetched from \(source.shown): version \(version)", metadata: .fields([.game: source.game]))
  }

  func write(_ line: SourceJournal.SourceEntry, of source: FetchSource) {
    switch line {
    case .failed(let faults):
      logger.error(
        "template not fetched from \(source.shown), the version in force stays: \(faults.joined(separator: "; "))",
        metadata: .fields([.game: source.game, .errorCode: "TEMPLATE_NOT_FETCHED"]))
    case .recovered(let failures):
      logger.notice(
        "template fetched again from \(source.shown), after \(failures) \(failures == 1 ? "failure" : "failures")",
        metadata: .fields([.game: source.game]))
    }
  }

  func updateStatus(_ game: String, isFailing: Bool) {
    let count = failing.withLock { failing -> Int? in
      let changed = isFailing ? failing.insert(game).inserted : failing.remove(game) != nil
      return changed ? failing.count : nil
    }
    if let count { notifier.status(status(count)) }
  }

  private func status(_ failing: Int) -> String { "\(sources) sources, \(failing) failing" }
}
