// The values that an audit line keeps so that a change of overrides can be taken back.
import GameConfCore
import GameConfStorage

enum OverrideUndo {
  /// The overrides before, whole, and which ones stood after: a window's id and the revision that set each.
  static func undo(from before: KeyOverrides, to after: KeyOverrides) -> AuditUndo {
    AuditUndo(before: .list(before.records.map(OverrideDocument.document)), after: mark(of: after))
  }

  /// The overrides that stood before.
  static func records(in undo: AuditUndo) -> [OverrideRecord] { (undo.before.listValue ?? []).compactMap(OverrideDocument.record) }

  /// True if the slot is as the change left it; edges and quarantine aside.
  static func isUnchanged(_ overrides: KeyOverrides, since undo: AuditUndo) -> Bool { mark(of: overrides) == undo.after }

  /// The overrides that stand again when a change is taken back; nil where the slot has been changed since.
  ///
  /// A window that is gone since, because it ended or was removed, stays gone.
  static func records(in undo: AuditUndo, over overrides: KeyOverrides) -> [OverrideRecord]? {
    let stands = Set(overrides.windows.compactMap { $0.window?.id })
    let left = (undo.after.listValue ?? []).filter { $0.listValue?.first?.stringValue.map(stands.contains) ?? true }
    guard .list(left) == mark(of: overrides) else { return nil }
    let gone = Set((undo.after.listValue ?? []).compactMap { $0.listValue?.first?.stringValue }).subtracting(stands)
    return records(in: undo).filter { !($0.window.map { gone.contains($0.id) } ?? false) }
  }

  private static func mark(of overrides: KeyOverrides) -> Value {
    .list(overrides.records.map { record in [record.window.map { .string($0.id) } ?? .null, .integer(record.revision)] })
  }
}
