// One game's parameters for one caller at one revision and instant: all that answers values renders this.

public import GameConfCore
public import GameConfStorage

/// A game as one caller sees it.
///
/// ```swift
/// let seen = await Evaluate(players: recent, clock: clock).evaluation(EvaluationContext(player: "p1"), in: game)
/// if let limit = seen.answer(for: "arcade_time_limit_base") { print(limit.value, limit.layer.rawValue) }
/// ```
public struct Evaluation: Sendable {
  /// The game at the revision it is evaluated at.
  public let game: GameSnapshot
  /// The caller with all that is kept of the player.
  public let caller: Caller
  /// The player's choices, in force or not.
  public let settings: [String: Value]
  /// The settings that are not in force, and why.
  public let skipped: [SkippedSetting]
  /// The player revision; nil without a player, and when the store could not be asked.
  public let playerRevision: Int64?
  /// The reason why the store could not be asked; nil when it could, or did not have to be.
  public let storeError: StoreError?
  /// The play whose pinned values answer; nil without one.
  public let play: PinnedPlay?
  /// The play's locales in the order to answer in: what was pinned in a language stays in it when the catalog loses that.
  private let playLocales: [String]
  private let millisecondsAhead: Int64

  /// An evaluation with what could be had of the player.
  /// - Parameter budget: what rules may do on the caller's behalf; nil bounds each evaluation alone.
  public init(
    _ context: EvaluationContext, _ kept: CachedPlayer, in game: GameSnapshot, host: Instant, within budget: EvaluationBudget? = nil
  ) {
    switch kept {
    case .nothing: self.init(context, in: game, host: host, within: budget)
    case .unknown(let storeError): self.init(context, in: game, host: host, storeError: storeError, within: budget)
    case .player(let known, let id):
      self.init(PlayerView(known, id, of: game, host: host, context: context.attributes, budget: budget), under: context)
    }
  }

  /// An evaluation by what the call says alone: for one without a player, and where the store cannot be asked.
  public init(
    _ context: EvaluationContext, in game: GameSnapshot, host: Instant, storeError: StoreError? = nil,
    within budget: EvaluationBudget? = nil
  ) {
    self.game = game
    caller = context.caller(in: game, now: game.now(host: host), within: budget)
    (settings, skipped, playerRevision) = ([:], [], nil)
    self.storeError = storeError
    millisecondsAhead = 0
    play = context.play
    playLocales = context.localesOfPlay(registered: nil)
  }

  /// An evaluation with what is kept of the player.
  public init(_ view: PlayerView, under context: EvaluationContext) {
    game = view.game
    var caller = view.caller
    if context.locale != nil { caller.locales = context.locales(in: view.game) }
    self.caller = caller
    settings = view.state.settings
    skipped = view.skipped
    playerRevision = view.stored.revision
    storeError = nil
    millisecondsAhead = view.stored.clock.offsetMilliseconds
    play = context.play
    playLocales = context.localesOfPlay(registered: view.caller.context["locale"]?.stringValue)
  }

  /// The layers that could not be asked.
  public var degraded: [Layer] { storeError == nil ? [] : [.setting] }

  /// The host's first instant at which it is this one or later for the caller; nil when it never will be as the clocks are set.
  public func host(at simulated: Instant) -> Instant? {
    game.host(at: Instant(milliseconds: simulated.milliseconds - millisecondsAhead))
  }

  /// The keys that only the play has: the catalog has them no more.
  public var keysGone: [String] { play?.keysGone(from: game.table) ?? [] }

  /// The answer for a key; nil when neither the play nor the game has such a key.
  public func answer(for key: String) -> EvaluatedValue? {
    if let pinned = play?.values[key] { return EvaluatedValue(pinned, in: playLocales, of: self) }
    return game.table.position(of: key).flatMap { answer(at: $0) }
  }

  /// The answer for the key at that position of the table.
  public func answer(at position: Int) -> EvaluatedValue? {
    if let pinned = play?.values[game.table.entries[position].parameter.key] { return EvaluatedValue(pinned, in: playLocales, of: self) }
    guard let resolution = game.table.resolve(at: position, for: caller) else { return nil }
    return EvaluatedValue(resolution, of: game.table.entries[position], in: self)
  }
}

/// The answer for one key, with everything that is reported about it.
public struct EvaluatedValue: Sendable {
  /// The value, its layer, reason and variant, and when it may change without anyone writing.
  public let resolution: Resolution
  /// The key with its game-wide layers; ``ParameterEntry/variation`` says by what answers may differ.
  public let entry: ParameterEntry
  /// The layers that could not be asked and might have given another answer.
  public let degraded: [Layer]
  /// True if only its readers are shown the value: the key is secret, or was when the play pinned it.
  public let isSecret: Bool
  private let game: GameSnapshot
  private let player: String?
  /// The play that pinned it; nil where none did.
  private let play: StoredPlay?

  init(_ resolution: Resolution, of entry: ParameterEntry, in evaluation: Evaluation) {
    self.resolution = resolution
    self.entry = entry
    game = evaluation.game
    player = evaluation.caller.player
    // What is the same for everyone lacks nothing when the player cannot be asked for.
    degraded = resolution.reason == .static ? [] : evaluation.degraded
    isSecret = entry.parameter.isSecret
    play = nil
  }

  /// A pinned value. Its key is described as it is now, where the catalog has it with the same type.
  init(_ pinned: PinnedValue, in locales: [String], of evaluation: Evaluation) {
    let present = evaluation.game.table.entry(pinned.key)
    resolution = Resolution(value: pinned.value(in: locales), layer: .play, reason: .targetingMatch, variant: pinned.variant)
    entry = present.flatMap { $0.parameter.type == pinned.type ? $0 : nil } ?? ParameterEntry(pinned)
    game = evaluation.game
    player = evaluation.caller.player
    degraded = []
    isSecret = pinned.isSecret || present?.parameter.isSecret == true
    play = evaluation.play?.play
  }

  /// The key.
  public var key: String { entry.parameter.key }
  /// The value, in the caller's language.
  public var value: Value { resolution.value }
  /// The layer that gave it.
  public var layer: Layer { resolution.layer }
  /// The game's revision that last changed this answer for this caller; of a pinned value the one at which it was pinned.
  public var revision: Int64 { play?.revision ?? game.revision(at: key, for: player) }

  /// True if everything that is reported about both is the same.
  func saysTheSame(as other: EvaluatedValue) -> Bool {
    resolution == other.resolution && value.isExactly(other.value) && revision == other.revision && degraded == other.degraded
      && entry.variation == other.entry.variation
  }

  /// The override that gives the value, with its author and reason; nil where none does.
  public var override: OverrideRecord? {
    switch layer {
    case .playerOverride: player.flatMap { game.overrides.player($0).slots[key] }?.inForce
    case .gameOverride: game.overrides.game[key]?.inForce
    case .play, .setting, .remote, .catalogDefault: nil
    }
  }
}
