// Reads the audit log.
package import GameConfStorage

extension Store {
  /// Returns the selected lines of the audit log, newest first.
  package func audits(_ selection: AuditSelection) async throws(StoreError) -> [AuditRecord] {
    try await read(deadlineMilliseconds: AuditSelection.deadlineMilliseconds) { view in try view.audits(selection) }
  }

  /// Returns the line with an id in a game; nil if there is none.
  package func audit(_ id: Int64, in game: String?) async throws(StoreError) -> AuditRecord? {
    let line = try await read { view in try view.audit(id) }
    return game == nil || line?.game == game ? line : nil
  }
}

extension AuditSelection {
  fileprivate static let deadlineMilliseconds = 2_000
}
