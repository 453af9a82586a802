// What an audit line keeps so that a change of overrides can be taken back.
import GameConfCore

enum OverrideUndo {
  /// The overrides before, whole, and which ones stood after: a window's id and the revision that set each.
  static func undo(from before: KeyOverrides, to after: KeyOverrides) -> AuditUndo {
    AuditUndo(before: .list(before.records.map(OverrideDocument.document)), after: mark(of: after))
  }

  /// The overrides that stood before.
  static func records(in undo: AuditUndo) -> [OverrideRecord] { (undo.before.listValue ?? []).compactMap(OverrideDocument.record) }

  /// Whether the slot is as the change left it; edges and quarantine aside.
  static func isUnchanged(_ overrides: KeyOverrides, since undo: AuditUndo) -> Bool { mark(of: overrides) == undo.after }

  private static func mark(of overrides: KeyOverrides) -> Value {
    .list(overrides.records.map { record in [record.window.map { .string($0.id) } ?? .null, .integer(record.revision)] })
  }
}
