// Takes overrides at one slot away.
public import GameConfCore

/// Removes everything that is forced at a slot, or one window.
public struct RemoveOverride: Sendable {
  private let store: any Store
  private let checking: any OverrideChecking

  /// A use case on a store.
  public init(store: any Store, checking: any OverrideChecking) {
    self.store = store
    self.checking = checking
  }

  /// Removes what is forced at the slot. Where nothing is, nothing changes and no revision is made; a key that the catalog has no more can
  /// still be removed.
  /// - Parameter window: the id of the one window to remove; nil for everything.
  /// - Throws: `.unknownGame`, `.unknownKey` when nothing is forced there either, `.notAPlayer`, `.constraint`, `.reason`,
  ///   `.changedMeanwhile`, `.repeatedWithOtherContent`, `.store`.
  public func callAsFunction(
    _ slot: OverrideSlot, window: String? = nil, _ context: Change,
    remembering: Remembering<OverrideOutcome, OverrideError>? = nil
  ) async throws(OverrideError) -> Answered<OverrideOutcome> {
    let checking = checking
    return try await store.change(
      WriteMode(isDryRun: context.isDryRun, scope: .game(slot.game)), remembering: remembering, reused: .repeatedWithOtherContent
    ) { turn in
      let edit = try OverrideEdit(turn, checking, game: slot.game, context)
      let before = try edit.load(slot)
      try edit.checkPrecondition(at: slot)
      if before.isEmpty, let nearest = checking.nearestNames(toUnknown: slot.key, in: slot.game) {
        throw OverrideError.unknownKey(slot.key, nearest: nearest)
      }
      var after = before
      guard !after.remove(window: window).isEmpty else { return try edit.nothing(at: slot) }
      let change = OverrideEdit.SlotChange(before: before, after: after, action: .overrideRemoved, window: window)
      return try edit.commit([change], revision: try turn.nextRevision(of: slot.game))
    }
  }
}
