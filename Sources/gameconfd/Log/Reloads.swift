// Logs reloads of the catalogs. Faults in catalogs are logged as degradations instead.

import GameConfEngine
import GameConfSystemd
import Logging

extension Logger {
  /// Logs the result of a reload: each game that changed, and whether the requested reload succeeded.
  func note(_ report: ReloadReport) {
    for outcome in report.outcomes { note(outcome) }
    var fields: [LogField: String] = [:]
    if case .requested(let author, _) = report.cause { fields[.actorUID] = String(author.uid) }
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
      // The faults themselves were logged when the games' degradations began.
      return error(
        "reload refused (\(report.cause.words)): \(bad.map(\.game).joined(separator: ", "))", metadata: .fields(.reloadFailed, fields))
    }
    let changed = report.outcomes.filter { $0.kind == .changed }.map(\.game)
    notice(
      "reloaded (\(report.cause.words)): \(changed.isEmpty ? "nothing changed" : changed.joined(separator: ", "))",
      metadata: .fields(fields))
  }

  private func note(_ outcome: ReloadOutcome) {
    guard outcome.kind == .changed else { return }
    var fields: [LogField: String] = [.game: outcome.game]
    fields[.revision] = outcome.revision.map(String.init)
    info("catalog accepted", metadata: .fields(fields))
  }
}

extension ReloadCause {
  /// The cause of a reload as a phrase.
  fileprivate var words: String {
    switch self {
    case .start: "at the start"
    case .again: "tried again"
    case .hangUp: "SIGHUP"
    case .saved: "a catalog was saved"
    case .requested(let author, _): "requested by \(author.name)"
    }
  }
}
