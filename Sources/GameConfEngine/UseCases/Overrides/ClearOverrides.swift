// Removes many overrides of a game in one change.
import GameConfCore
public import GameConfStorage

extension OverrideService {
  /// Removes every selected override of a game, with one revision for all and one audit line for each key of the game or of a player. If
  /// nothing is selected, nothing changes.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.constraint`, `.reason`, `.changedMeanwhile`, `.repeatedWithOtherContent`, `.store`.
  public func clear(
    _ selection: OverrideSelection, in game: String, _ context: ChangeContext,
    remembering: RepeatableChange<OverrideOutcome, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<OverrideOutcome> {
    switch selection.scope {
    case .game, .player: return try await clear(selection, game, await prepared(selection, game, context), context, remembering, nil)
    case .players, .all:
      return try await pace.run(by: context.author.uid) {
        await prepared(selection, game, context)
      } change: { prepared, time async throws(ChangeRefusal) in
        try await clear(selection, game, prepared, context, remembering, time)
      }
    }
  }

  private func prepared(_ selection: OverrideSelection, _ game: String, _ context: ChangeContext) async -> PreparedChange? {
    await ChangePreparation(store: store, checking: checking, game: game, context).clearing(selection)
  }

  private func clear(
    _ selection: OverrideSelection, _ game: String, _ prepared: PreparedChange?, _ context: ChangeContext,
    _ remembering: RepeatableChange<OverrideOutcome, ChangeRefusal>?, _ time: BulkChangeLimiter.TransactionTime?
  ) async throws(ChangeRefusal) -> ChangeAnswer<OverrideOutcome> {
    let (store, checking) = (store, checking)
    return try await transaction(in: game, context, remembering) { transaction in
      time?.begin()
      defer { time?.end(othersWait: store.health.writesWaiting > 0) }
      let edit = try OverrideEdit(transaction, checking, game: game, context)
      if case .player(let player) = selection.scope, !OverrideLimits.admits(player: player) { throw ChangeRefusal.notAPlayer(player) }
      try edit.checkPrecondition(at: nil)
      if let prepared, try edit.mayCommit(prepared) {
        _ = try transaction.nextRevision(of: game)
        return try edit.commit(prepared)
      }
      let changes = try transaction.overrides(in: game, selection).map { stored in
        let before = try edit.load(stored.slot, isStored: true)
        return OverrideEdit.SlotChange(before: before, after: KeyOverrides(slot: stored.slot), action: .overrideCleared)
      }.filter { !$0.before.isEmpty }
      if changes.isEmpty { return try edit.nothing(at: nil) }
      return try edit.commit(changes, revision: try transaction.nextRevision(of: game))
    }
  }
}
