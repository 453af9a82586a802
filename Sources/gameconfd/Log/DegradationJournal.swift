// Logs degradations: a line when a degradation begins or changes, and a line when it ends.

import GameConfCore
import GameConfEngine
import GameConfSystemd
import Logging
import Synchronization

/// Logs the changes of the daemon's list of degradations.
final class DegradationJournal: Sendable {
  private let logger: Logger
  private let logged = Mutex<[ActiveDegradation]>([])

  init(_ logger: Logger) { self.logger = logger }

  /// Logs the difference between this list and the previous one. Calls must come one after another, in the order of the changes.
  func note(_ present: [ActiveDegradation]) {
    let former = logged.withLock { logged in
      defer { logged = present }
      return logged
    }
    for each in present where !former.contains(where: { $0.isSame(as: each) && $0.details == each.details }) { logger.note(begun: each) }
    for each in former where !present.contains(where: each.isSame) { logger.note(ended: each) }
  }
}

extension ActiveDegradation {
  fileprivate func isSame(as other: ActiveDegradation) -> Bool { kind == other.kind && game == other.game }
}

extension Logger {
  fileprivate func note(begun degradation: ActiveDegradation) {
    // Unreadable rows and quarantined overrides are logged one by one elsewhere, with the player's id hashed.
    if degradation.kind == .rowsUnreadable || degradation.kind == .overridesQuarantined { return }
    let declaration = degradation.kind.declaration
    let level: Logger.Level =
      switch declaration.severity {
      case .warning: .warning
      case .error: .error
      case .critical: .critical
      }
    log(
      level: level, "\(declaration.title): \(degradation.details.joined(separator: "; "))",
      metadata: .fields(message: declaration.messageID, degradation.fields))
  }

  fileprivate func note(ended degradation: ActiveDegradation) {
    let message: MessageID = degradation.kind.declaration.part == .store ? .storeRecovered : .recovered
    notice("over: \(degradation.kind.declaration.title)", metadata: .fields(message, degradation.fields))
  }
}

extension ActiveDegradation {
  fileprivate var fields: [LogField: String] {
    var fields: [LogField: String] = [.degradation: kind.rawValue]
    fields[.game] = game
    return fields
  }
}
