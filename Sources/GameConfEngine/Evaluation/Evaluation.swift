// The values of a game's parameters for one caller, at one revision and one instant. Every response with values is rendered from them.

public import GameConfCore
public import GameConfStorage

/// The values of a game's parameters for one caller, at one revision of the game and one instant.
///
/// ```swift
/// let seen = await Evaluate(players: recent, clock: clock).evaluation(EvaluationContext(player: "p1"), in: game)
/// if let limit = seen.answer(for: "arcade_time_limit_base") { print(limit.value, limit.layer.rawValue) }
/// ```
public struct Evaluation: Sendable {
  /// The evaluated game. Its parameter table resolves the keys, and its simulated clock gives the time at which rules are evaluated.
  public let game: GameSnapshot
  /// The caller, with the data of the stored player.
  public let caller: Caller
  /// The values that the player chose for parameters, in force or not.
  public let settings: [String: Value]
  /// The player's settings that are not in force, each with the reason.
  public let skipped: [SkippedSetting]
  /// The player revision; nil without a player, and if the store could not be read.
  public let playerRevision: Int64?
  /// The reason why the store could not be read; nil if it could, or if no read was needed.
  public let storeError: StoreError?
  /// The play that provides pinned values; nil if the call names no play.
  public let play: PinnedPlay?
  /// The play's locales in order of preference. Values pinned in a language keep it, even if the catalog no longer has the language.
  private let playLocales: [String]
  private let millisecondsAhead: Int64

  /// Creates an evaluation with the data of the player, as far as it could be loaded.
  /// - Parameter budget: The number of steps for all rules of the caller together; nil limits only each single expression.
  public init(
    _ context: EvaluationContext, _ cached: CachedPlayer, in game: GameSnapshot, host: Instant, within budget: EvaluationBudget? = nil
  ) {
    switch cached {
    case .nothing: self.init(context, in: game, host: host, within: budget)
    case .unknown(let storeError): self.init(context, in: game, host: host, storeError: storeError, within: budget)
    case .player(let known, let id):
      self.init(PlayerView(known, id, of: game, host: host, context: context.attributes, budget: budget), under: context)
    }
  }

  /// Creates an evaluation from the call alone: without a player, or if the store cannot be read.
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

  /// Creates an evaluation with the data of a stored player.
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

  /// The layers that could not be read: `.setting` if reading the store failed, otherwise empty.
  public var degraded: [Layer] { storeError == nil ? [] : [.setting] }

  /// Returns the host's first instant at which the caller's simulated time reaches an instant; nil if it never does at the clocks' present
  /// rates.
  public func host(at simulated: Instant) -> Instant? {
    game.host(at: Instant(milliseconds: simulated.milliseconds - millisecondsAhead))
  }

  /// The keys that the play pinned and that the catalog no longer has; empty without a play.
  public var keysGone: [String] { play?.keysGone(from: game.table) ?? [] }

  /// Returns the value of a key for the caller; nil if the play has not pinned the key and the game does not have it.
  public func answer(for key: String) -> EvaluatedValue? {
    if let pinned = play?.values[key] { return EvaluatedValue(pinned, in: playLocales, of: self) }
    return game.table.position(of: key).flatMap { answer(at: $0) }
  }

  /// Returns the value of the key at an index of the game's parameter table.
  public func answer(at position: Int) -> EvaluatedValue? {
    if let pinned = play?.values[game.table.entries[position].parameter.key] { return EvaluatedValue(pinned, in: playLocales, of: self) }
    guard let resolution = game.table.resolve(at: position, for: caller) else { return nil }
    return EvaluatedValue(resolution, of: game.table.entries[position], in: self)
  }
}

/// The value of one key for one caller, with the metadata that responses report.
public struct EvaluatedValue: Sendable {
  /// The value, its layer, reason and variant, and the next instant at which it may change without a write.
  public let resolution: Resolution
  /// The parameter with the values of its game-wide layers. ``ParameterEntry/variation`` says whether the value may differ between callers
  /// or over time.
  public let entry: ParameterEntry
  /// The layers that could not be read and might have provided another value.
  public let degraded: [Layer]
  /// True if only readers with the right to secrets may get the value: the key is secret, or was when the play pinned it.
  public let isSecret: Bool
  private let game: GameSnapshot
  private let player: String?
  /// The play that pinned the value; nil if it is not pinned.
  private let play: StoredPlay?

  init(_ resolution: Resolution, of entry: ParameterEntry, in evaluation: Evaluation) {
    self.resolution = resolution
    self.entry = entry
    game = evaluation.game
    player = evaluation.caller.player
    // A value that is equal for all callers does not depend on the unread player.
    degraded = resolution.reason == .static ? [] : evaluation.degraded
    isSecret = entry.parameter.isSecret
    play = nil
  }

  /// Creates a value that a play pinned. It has the catalog's present metadata if the catalog still has the key with the same type.
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

  /// The parameter's key; a pinned one may no longer be in the catalog.
  public var key: String { entry.parameter.key }
  /// The value, in the caller's language.
  public var value: Value { resolution.value }
  /// The layer that provides the value; `.play` for a value that a play pinned.
  public var layer: Layer { resolution.layer }
  /// The game's revision that last changed this value for this caller; for a pinned value, the revision of the pinning.
  public var revision: Int64 { play?.revision ?? game.revision(at: key, for: player) }

  /// True if the other value has the same resolution, revision, unread layers and variation, so that responses with the two are equal.
  func saysTheSame(as other: EvaluatedValue) -> Bool {
    resolution == other.resolution && value.isExactly(other.value) && revision == other.revision && degraded == other.degraded
      && entry.variation == other.entry.variation
  }

  /// The override that provides the value, with its author and reason; nil if another layer provides it.
  public var override: OverrideRecord? {
    switch layer {
    case .playerOverride: player.flatMap { game.overrides.player($0).slots[key] }?.inForce
    case .gameOverride: game.overrides.game[key]?.inForce
    case .play, .setting, .remote, .catalogDefault: nil
    }
  }
}
