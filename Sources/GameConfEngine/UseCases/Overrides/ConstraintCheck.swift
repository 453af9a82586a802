// Holds a change of overrides against the game's constraints, now and at every later edge of a window.
import GameConfCore

/// Refuses a change that breaks a constraint which held before it.
struct ConstraintCheck {
  let edit: OverrideEdit
  let changes: [OverrideEdit.SlotChange]

  /// - Throws: `.constraint` with the faults at the first instant that has any.
  func run() throws {
    guard let bound = boundKeys() else { return }
    let game = try values(OverrideSelection(.game, keys: bound.keys), player: nil)
    if changes.contains(where: { $0.after.slot.player == nil }) {
      try check(game: game, player: Values(), name: nil)
    }
    for player in Set(changes.compactMap { $0.after.slot.player.map(ByteText.init) }).sorted().map(\.text) {
      try check(game: game, player: try values(OverrideSelection(.player(player), keys: bound.keys), player: player), name: player)
    }
  }

  /// What stands at the keys before and after the change.
  private struct Values {
    var before: [KeyOverrides] = []
    var after: [KeyOverrides] = []
  }

  private struct Bound {
    var keys: Set<String>?
  }

  private func boundKeys() -> Bound? {
    var keys: Set<String> = []
    for key in Set(changes.map(\.after.slot.key)) {
      guard let bound = edit.checking.keys(boundWith: key, in: edit.game) else { return Bound(keys: nil) }
      keys.formUnion(bound)
    }
    return keys.isEmpty ? nil : Bound(keys: keys)
  }

  /// The changes are written already, so what is read is what will be.
  private func values(_ selection: OverrideSelection, player: String?) throws -> Values {
    let after = try edit.turn.overrides(in: edit.game, selection)
    let changed = changes.filter { $0.after.slot.isOf(player: player) }
    let slots = Set(changed.map(\.after.slot))
    let unchanged = after.filter { !slots.contains($0.slot) }
    return Values(before: unchanged + changed.map(\.before), after: after)
  }

  private func check(game: Values, player: Values, name: String?) throws {
    let now = edit.context.now
    let edges = (game.after + player.after).flatMap { $0.edges(after: now) }
    for instant in [now] + Set(edges).sorted() {
      let faults = edit.checking.faults(
        in: edit.game, forced: Self.forced(game.after, player.after, at: instant), player: name, at: instant)
      if faults.isEmpty { continue }
      let earlier = edit.checking.faults(
        in: edit.game, forced: Self.forced(game.before, player.before, at: instant), player: name, at: instant)
      let fresh = faults.filter { fault in !earlier.contains { $0.id == fault.id } }
      if !fresh.isEmpty { throw OverrideError.constraint(fresh, at: instant == now ? nil : instant) }
    }
  }

  static func forced(_ game: [KeyOverrides], _ player: [KeyOverrides], at instant: Instant) -> ForcedValues {
    func values(_ overrides: [KeyOverrides]) -> [String: Value] {
      var values: [String: Value] = [:]
      for each in overrides { values[each.slot.key] = each.inForce(at: instant)?.value }
      return values
    }
    return ForcedValues(game: values(game), player: values(player))
  }
}
