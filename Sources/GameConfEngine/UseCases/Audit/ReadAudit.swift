// Reads the audit log.
package import GameConfStorage

extension Store {
  /// Returns the selected lines of the audit log, newest first.
  package func audits(_ selection: AuditSelection) async throws(StoreError) -> [AuditRecord] {
    try await read(deadlineMilliseconds: AuditSelection.deadlineMilliseconds) { view in try view.audits(selection) }
  }

  /// Returns the line of the audit log with an id; nil if there is no such line or it is about another game.
  package func audit(_ id: Int64, in game: String?) async throws(StoreError) -> AuditRecord? {
    let line = try await read { view in try view.audit(id) }
    return game == nil || line?.game == game ? line : nil
  }
}

extension AuditSelection {
  fileprivate static let deadlineMilliseconds = 2_000
}
