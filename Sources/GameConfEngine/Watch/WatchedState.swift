// The states that watchers are sent, and the differences between two of them.

public import GameConfCore
public import GameConfStorage

/// The state from which everything that a watcher is sent is computed: a game, the watcher's stored player, and the host's time.
public struct WatchedState: Sendable {
  /// The snapshot from which the answers are computed.
  public var game: GameSnapshot
  /// The watcher's stored player; nil if it has no player, or while the store cannot be read.
  public var player: StoredPlayer?
  /// The host's time, from which the simulated clocks are computed.
  public var host: Instant
  /// The limit of evaluation steps for all rules of the player together. If it is nil, only each single expression has a limit.
  public var budget: EvaluationBudget?

  /// Creates a state, by default without a player and without a common budget of steps.
  public init(_ game: GameSnapshot, player: StoredPlayer? = nil, host: Instant, within budget: EvaluationBudget? = nil) {
    self.game = game
    self.player = player
    self.host = host
    self.budget = budget
  }

  /// Returns the view of the caller's player at the state's instant; nil without a player.
  public func view(of context: EvaluationContext) -> PlayerView? {
    guard let player, let id = context.player else { return nil }
    return PlayerView(player, PlayerID(game: game.game, player: id), of: game, host: host, context: context.attributes, budget: budget)
  }

  /// Returns the evaluation of a caller in this state.
  public func evaluation(for context: EvaluationContext, _ view: PlayerView?) -> Evaluation {
    if let view { return Evaluation(view, under: context) }
    return Evaluation(context, in: game, host: host, storeError: context.player == nil ? nil : .late, within: budget)
  }
}

/// The difference between two states for one watcher: keys with new values, removed keys, and the changed parts of the player.
public struct WatchDifference: Sendable {
  /// The present values of the changed keys, in the catalog's order.
  public var values: [EvaluatedValue] = []
  /// The keys that the catalog no longer has, in ascending order.
  public var removed: [String] = []
  /// All themes of the game with their state for the player, if one of them changed; otherwise nil.
  public var themes: [WatchedPlayerPart.WatchedTheme]?
  /// The player's part with all entitlements, if one of them changed; otherwise nil.
  public var entitlements: WatchedPlayerPart?
  /// The status of all ad placements, if one of them changed; otherwise nil.
  public var ads: [WatchedPlayerPart.WatchedAdStatus]?
  /// True if the game's or the player's clock was set. Always false unless the watcher selects changes of clocks.
  public var movesClock = false

  /// Creates a difference with nothing to send.
  public init() {}

  /// Creates a difference with all themes, entitlements and ads of a player, and without values.
  public init(everythingOf part: WatchedPlayerPart?) { add(nil, part) }

  /// True if there is nothing to send.
  public var isEmpty: Bool {
    values.isEmpty && removed.isEmpty && themes == nil && entitlements == nil && ads == nil && !movesClock
  }

  /// Adds a key if its old and new values differ, or the layers that provide them.
  /// - Parameter isWhole: True if a difference of other metadata suffices too.
  mutating func add(_ old: EvaluatedValue?, _ new: EvaluatedValue, isWhole: Bool) {
    if let old, old.layer == new.layer, old.value.isExactly(new.value), !isWhole || old.saysTheSame(as: new) { return }
    values.append(new)
  }

  mutating func add(_ old: WatchedPlayerPart?, _ new: WatchedPlayerPart?) {
    guard let new, old != new else { return }
    if old?.themes != new.themes { themes = new.themes }
    if old?.hasSameEntitlements(as: new) != true { entitlements = new }
    if old?.ads != new.ads { ads = new.ads }
  }
}

extension WatchScope {
  /// The most by which the instant of a position may be ahead of the host's clock, in milliseconds.
  static let aheadMillisecondsMax: Int64 = 1_000

  /// Returns a difference with everything that the watcher is sent of a state, for the first event.
  public func everything(of state: WatchedState) -> WatchDifference {
    let view = state.view(of: context)
    let seen = state.evaluation(for: context, view)
    var all = WatchDifference()
    for at in state.game.table.entries.indices where selection.shows(state.game.table.entries[at].parameter) {
      if let answer = seen.answer(at: at), selection.shows(answer) { all.values.append(answer) }
    }
    for key in seen.keysGone { if let answer = seen.answer(for: key), selection.shows(answer) { all.values.append(answer) } }
    all.add(nil, view.map(WatchedPlayerPart.init))
    return all
  }

  /// Returns the differences between two states for this watcher.
  /// - Parameters:
  ///   - touched: The keys whose values may differ; keys with equal values are left out of the result.
  ///   - comparesPart: True if the player's themes, entitlements or ads may differ.
  public func difference(
    from old: WatchedState, to new: WatchedState, touched: some Sequence<String>, comparesPart: Bool
  ) -> WatchDifference {
    var difference = WatchDifference()
    let (oldView, newView) = (old.view(of: context), new.view(of: context))
    let (before, now) = (old.evaluation(for: context, oldView), new.evaluation(for: context, newView))
    for key in touched {
      if let answer = now.answer(for: key) {
        if selection.shows(answer) { difference.add(before.answer(for: key), answer, isWhole: selection.isWhole) }
      } else if selection.shows(removed: key, of: old.game), old.game.table.entry(key) != nil {
        difference.removed.append(key)
      }
    }
    if comparesPart { difference.add(oldView.map(WatchedPlayerPart.init), newView.map(WatchedPlayerPart.init)) }
    if selection.isWhole {
      difference.movesClock = old.game.clock != new.game.clock || old.player?.clock ?? .game != new.player?.clock ?? .game
    }
    return difference
  }

  /// Returns the difference for a watcher that resumes from a position: the present values of all keys that may have changed since.
  /// - Parameter keys: The keys that have changed since the position.
  /// - Returns: nil if the position is of another epoch or in the future.
  public func resumption(
    from position: WatchPosition, to state: WatchedState, epoch: UInt64, keys: Set<String>
  ) -> WatchDifference? {
    let playerRevision = state.player?.revision ?? 0
    guard position.epoch == epoch, position.revision <= state.game.revision, position.playerRevision <= playerRevision else { return nil }
    let isSamePlayer = position.playerRevision == playerRevision
    // Values before the game's clock was set cannot be computed with the present clock. The instant of a position may be ahead of the
    // host's clock, by one millisecond for each further event within the same millisecond.
    let isSameClock =
      state.game.clock == .host || state.game.clock.hostAnchor.milliseconds + Self.aheadMillisecondsMax <= position.instant.milliseconds
    let (view, past) = (
      state.view(of: context), WatchedState(state.game, player: state.player, host: min(position.instant, state.host))
    )
    let seen = state.evaluation(for: context, view)
    let before = past.evaluation(for: context, past.view(of: context))
    var difference = WatchDifference()
    for (at, entry) in state.game.table.entries.enumerated() where selection.shows(entry.parameter) {
      // A write of the player's data may change these keys by settings, or by rules and languages that read the registered context.
      let mayVary = (!isSamePlayer && !entry.variation.isEmpty) || (!isSameClock && entry.variation.contains(.clock))
      if mayVary || keys.contains(entry.parameter.key) {
        if let answer = seen.answer(at: at) { difference.values.append(answer) }
      } else if entry.variation.contains(.clock), let answer = seen.answer(at: at) {
        // The game and the player are unchanged, so the former value can be computed for comparison.
        difference.add(before.answer(at: at), answer, isWhole: selection.isWhole)
      }
    }
    difference.removed = keys.filter {
      state.game.table.entry($0) == nil && seen.play?.values[$0] == nil && selection.shows(removed: $0, of: nil)
    }.sorted()
    let touchesThemes = !keys.isDisjoint(with: state.game.keysOfThemes)
    difference.add(
      isSamePlayer && isSameClock && !touchesThemes ? past.view(of: context).map(WatchedPlayerPart.init) : nil,
      view.map(WatchedPlayerPart.init))
    difference.movesClock = selection.isWhole && !isSameClock
    return difference
  }

  /// Returns the values that the same caller would get without a player, for the keys whose values differ from the given ones.
  public func base(of answers: [EvaluatedValue], in state: WatchedState) -> [EvaluatedValue] {
    if context.player == nil { return [] }
    let everyone = EvaluationContext(attributes: context.attributes, locale: context.locale)
    let seen = state.evaluation(for: everyone, nil)
    return answers.compactMap { own in
      guard let answer = seen.answer(for: own.key), answer.layer != own.layer || !answer.value.isExactly(own.value) else { return nil }
      return answer
    }
  }

  /// Returns the next instant at which a value or an entitlement that the watcher receives changes without a write.
  /// - Parameter positions: The indices in the game's parameter table of the keys whose values depend on the time.
  /// - Returns: The host's instant; nil if no change is foreseen. `isUnknown` is true if a key may also change at any other time.
  public func nextEdge(after state: WatchedState, at positions: [Int]) -> (at: Instant?, isUnknown: Bool) {
    let view = state.view(of: context)
    if positions.isEmpty, view?.stored.ledger == nil { return (nil, false) }
    let seen = state.evaluation(for: context, view)
    var next: Instant?
    var isUnknown = false
    func note(_ simulated: Instant) {
      guard let host = seen.host(at: simulated), host > state.host else { return }
      next = next.map { min($0, host) } ?? host
    }
    for at in positions {
      guard let answer = seen.answer(at: at) else { continue }
      if answer.resolution.isTimeDependent { isUnknown = true }
      if let change = answer.resolution.nextChangeAt { note(change) }
    }
    if let due = view?.ledger.nextDueAt { note(due) }
    return (next, isUnknown && state.game.clock.rateThousandths > 0)
  }
}
