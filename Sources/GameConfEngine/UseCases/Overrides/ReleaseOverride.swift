// Takes overrides at one slot out of quarantine.
public import GameConfCore

/// Serves again what was kept in quarantine at a slot.
public struct ReleaseOverride: Sendable {
  private let store: any Store
  private let checking: any OverrideChecking

  /// A use case on a store.
  public init(store: any Store, checking: any OverrideChecking) {
    self.store = store
    self.checking = checking
  }

  /// Releases the slot's overrides; each must be admitted by the catalog as it is now.
  /// - Throws: `.unknownGame`, `.unknownKey`, `.notAPlayer`, `.notQuarantined`, `.inadmissible`, `.constraint`, `.reason`,
  ///   `.changedMeanwhile`, `.repeatedWithOtherContent`, `.store`.
  public func callAsFunction(
    _ slot: OverrideSlot, _ context: Change, remembering: Remembering<OverrideOutcome, OverrideError>? = nil
  ) async throws(OverrideError) -> Answered<OverrideOutcome> {
    let checking = checking
    return try await store.change(
      WriteMode(isDryRun: context.isDryRun, scope: .game(slot.game)), remembering: remembering, reused: .repeatedWithOtherContent
    ) { turn in
      let edit = try OverrideEdit(turn, checking, game: slot.game, context)
      let before = try edit.load(slot)
      try edit.checkPrecondition(at: slot)
      if let nearest = checking.nearestNames(toUnknown: slot.key, in: slot.game) {
        throw OverrideError.unknownKey(slot.key, nearest: nearest)
      }
      var after = before
      let released = after.release()
      guard !released.isEmpty else { throw OverrideError.notQuarantined }
      for record in released { _ = try edit.admit(record.value, at: slot) }
      let change = OverrideEdit.SlotChange(before: before, after: after, action: .overrideReleased)
      return try edit.commit([change], revision: try turn.nextRevision(of: slot.game))
    }
  }
}
