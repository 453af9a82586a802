// A mutable draft of one game, from which a snapshot is made.

internal import GameConfCore
import GameConfStorage

/// A mutable copy of a game's state, to which the changes of a batch are applied, or those of a large change before its transaction.
struct GameDraft: Sendable {
  let base: GameSnapshot
  /// The game's state after the changes so far.
  private(set) var state: GameState
  /// The keys whose game-wide values may differ, with the revision of the change.
  private var changed: [String: Int64] = [:]
  /// The keys whose layers may have changed without a new revision of the key. For example, an override of a player has a revision of the
  /// player.
  private var remade: Set<String> = []

  /// Creates a draft whose changes are applied one by one.
  init(_ base: GameSnapshot) {
    self.base = base
    state = base.state
  }

  /// Creates a draft with the stored state after the whole batch. Only revisions of keys and the template are then applied one by one.
  init(_ base: GameSnapshot, over stored: StoredState) {
    self.init(base)
    state.take(stored, of: base.game)
  }

  /// The game's revision after the changes so far.
  var revision: Int64 { state.revision }

  /// Raises the game's revision; a lower one than the present has no effect.
  mutating func raise(to revision: Int64) { state.revision = max(state.revision, revision) }

  mutating func put(_ slot: KeyOverrides, revision: Int64) {
    state.overrides.put(slot, revision: revision)
    note(slot.slot, revision: revision)
  }

  /// Records that the overrides of a key have changed, game-wide or for one player.
  mutating func note(_ slot: OverrideSlot, revision: Int64) {
    if slot.player != nil {
      remade.insert(slot.key)
      raise(to: revision)
    } else {
      touch([slot.key], revision: revision)
    }
  }

  /// Sets the revision of keys whose game-wide values may have changed.
  mutating func touch(_ keys: Set<String>, revision: Int64) {
    raise(to: revision)
    for key in keys { changed[key] = revision }
  }

  /// Replaces the game's template, at a new revision of the game.
  /// - Parameter changed: The keys whose values may differ under the new template.
  mutating func put(_ template: ActiveTemplate, changed: Set<String>, revision: Int64) {
    state.template = template
    touch(changed, revision: revision)
  }

  /// Replaces the template by one that another host has activated; the revisions of the changed keys are applied as separate changes.
  mutating func put(_ template: ActiveTemplate) {
    let layers = template.template.layers
    for entry in base.table.entries where entry.layers.remote != layers[entry.parameter.key] { remade.insert(entry.parameter.key) }
    put(template, changed: [], revision: revision)
  }

  func snapshot() -> GameSnapshot {
    var layers: [String: GameLayers] = [:]
    for key in remade.union(changed.keys) {
      guard let before = base.table.entry(key)?.layers else { continue }
      let after = state.layers(at: key, revision: changed[key] ?? before.revision)
      if after != before { layers[key] = after }
    }
    return GameSnapshot(table: layers.isEmpty ? base.table : base.table.changing(layers), state)
  }
}
