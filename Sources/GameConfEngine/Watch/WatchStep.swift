// The effects of a step between two snapshots of a game on watchers, computed once for all of them.

public import GameConfCore
public import GameConfStorage

/// A game's snapshot with the facts that are computed from it once for all watchers of the game.
public final class WatchedSnapshot: Sendable {
  /// The game at the revision that watchers are sent.
  public let game: GameSnapshot
  /// The indices of the time-dependent keys in the game's parameter table.
  public let clockPositions: [Int]
  /// The keys whose values depend on the time, in the catalog's order.
  let clockKeys: [String]
  /// The keys whose values a write of a player's data may change: by settings, by rules or by the player's language.
  let playerKeys: [String]
  let keysOfThemes: Set<String>

  /// Creates a frame, and computes the lists of keys that are the same for all watchers of the game.
  public init(_ game: GameSnapshot) {
    self.game = game
    let entries = game.table.entries
    clockPositions = entries.indices.filter { entries[$0].variation.contains(.clock) }
    clockKeys = clockPositions.map { entries[$0].parameter.key }
    playerKeys = entries.filter { !$0.variation.isDisjoint(with: [.setting, .rule, .locale]) }.map(\.parameter.key)
    keysOfThemes = game.keysOfThemes
  }
}

/// The step between two snapshots of one game, with the keys that may have changed.
public final class WatchStep: Sendable {
  /// The snapshot that watchers were sent before.
  public let before: GameSnapshot
  /// The snapshot that watchers are sent now, with its lists of keys for all watchers.
  public let after: WatchedSnapshot
  /// The changed keys whose new value is the same for every caller who has no overrides.
  let common: [String]
  /// The keys whose values may have changed in different ways for different callers.
  let varying: [String]
  /// The keys that the catalog no longer has, in ascending order.
  let removed: [String]
  /// True if the themes, entitlements or ads of any player may have changed.
  let touchesParts: Bool
  /// True if the game's clock was set.
  let movesClock: Bool
  /// True if the next instant at which a value changes without a write may be another than before.
  let touchesEdges: Bool

  /// Compares the two snapshots, which may be some revisions apart.
  public init(from before: GameSnapshot, to after: WatchedSnapshot) {
    self.before = before
    self.after = after
    let change = GameChange(before: before, after: after.game)
    let touched = change.touched
    func isCommon(_ key: String) -> Bool {
      after.game.table.entry(key)?.unchanging != nil && (before.table.entry(key).map { $0.unchanging != nil } ?? true)
    }
    common = touched.filter(isCommon)
    varying = touched.filter { !isCommon($0) }
    removed = change.removed.sorted()
    movesClock = before.clock != after.game.clock
    let isSameCatalog = before.table.isSameCatalog(as: after.game.table)
    touchesEdges = !isSameCatalog || movesClock || touched.contains { after.clockKeys.contains($0) }
    touchesParts =
      !isSameCatalog || movesClock
      || touched.contains { after.keysOfThemes.contains($0) }
  }

  /// True if the step may change what any watcher is sent.
  public var mayTouch: Bool { !common.isEmpty || !varying.isEmpty || !removed.isEmpty || touchesParts }

  /// Returns the difference for watchers that are affected only by ``common`` keys, whose new value is the same for all callers.
  public func shared(_ selection: WatchSelection) -> WatchDifference {
    let nobody = EvaluationContext()
    let scope = WatchScope(nobody, selection)
    let epoch = Instant(milliseconds: 0)
    return scope.difference(
      from: WatchedState(before, host: epoch), to: WatchedState(after.game, host: epoch), touched: common + removed, comparesPart: false)
  }
}

/// The contents of a watcher's next event.
public enum WatchUpdate: Sendable {
  /// There is nothing to send to this watcher.
  case nothing
  /// The difference of ``WatchStep/shared(_:)``, equal for all watchers with the same selection.
  case shared
  case own(WatchDifference)
}

/// The progress of one watcher: the last state sent, and the next instant at which a value may change without a write.
public struct WatchCursor: Sendable {
  /// The last state that the watcher was sent, from which the next difference is computed.
  public private(set) var sent: WatchedState
  /// The host's next instant at which a value may change without a write; nil if no change is foreseen, or if its instant is unknown.
  public private(set) var nextEdge: Instant?
  /// True if a value may change without a write at an instant that cannot be computed.
  public private(set) var isTimeDependent = false

  /// Creates the cursor of a watcher that was sent a state.
  /// - Parameter scope: The watcher's scope. The cursor does not store it, to save memory for ten thousand watchers.
  public init(_ scope: WatchScope, sent: WatchedState, _ frame: WatchedSnapshot) {
    self.sent = sent
    lookAhead(frame, scope)
  }

  /// Returns the position of the state that was sent last, as the id of an event.
  public func position(epoch: UInt64) -> WatchPosition {
    WatchPosition(epoch: epoch, revision: sent.game.revision, playerRevision: sent.player?.revision ?? 0, instant: sent.host)
  }

  /// Returns the state to send next. Its time is never before that of the last state, and no two events have the same position.
  public func next(_ game: GameSnapshot, player: StoredPlayer?, host: Instant) -> WatchedState {
    let isSame = game.revision == sent.game.revision && (player?.revision ?? 0) == (sent.player?.revision ?? 0)
    let earliest = isSame ? Instant(milliseconds: sent.host.milliseconds + 1) : sent.host
    return WatchedState(game, player: player, host: max(host, earliest))
  }

  /// Advances the watcher to a state.
  /// - Parameters:
  ///   - step: The step from the snapshot that was sent last to the snapshot of the state.
  ///   - scope: The scope with which the cursor was created.
  /// - Returns: The update to send.
  public mutating func move(to state: WatchedState, by step: WatchStep, _ scope: WatchScope) -> WatchUpdate {
    let old = sent
    // A watcher with a play gets its own difference, because the common difference has keys that the play's pinned values hide.
    let isOfPlay = scope.context.play != nil
    if !isOfPlay, isAsBefore(old, state, step, scope) {
      sent = state
      return Self.sharedUpdate(of: step, scope)
    }
    let (own, comparesPart) = candidates(from: old, to: state, step, scope)
    sent = state
    if own.isEmpty, !comparesPart, !isOfPlay, !Self.hasOverrides(old, scope), !Self.hasOverrides(state, scope) {
      if state.game !== old.game { lookAhead(step.after, scope) }
      return Self.sharedUpdate(of: step, scope)
    }
    lookAhead(step.after, scope)
    var keys = Set(own)
    keys.formUnion(step.common)
    let ordered = keys.count == own.count ? own : step.after.game.catalog.parameters.map(\.key).filter(keys.contains)
    let difference = scope.difference(from: old, to: state, touched: ordered + step.removed, comparesPart: comparesPart)
    return difference.isEmpty ? .nothing : .own(difference)
  }

  /// True if this watcher's difference is the one common to all watchers. The check is cheap, because one changed override runs it for ten
  /// thousand watchers.
  private func isAsBefore(_ old: WatchedState, _ new: WatchedState, _ step: WatchStep, _ scope: WatchScope) -> Bool {
    if !step.varying.isEmpty || step.touchesParts || step.touchesEdges || isTimeDependent { return false }
    if let nextEdge, nextEdge <= new.host { return false }
    if scope.context.player == nil { return true }
    guard let before = old.player, let after = new.player, before.revision == after.revision, before.clock == after.clock else {
      return false
    }
    return !Self.hasOverrides(old, scope) && !Self.hasOverrides(new, scope)
  }

  /// Returns the update for a watcher that is affected only by ``WatchStep/common`` keys, whose new value is the same for all callers.
  private static func sharedUpdate(of step: WatchStep, _ scope: WatchScope) -> WatchUpdate {
    let isNothing = step.common.isEmpty && step.removed.isEmpty && !(scope.selection.isWhole && step.movesClock)
    return isNothing ? .nothing : .shared
  }

  /// Records that the state that was sent last is unchanged up to an instant of the host's clock.
  public mutating func pass(to host: Instant) { sent.host = max(sent.host, host) }

  private static func hasOverrides(_ state: WatchedState, _ scope: WatchScope) -> Bool {
    guard !state.game.overrides.players.isEmpty, let player = scope.context.player else { return false }
    return !state.game.overrides.player(player).values.isEmpty
  }

  /// Returns the keys that may have changed for this watcher alone, in the catalog's order. `comparesPart` is true if the player's themes,
  /// entitlements or ads may have changed.
  private func candidates(
    from old: WatchedState, to new: WatchedState, _ step: WatchStep, _ scope: WatchScope
  ) -> (keys: [String], comparesPart: Bool) {
    var keys = Set(step.varying)
    var comparesPart = scope.context.player != nil && step.touchesParts
    if isTimeDependent || nextEdge.map({ $0 <= new.host }) == true {
      keys.formUnion(step.after.clockKeys)
      comparesPart = scope.context.player != nil
    }
    if let player = scope.context.player {
      let (before, after) = (old.game.overrides.player(player).revisions, new.game.overrides.player(player).revisions)
      if before != after {
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        keys.formUnion(new.game.table.affected(by: changed))
        if !keys.isDisjoint(with: step.after.keysOfThemes) { comparesPart = true }
      }
      if old.player != new.player {
        comparesPart = true
        if Self.touchesValues(old.player, new.player) { keys.formUnion(step.after.playerKeys) }
        if old.player?.clock != new.player?.clock { keys.formUnion(step.after.clockKeys) }
      }
    }
    if keys.isEmpty { return ([], comparesPart) }
    return (step.after.game.catalog.parameters.map(\.key).filter(keys.contains), comparesPart)
  }

  /// True if a write of the player's data can change values: by settings, which may depend on unlocked themes, or by the registered
  /// context.
  private static func touchesValues(_ old: StoredPlayer?, _ new: StoredPlayer?) -> Bool {
    guard let old, let new else { return true }
    let (before, after) = (old.state, new.state)
    let hasSettings = before?.settings.isEmpty == false || after?.settings.isEmpty == false
    return hasSettings || (before?.context ?? ObjectValue()) != (after?.context ?? ObjectValue())
  }

  private mutating func lookAhead(_ frame: WatchedSnapshot, _ scope: WatchScope) {
    (nextEdge, isTimeDependent) = scope.nextEdge(after: sent, at: frame.clockPositions)
  }
}
