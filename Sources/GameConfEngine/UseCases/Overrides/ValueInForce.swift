// The value that is in force at a slot after a change of its overrides, from the transaction of the change.
public import GameConfCore
import GameConfStorage

/// The value that the game's readers, or one player's, get after a change of overrides.
public struct ValueInForce: Sendable, Hashable {
  /// The slot that was changed.
  public var slot: OverrideSlot
  /// The value, in every language where it has several.
  public var value: Value
  /// The layer that gives it.
  public var layer: Layer
  /// The override that gives it; nil if another layer does.
  public var record: OverrideRecord?
  /// The next instant at which a window begins or ends there; nil without windows.
  public var until: Instant?
  /// The reason why that layer gives it, as an explanation says it.
  public var why: String
}

extension OverrideEdit {
  /// The values in force at the slots of a change, in their order. A slot whose game is not known to the checks is left out.
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
      // Nothing holds at the slot itself, as before a window that is to come: the layers below answer.
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

  /// The reason why an override at the slot itself is in force.
  private static func reason(_ record: OverrideRecord, revision: Int64) -> String {
    if record.revision == revision { return Explanation.highest }
    return record.window.map { "window \($0.id) is above it" } ?? "the window is still to come"
  }

  /// The game as it will be after the changes: the slots as the transaction has them, the rest as it is served.
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
    // Every language of a value, as the override's own record shows it.
    let context = EvaluationContext(player: slot.player, locale: "*")
    guard let player = slot.player else {
      return game.table.explain(slot.key, for: Evaluation(context, in: game, host: self.context.now).caller)
    }
    let id = PlayerID(game: slot.game, player: player)
    let seen = Evaluation(PlayerView(try transaction.player(id), id, of: game, host: self.context.now), under: context)
    return game.table.explain(slot.key, for: seen.caller, skipped: seen.skipped)
  }
}
