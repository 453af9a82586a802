// The data in an audit line by which a change of overrides can be reverted.
import GameConfCore
import GameConfStorage

enum OverrideUndo {
  /// Returns the data for a revert: the complete former overrides and, for each new override, its window's id and the revision that set it.
  static func undo(from before: KeyOverrides, to after: KeyOverrides) -> AuditUndo {
    AuditUndo(before: .list(before.records.map(OverrideDocument.document)), after: mark(of: after))
  }

  /// Returns the overrides before the audited change, decoded; unreadable ones are left out.
  static func records(in undo: AuditUndo) -> [OverrideRecord] { (undo.before.listValue ?? []).compactMap(OverrideDocument.record) }

  /// True if the overrides have not changed since the audited change. The beginning of a window and a quarantine do not count as changes.
  static func isUnchanged(_ overrides: KeyOverrides, since undo: AuditUndo) -> Bool { mark(of: overrides) == undo.after }

  /// Returns the overrides to restore when the audited change is reverted; nil if the key's overrides have changed since.
  ///
  /// A window that has ended or was removed since is not restored.
  static func records(in undo: AuditUndo, over overrides: KeyOverrides) -> [OverrideRecord]? {
    let presentIDs = Set(overrides.windows.compactMap { $0.window?.id })
    let left = (undo.after.listValue ?? []).filter { $0.listValue?.first?.stringValue.map(presentIDs.contains) ?? true }
    guard .list(left) == mark(of: overrides) else { return nil }
    let gone = Set((undo.after.listValue ?? []).compactMap { $0.listValue?.first?.stringValue }).subtracting(presentIDs)
    return records(in: undo).filter { !($0.window.map { gone.contains($0.id) } ?? false) }
  }

  private static func mark(of overrides: KeyOverrides) -> Value {
    .list(overrides.records.map { record in [record.window.map { .string($0.id) } ?? .null, .integer(record.revision)] })
  }
}
