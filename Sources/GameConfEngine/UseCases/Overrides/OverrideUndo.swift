// The undo data of an audit line about overrides.
import GameConfCore
import GameConfStorage

enum OverrideUndo {
  /// Returns the complete former overrides, and a mark of the new ones: each window's id and the revision that set it.
  static func undo(from before: KeyOverrides, to after: KeyOverrides) -> AuditUndo {
    AuditUndo(before: .list(before.records.map(OverrideDocument.document)), after: mark(of: after))
  }

  /// Returns the overrides before the change, decoded; unreadable ones are left out.
  static func records(in undo: AuditUndo) -> [OverrideRecord] { (undo.before.listValue ?? []).compactMap(OverrideDocument.record) }

  /// True if the slot has not changed since, except for edges and quarantine.
  static func isUnchanged(_ overrides: KeyOverrides, since undo: AuditUndo) -> Bool { mark(of: overrides) == undo.after }

  /// Returns the overrides to restore when a change is reverted; nil if the slot has changed since.
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
