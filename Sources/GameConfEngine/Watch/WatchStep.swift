// The meaning of a step from one snapshot of a game to another for watchers, computed once for all of them.

public import GameConfCore
public import GameConfStorage

/// The facts of a snapshot for whoever watches it.
public final class WatchFrame: Sendable {
  /// The snapshot.
  public let game: GameSnapshot
  /// The positions of the keys that read the time.
  public let clockPositions: [Int]
  /// The keys that read the time.
  let clockKeys: [String]
  /// The keys that a write of a player may touch: by settings, and by the attributes of the registered context that rules and languages read.
  let playerKeys: [String]
  let keysOfThemes: Set<String>

  /// A snapshot.
  public init(_ game: GameSnapshot) {
    self.game = game
    let entries = game.table.entries
    clockPositions = entries.indices.filter { entries[$0].variation.contains(.clock) }
    clockKeys = clockPositions.map { entries[$0].parameter.key }
    playerKeys = entries.filter { !$0.variation.isDisjoint(with: [.setting, .rule, .locale]) }.map(\.parameter.key)
    keysOfThemes = game.keysOfThemes
  }
}

/// The step between two snapshots of one game.
public final class WatchStep: Sendable {
  /// The snapshot before.
  public let before: GameSnapshot
  /// The snapshot after.
  public let after: WatchFrame
  /// The keys that change alike for every caller without overrides of their own.
  let common: [String]
  /// The other keys that may change.
  let varying: [String]
  /// The keys that are gone.
  let removed: [String]
  /// True if every player's part may have changed.
  let touchesParts: Bool
  /// True if the game's clock was set.
  let movesClock: Bool
  /// True if it may be another time at which something changes by itself.
  let touchesEdges: Bool

  /// A step.
  public init(from before: GameSnapshot, to after: WatchFrame) {
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

  /// True if some caller may be answered otherwise than before.
  public var mayTouch: Bool { !common.isEmpty || !varying.isEmpty || !removed.isEmpty || touchesParts }

  /// The changes of the step for every caller who is touched by nothing else.
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
  /// Nothing that this watcher is shown.
  case nothing
  /// The difference of ``WatchStep/shared(_:)``, the same for all who share the selection.
  case shared
  /// The watcher's own.
  case own(WatchDifference)
}

/// The position of one watcher: the state it was sent last, and the instant when something may change by itself.
public struct WatchCursor: Sendable {
  /// The state that was sent last.
  public private(set) var told: WatchedState
  /// The instant when something may change without anyone writing; nil when no such time is known.
  public private(set) var nextEdge: Instant?
  /// True if something may change at any time.
  public private(set) var isTimeDependent = false

  /// A watcher that was sent a state.
  /// - Parameter scope: what it is shown; whoever has the cursor keeps that, since there are ten thousand.
  public init(_ scope: WatchScope, told: WatchedState, _ frame: WatchFrame) {
    self.told = told
    lookAhead(frame, scope)
  }

  /// The id of the last event, or of one that would say nothing.
  public func position(epoch: UInt64) -> WatchPosition {
    WatchPosition(epoch: epoch, revision: told.game.revision, playerRevision: told.player?.revision ?? 0, instant: told.host)
  }

  /// The state to send next: time does not go back, and no two events have one position.
  public func next(_ game: GameSnapshot, player: StoredPlayer?, host: Instant) -> WatchedState {
    let isSame = game.revision == told.game.revision && (player?.revision ?? 0) == (told.player?.revision ?? 0)
    let earliest = isSame ? Instant(milliseconds: told.host.milliseconds + 1) : told.host
    return WatchedState(game, player: player, host: max(host, earliest))
  }

  /// Moves on to a state.
  /// - Parameters:
  ///   - step: from the snapshot sent last to the state's.
  ///   - scope: as it was when the cursor was made.
  /// - Returns: the update to send.
  public mutating func move(to state: WatchedState, by step: WatchStep, _ scope: WatchScope) -> WatchUpdate {
    let old = told
    // A step for all has keys that a play's values hide.
    let isOfPlay = scope.context.play != nil
    if !isOfPlay, isAsBefore(old, state, step, scope) {
      told = state
      return Self.news(of: step, scope)
    }
    let (own, comparesPart) = candidates(from: old, to: state, step, scope)
    told = state
    if own.isEmpty, !comparesPart, !isOfPlay, !Self.hasOverrides(old, scope), !Self.hasOverrides(state, scope) {
      if state.game !== old.game { lookAhead(step.after, scope) }
      return Self.news(of: step, scope)
    }
    lookAhead(step.after, scope)
    var keys = Set(own)
    keys.formUnion(step.common)
    let ordered = keys.count == own.count ? own : step.after.game.catalog.parameters.map(\.key).filter(keys.contains)
    let difference = scope.difference(from: old, to: state, touched: ordered + step.removed, comparesPart: comparesPart)
    return difference.isEmpty ? .nothing : .own(difference)
  }

  /// True if nothing is another for this watcher but what is another for all. Ten thousand ask this for one override, so it takes no time.
  private func isAsBefore(_ old: WatchedState, _ new: WatchedState, _ step: WatchStep, _ scope: WatchScope) -> Bool {
    if !step.varying.isEmpty || step.touchesParts || step.touchesEdges || isTimeDependent { return false }
    if let nextEdge, nextEdge <= new.host { return false }
    if scope.context.player == nil { return true }
    guard let before = old.player, let after = new.player, before.revision == after.revision, before.clock == after.clock else {
      return false
    }
    return !Self.hasOverrides(old, scope) && !Self.hasOverrides(new, scope)
  }

  /// The update of a step for a watcher that nothing else touches.
  private static func news(of step: WatchStep, _ scope: WatchScope) -> WatchUpdate {
    let isNothing = step.common.isEmpty && step.removed.isEmpty && !(scope.selection.isWhole && step.movesClock)
    return isNothing ? .nothing : .shared
  }

  /// Says that nothing shown has changed up to an instant.
  public mutating func pass(to host: Instant) { told.host = max(told.host, host) }

  private static func hasOverrides(_ state: WatchedState, _ scope: WatchScope) -> Bool {
    guard !state.game.overrides.players.isEmpty, let player = scope.context.player else { return false }
    return !state.game.overrides.player(player).values.isEmpty
  }

  /// The keys that may differ for this watcher beside the common ones, in the catalog's order, and whether the player's part may.
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

  /// True if a player's write can change values: by settings, which may hang on what is unlocked, or by the registered context.
  private static func touchesValues(_ old: StoredPlayer?, _ new: StoredPlayer?) -> Bool {
    guard let old, let new else { return true }
    let (before, after) = (old.state, new.state)
    let hasSettings = before?.settings.isEmpty == false || after?.settings.isEmpty == false
    return hasSettings || (before?.context ?? ObjectValue()) != (after?.context ?? ObjectValue())
  }

  private mutating func lookAhead(_ frame: WatchFrame, _ scope: WatchScope) {
    (nextEdge, isTimeDependent) = scope.nextEdge(after: told, at: frame.clockPositions)
  }
}
