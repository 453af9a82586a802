// The value in force for a key after a change of its overrides, computed in the change's transaction.
public import GameConfCore
import GameConfStorage

/// The value that readers of the game, or of one player, get after a change of overrides.
public struct ValueInForce: Sendable, Hashable {
  /// The key whose overrides changed, with its game and, if the change is for one player, the player.
  public var slot: OverrideSlot
  /// The value, in every language if it has several.
  public var value: Value
  /// The layer that gives the value. It is an override's layer only if ``record`` is not nil.
  public var layer: Layer
  /// The override that gives the value; nil if another layer does.
  public var record: OverrideRecord?
  /// The next instant at which a time window of the key begins or ends; nil without one.
  public var until: Instant?
  /// The reason why this layer gives the value, in the words of the call that explains a value.
  public var why: String
}

extension OverrideEdit {
  /// Returns the values in force at the changed keys, in the order of `changes`. A key of a game that is not served is left out.
  func valuesInForce(after changes: [SlotChange], revision: Int64) throws -> [ValueInForce] {
    var seen: GameSnapshot?
    return try changes.compactMap { change in
      let slot = change.after.slot
      var until = change.after.edges(after: context.now).min()
      if let record = change.after.inForce(at: context.now) {
        let layer: Layer = slot.player == nil ? .gameOverride : .playerOverride
        return ValueInForce(
          slot: slot, value: record.value, layer: layer, record: record, until: until, why: Self.reason(record, revision: revision))
      }
      // The key's own override is not in force, for example before its window begins, so a lower layer gives the value.
      guard let game = try seen ?? snapshot(with: changes, revision: revision) else { return nil }
      seen = game
      guard let explanation = try explain(slot, in: game), let applied = explanation.layers.first(where: \.isApplied) else { return nil }
      let below = applied.layer == .gameOverride ? game.overrides.game[slot.key] : nil
      until = Instant.earlier(until, below?.edges(after: context.now).min())
      return ValueInForce(
        slot: slot, value: explanation.resolution.value, layer: applied.layer, record: below?.inForce(at: context.now), until: until,
        why: applied.why)
    }
  }

  /// Returns a sentence that says why an override of the key decides its value.
  private static func reason(_ record: OverrideRecord, revision: Int64) -> String {
    if record.revision == revision { return Explanation.highest }
    return record.window.map { "window \($0.id) is above it" } ?? "the window is still to come"
  }

  /// Returns the game's snapshot after the changes. The changed overrides come from the transaction, the others from the served snapshot.
  private func snapshot(with changes: [SlotChange], revision: Int64) throws -> GameSnapshot? {
    guard let present = checking.snapshot(of: game) else { return nil }
    var draft = GameDraft(present)
    for change in changes {
      if change.after.slot.player != nil {
        let shared = try transaction.overrides(at: OverrideSlot(game: game, key: change.after.slot.key))
        if shared != present.overrides.game[shared.slot.key] { draft.put(shared, revision: revision) }
      }
      draft.put(change.after, revision: revision)
    }
    return draft.snapshot()
  }

  private func explain(_ slot: OverrideSlot, in game: GameSnapshot) throws -> Explanation? {
    // The locale `*` selects a value in all its languages. An override's record has the value in this form too.
    let context = EvaluationContext(player: slot.player, locale: "*")
    guard let player = slot.player else {
      return game.table.explain(slot.key, for: Evaluation(context, in: game, host: self.context.now).caller)
    }
    let id = PlayerID(game: slot.game, player: player)
    let seen = Evaluation(PlayerView(try transaction.player(id), id, of: game, host: self.context.now), under: context)
    return game.table.explain(slot.key, for: seen.caller, skipped: seen.skipped)
  }
}
