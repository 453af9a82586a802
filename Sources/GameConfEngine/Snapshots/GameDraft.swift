// A draft of one game, which changes are applied to before it is a snapshot.

internal import GameConfCore
import GameConfStorage

/// A game that is being changed by several entries of one batch, or by a large change before its transaction.
struct GameDraft: Sendable {
  let base: GameSnapshot
  /// The overrides as they will be.
  var overrides: OverrideIndex
  var revision: Int64
  private let clock: SimulatedClock
  private var template: ActiveTemplate?
  private let scheduledTemplate: TemplateActivation?
  /// The keys whose game-wide answers may be others, with the revision that changed them.
  private var changed: [String: Int64] = [:]
  /// The keys whose layers may be others though no revision of them is known: that of a player's override is the player's.
  private var remade: Set<String> = []

  /// A draft of a game whose changes are put one by one.
  init(_ base: GameSnapshot) {
    self.base = base
    overrides = base.overrides
    revision = base.revision
    clock = base.clock
    template = base.template
    scheduledTemplate = base.scheduledTemplate
  }

  /// A draft of a game over the state after the changes. Only revisions of keys and the template are then put.
  init(_ base: GameSnapshot, over state: StoredState) {
    self.base = base
    overrides = state.overrides(of: base.game)
    revision = base.revision
    clock = state.clocks[base.game] ?? .host
    template = base.template
    scheduledTemplate = state.activations[base.game]
  }

  /// Replaces the overrides at a slot.
  mutating func put(_ slot: KeyOverrides, revision: Int64) {
    overrides.put(slot, revision: revision)
    note(slot.slot, revision: revision)
  }

  /// Notes that the overrides at a slot have changed.
  mutating func note(_ slot: OverrideSlot, revision: Int64) {
    if slot.player != nil {
      remade.insert(slot.key)
      self.revision = max(self.revision, revision)
    } else {
      touch([slot.key], revision: revision)
    }
  }

  /// Gives game-wide answers the revision that may have changed them.
  mutating func touch(_ keys: Set<String>, revision: Int64) {
    self.revision = max(self.revision, revision)
    for key in keys { changed[key] = revision }
  }

  /// Gives it another template.
  /// - Parameter changed: The keys whose answers it may change.
  mutating func put(_ template: ActiveTemplate, changed: Set<String>, revision: Int64) {
    self.template = template
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
      let after = GameLayers(
        override: overrides.game[key]?.inForce?.value, remote: template?.template.layers[key],
        hasPlayerOverrides: overrides.hasPlayerValue(at: key), revision: changed[key] ?? before.revision)
      if after != before { layers[key] = after }
    }
    return GameSnapshot(
      table: layers.isEmpty ? base.table : base.table.changing(layers), overrides: overrides, revision: revision, clock: clock,
      template: template, scheduledTemplate: scheduledTemplate, degraded: base.degraded, warnings: base.warnings)
  }
}
