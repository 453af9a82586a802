// Reads the audit log.
public import GameConfStorage

/// Lists lines of the audit log, the newest first.
public struct ListAudit: Sendable {
  private static let deadlineMilliseconds = 2_000
  private let store: any Store

  /// A use case on a store.
  package init(store: any Store) { self.store = store }

  /// The lines that are selected.
  public func callAsFunction(_ selection: AuditSelection) async throws(StoreError) -> [AuditRecord] {
    try await store.read(deadlineMilliseconds: Self.deadlineMilliseconds) { view in try view.audits(selection) }
  }
}

/// Shows one line of the audit log.
public struct ShowAudit: Sendable {
  private let store: any Store

  /// A use case on a store.
  package init(store: any Store) { self.store = store }

  /// The line of that id in that game; nil where there is none.
  public func callAsFunction(_ id: Int64, in game: String?) async throws(StoreError) -> AuditRecord? {
    let line = try await store.read { view in try view.audit(id) }
    return game == nil || line?.game == game ? line : nil
  }
}
