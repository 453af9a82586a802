// The log's lines about reloads.

import GameConfEngine
import GameConfSystemd
import Logging

extension Logger {
  /// Says what a reload came to: each game whose state changed, and whether what was asked for was done.
  func note(_ report: ReloadReport) {
    for outcome in report.outcomes { note(outcome) }
    var fields: [LogField: String] = [:]
    if case .asked(let author, _) = report.cause { fields[.actorUID] = String(author.uid) }
    if let storeError = report.storeError {
      if case .again = report.cause { return }
      fields[.errorCode] = storeError.code.rawValue
      return error("reload failed (\(report.cause.words)): the store says: \(storeError)", metadata: .fields(.reloadFailed, fields))
    }
    if case .start = report.cause { return }
    if case .again = report.cause, report.outcomes.allSatisfy({ $0.kind == .unchanged || $0.isKnown }) { return }
    let bad = report.outcomes.filter { $0.kind == .degraded || $0.kind == .refused }
    if let first = bad.first {
      fields[.errorCode] = "CATALOG_REFUSED"
      if bad.count == 1 { fields[.game] = first.game }
      // What is wrong with each stands above, or was reported when it was new.
      return error(
        "reload refused (\(report.cause.words)): \(bad.map(\.game).joined(separator: ", "))", metadata: .fields(.reloadFailed, fields))
    }
    let changed = report.outcomes.filter { $0.kind == .changed }.map(\.game)
    notice(
      "reloaded (\(report.cause.words)): \(changed.isEmpty ? "nothing changed" : changed.joined(separator: ", "))",
      metadata: .fields(fields))
  }

  private func note(_ outcome: ReloadOutcome) {
    var fields: [LogField: String] = [.game: outcome.game]
    fields[.revision] = outcome.revision.map(String.init)
    let faults = outcome.faults.joined(separator: "; ")
    switch outcome.kind {
    case .unchanged, .changed:
      if outcome.isRecovered {
        notice("catalog is valid again", metadata: .fields(.catalogRecovered, fields))
      } else if outcome.kind == .changed {
        info("catalog accepted", metadata: .fields(fields))
      }
      if !outcome.faults.isEmpty { error("catalog \(faults)", metadata: .fields(fields)) }
    case .degraded, .refused:
      if outcome.isKnown { return }
      fields[.errorCode] = "CATALOG_REFUSED"
      let what = outcome.kind == .degraded ? "the last accepted one stays in force" : "the game is not served"
      error("catalog refused, \(what): \(faults)", metadata: .fields(.catalogDegraded, fields))
    }
  }
}

extension ReloadCause {
  /// The cause in a phrase.
  fileprivate var words: String {
    switch self {
    case .start: "at the start"
    case .again: "tried again"
    case .hangUp: "SIGHUP"
    case .saved: "a catalog was saved"
    case .asked(let author, _): "requested by \(author.name)"
    }
  }
}
