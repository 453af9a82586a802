// The state that a watcher was sent, or is to be sent, and the differences between two of them.

public import GameConfCore
public import GameConfStorage

/// A game, what the store has of the watcher's player, and the host's time: everything a watcher is sent follows from these.
public struct WatchedState: Sendable {
  /// The game.
  public var game: GameSnapshot
  /// The stored player; nil without one, and while the store cannot be asked.
  public var player: StoredPlayer?
  /// The host's time.
  public var host: Instant
  /// The budget of the rules for it; nil bounds each evaluation alone.
  public var budget: EvaluationBudget?

  /// A state.
  public init(_ game: GameSnapshot, player: StoredPlayer? = nil, host: Instant, within budget: EvaluationBudget? = nil) {
    self.game = game
    self.player = player
    self.host = host
    self.budget = budget
  }

  /// The player at that time; nil without one.
  public func view(of context: EvaluationContext) -> PlayerView? {
    guard let player, let id = context.player else { return nil }
    return PlayerView(player, PlayerID(game: game.game, player: id), of: game, host: host, context: context.attributes, budget: budget)
  }

  /// The evaluation of a caller in this state.
  public func evaluation(for context: EvaluationContext, _ view: PlayerView?) -> Evaluation {
    if let view { return Evaluation(view, under: context) }
    return Evaluation(context, in: game, host: host, storeError: context.player == nil ? nil : .late, within: budget)
  }
}

/// The update for a watcher: keys with new answers, keys that are gone, and the parts of the player that changed.
public struct WatchDifference: Sendable {
  /// The keys that answer otherwise, with what they answer now, in the catalog's order.
  public var values: [EvaluatedValue] = []
  /// The keys that are there no more, in ascending order.
  public var removed: [String] = []
  /// The themes, when one of them changed.
  public var themes: [WatchedPart.WatchedTheme]?
  /// The player's part, when an entitlement changed.
  public var entitlements: WatchedPart?
  /// The placements, when one of them changed.
  public var ads: [WatchedPart.Ad]?
  /// True if the game's clock or the player's was set; noted for a whole selection only.
  public var movesClock = false

  /// Nothing.
  public init() {}

  /// A player's whole part, without any values.
  public init(everythingOf part: WatchedPart?) { add(nil, part) }

  /// True if there is nothing to send.
  public var isEmpty: Bool {
    values.isEmpty && removed.isEmpty && themes == nil && entitlements == nil && ads == nil && !movesClock
  }

  /// Adds what differs between two answers for a key; another value and another source count.
  /// - Parameter isWhole: whether anything else that is said of it counts too.
  mutating func add(_ old: EvaluatedValue?, _ new: EvaluatedValue, isWhole: Bool) {
    if let old, old.layer == new.layer, old.value.isExactly(new.value), !isWhole || old.saysTheSame(as: new) { return }
    values.append(new)
  }

  /// Adds the parts of the player that differ.
  mutating func add(_ old: WatchedPart?, _ new: WatchedPart?) {
    guard let new, old != new else { return }
    if old?.themes != new.themes { themes = new.themes }
    if old?.hasSameEntitlements(as: new) != true { entitlements = new }
    if old?.ads != new.ads { ads = new.ads }
  }
}

extension WatchScope {
  /// By how much the instant of a position may be ahead of the host's time at most.
  static let aheadMillisecondsMax: Int64 = 1_000

  /// Everything of a state, as a first event has it.
  public func everything(of state: WatchedState) -> WatchDifference {
    let view = state.view(of: context)
    let seen = state.evaluation(for: context, view)
    var all = WatchDifference()
    for at in state.game.table.entries.indices where selection.shows(state.game.table.entries[at].parameter) {
      if let answer = seen.answer(at: at), selection.shows(answer) { all.values.append(answer) }
    }
    for key in seen.keysGone { if let answer = seen.answer(for: key), selection.shows(answer) { all.values.append(answer) } }
    all.add(nil, view.map(WatchedPart.init))
    return all
  }

  /// The differences between two states for this watcher.
  /// - Parameters:
  ///   - touched: the keys that may differ; a key that is back at what it was is left out.
  ///   - comparesPart: whether something of the player can have changed.
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
    if comparesPart { difference.add(oldView.map(WatchedPart.init), newView.map(WatchedPart.init)) }
    if selection.isWhole {
      difference.movesClock = old.game.clock != new.game.clock || old.player?.clock ?? .game != new.player?.clock ?? .game
    }
    return difference
  }

  /// The update for a watcher that comes back with a position: today's answers of all keys that may have changed since.
  /// - Parameter keys: what the ring says is due.
  /// - Returns: nil when the position is not of this epoch or from the future.
  public func resumption(
    from position: WatchPosition, to state: WatchedState, epoch: UInt64, keys: Set<String>
  ) -> WatchDifference? {
    let playerRevision = state.player?.revision ?? 0
    guard position.epoch == epoch, position.revision <= state.game.revision, position.playerRevision <= playerRevision else { return nil }
    let isSamePlayer = position.playerRevision == playerRevision
    // What was so before the game's clock was set cannot be said again by the clock as it is now. Instants of positions run ahead of the host
    // by a millisecond for each that is sent within one.
    let isSameClock =
      state.game.clock == .host || state.game.clock.hostAnchor.milliseconds + Self.aheadMillisecondsMax <= position.instant.milliseconds
    let (view, past) = (
      state.view(of: context), WatchedState(state.game, player: state.player, host: min(position.instant, state.host))
    )
    let seen = state.evaluation(for: context, view)
    let before = past.evaluation(for: context, past.view(of: context))
    var difference = WatchDifference()
    for (at, entry) in state.game.table.entries.enumerated() where selection.shows(entry.parameter) {
      // What a write of the player can touch: settings, and by the registered context what rules and languages choose.
      let mayVary = (!isSamePlayer && !entry.variation.isEmpty) || (!isSameClock && entry.variation.contains(.clock))
      if mayVary || keys.contains(entry.parameter.key) {
        if let answer = seen.answer(at: at) { difference.values.append(answer) }
      } else if entry.variation.contains(.clock), let answer = seen.answer(at: at) {
        // Neither the game nor the player is another, so that what was sent then can be said again.
        difference.add(before.answer(at: at), answer, isWhole: selection.isWhole)
      }
    }
    difference.removed = keys.filter {
      state.game.table.entry($0) == nil && seen.play?.values[$0] == nil && selection.shows(removed: $0, of: nil)
    }.sorted()
    let touchesThemes = !keys.isDisjoint(with: state.game.keysOfThemes)
    difference.add(
      isSamePlayer && isSameClock && !touchesThemes ? past.view(of: context).map(WatchedPart.init) : nil, view.map(WatchedPart.init))
    difference.movesClock = selection.isWhole && !isSameClock
    return difference
  }

  /// The answers of the same caller without being a player, of these where they differ.
  public func base(of answers: [EvaluatedValue], in state: WatchedState) -> [EvaluatedValue] {
    if context.player == nil { return [] }
    let everyone = EvaluationContext(attributes: context.attributes, locale: context.locale)
    let seen = state.evaluation(for: everyone, nil)
    return answers.compactMap { own in
      guard let answer = seen.answer(for: own.key), answer.layer != own.layer || !answer.value.isExactly(own.value) else { return nil }
      return answer
    }
  }

  /// The instant when something of what the watcher is shown changes next without anyone writing.
  /// - Parameter positions: the keys that read the time.
  /// - Returns: the host's instant, nil when none is known; `isUnknown` when a key may change at any time.
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
