// Reverts the change that a line of the audit log records.
import GameConfCore

extension OverrideService {
  /// Reverts the change that an audit line records: restores the overrides that the key had before. The revert has its own audit line, and
  /// can itself be reverted.
  ///
  /// The author of the restored overrides is the user who reverts. Windows that have ended since are not restored.
  /// - Parameter force: True to revert the change even if it was reverted before or the key's overrides have changed since.
  /// - Throws: `.unknownAudit`, `.notRevertible`, `.alreadyReverted`, `.changedSince`, and the errors of ``change(_:at:_:remembering:)``.
  public func revert(
    _ id: Int64, in game: String, force: Bool = false, _ context: ChangeContext,
    remembering: RepeatableChange<OverrideOutcome, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<OverrideOutcome> {
    try await change(in: game, context, remembering) { edit in
      let transaction = edit.transaction
      guard let line = try transaction.audit(id), line.game == game else { throw ChangeRefusal.unknownAudit(id) }
      guard let undo = line.undo, let key = line.key else { throw ChangeRefusal.notRevertible(line.action) }
      let slot = OverrideSlot(game: game, player: line.player, key: key)
      let before = try edit.load(slot)
      try edit.checkPrecondition(at: slot)
      if !force {
        if let other = line.revertedBy { throw ChangeRefusal.alreadyReverted(by: other) }
        guard OverrideUndo.isUnchanged(before, since: undo) else { throw ChangeRefusal.changedSince }
      }
      let revision = try transaction.nextRevision(of: game)
      let after = KeyOverrides(slot: slot, records: try edit.restored(OverrideUndo.records(in: undo), at: slot, revision: revision))
      let change = OverrideEdit.SlotChange(before: before, after: after, action: .overrideReverted, window: line.window, reverts: id)
      let outcome = try edit.commit([change], revision: revision)
      if let own = outcome.audits.first { try transaction.markReverted(line, by: own) }
      return outcome
    }
  }
}

extension OverrideEdit {
  /// Returns the former overrides as a revert sets them again: by the author of the revert, without windows that have ended.
  ///
  /// An override that was in quarantine before the change returns there, even if the present catalog permits it.
  func restored(_ stood: [OverrideRecord], at slot: OverrideSlot, revision: Int64) throws -> [OverrideRecord] {
    try stood.filter { $0.window.map { $0.until > context.now } ?? true }.map { stood in
      let value = stood.quarantined == nil ? try admit(stood.value, at: slot) : stood.value
      var record = record(value, at: slot, revision: revision)
      record.quarantined = stood.quarantined
      record.reason = context.reason ?? stood.reason
      record.window = stood.window
      record.window?.isOpen = stood.window?.contains(context.now) ?? false
      return record
    }
  }
}
