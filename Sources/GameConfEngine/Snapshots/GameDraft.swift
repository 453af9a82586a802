// What changes make of one game, before it is a snapshot.

internal import GameConfCore

/// A game that is being changed by several entries of one batch, or by a large change before its turn.
struct GameDraft: Sendable {
  let base: GameSnapshot
  var overrides: OverrideIndex
  var revision: Int64
  var clock: SimulatedClock
  private var layers: [String: GameLayers] = [:]

  init(_ base: GameSnapshot) {
    self.base = base
    overrides = base.overrides
    revision = base.revision
    clock = base.clock
  }

  mutating func put(_ slot: KeyOverrides, revision: Int64) {
    let key = slot.slot.key
    self.revision = max(self.revision, revision)
    overrides.put(slot, revision: revision)
    guard var changed = layers[key] ?? base.table.entry(key)?.layers else { return }
    let hasPlayerOverrides = overrides.hasPlayerValue(at: key)
    if slot.slot.player == nil {
      changed.override = slot.inForce?.value
      changed.revision = revision
    } else if changed.hasPlayerOverrides == hasPlayerOverrides {
      return
    }
    changed.hasPlayerOverrides = hasPlayerOverrides
    layers[key] = changed
  }

  /// Gives game-wide answers the revision that may have changed them.
  mutating func touch(_ keys: Set<String>, revision: Int64) {
    self.revision = max(self.revision, revision)
    for key in keys {
      guard var changed = layers[key] ?? base.table.entry(key)?.layers else { continue }
      changed.revision = revision
      layers[key] = changed
    }
  }

  func snapshot() -> GameSnapshot {
    GameSnapshot(
      table: layers.isEmpty ? base.table : base.table.changing(layers), overrides: overrides, revision: revision, clock: clock,
      template: base.template, scheduledTemplate: base.scheduledTemplate, degraded: base.degraded, warnings: base.warnings)
  }
}
