// A draft of one game, which changes are applied to before it is a snapshot.

internal import GameConfCore
import GameConfStorage

/// A game that is being changed by several entries of one batch, or by a large change before its transaction.
struct GameDraft: Sendable {
  let base: GameSnapshot
  /// The state as it will be.
  private(set) var state: GameState
  /// The keys whose game-wide answers may be others, with the revision that changed them.
  private var changed: [String: Int64] = [:]
  /// The keys whose layers may be others though no revision of them is known: that of a player's override is the player's.
  private var remade: Set<String> = []

  /// A draft of a game whose changes are put one by one.
  init(_ base: GameSnapshot) {
    self.base = base
    state = base.state
  }

  /// A draft of a game over the state after the changes. Only revisions of keys and the template are then put.
  init(_ base: GameSnapshot, over stored: StoredState) {
    self.init(base)
    state.take(stored, of: base.game)
  }

  /// The revision as it will be.
  var revision: Int64 { state.revision }

  /// Raises the revision to this one, if it is lower.
  mutating func raise(to revision: Int64) { state.revision = max(state.revision, revision) }

  /// Replaces the overrides at a slot.
  mutating func put(_ slot: KeyOverrides, revision: Int64) {
    state.overrides.put(slot, revision: revision)
    note(slot.slot, revision: revision)
  }

  /// Notes that the overrides at a slot have changed.
  mutating func note(_ slot: OverrideSlot, revision: Int64) {
    if slot.player != nil {
      remade.insert(slot.key)
      raise(to: revision)
    } else {
      touch([slot.key], revision: revision)
    }
  }

  /// Gives game-wide answers the revision that may have changed them.
  mutating func touch(_ keys: Set<String>, revision: Int64) {
    raise(to: revision)
    for key in keys { changed[key] = revision }
  }

  /// Gives it another template.
  /// - Parameter changed: The keys whose answers it may change.
  mutating func put(_ template: ActiveTemplate, changed: Set<String>, revision: Int64) {
    state.template = template
    touch(changed, revision: revision)
  }

  /// Gives it a template that another host has activated; the revisions of the keys that it changes are put apart.
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
