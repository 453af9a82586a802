// One game's parameters for one caller at one revision and instant: all that answers values renders this.

public import GameConfCore

/// A game as one caller sees it.
///
/// ```swift
/// let seen = await Evaluate(players: recent, clock: clock)(EvaluationContext(player: "p1"), in: game)
/// if let limit = seen.answer(for: "arcade_time_limit_base") { print(limit.value, limit.layer.rawValue) }
/// ```
public struct Evaluation: Sendable {
  /// The game at the revision it is evaluated at.
  public let game: GameSnapshot
  /// The caller with all that is kept of the player.
  public let caller: Caller
  /// What the player chose, in force or not.
  public let settings: [String: Value]
  /// The settings that are not in force, and why.
  public let skipped: [SkippedSetting]
  /// The player revision; nil without a player, and when the store could not be asked.
  public let playerRevision: Int64?
  /// Why the store could not be asked; nil when it could, or did not have to be.
  public let trouble: StoreError?
  private let millisecondsAhead: Int64

  /// An evaluation with what could be had of the player.
  /// - Parameter budget: what rules may do on the caller's behalf; nil bounds each evaluation alone.
  public init(
    _ context: EvaluationContext, _ kept: KeptOfPlayer, in game: GameSnapshot, host: Instant, within budget: EvaluationBudget? = nil
  ) {
    switch kept {
    case .nothing: self.init(context, in: game, host: host, within: budget)
    case .unknown(let trouble): self.init(context, in: game, host: host, trouble: trouble, within: budget)
    case .player(let known, let id):
      self.init(PlayerView(known, id, of: game, host: host, context: context.attributes, budget: budget), under: context)
    }
  }

  /// An evaluation by what the call says alone: for one without a player, and where the store cannot be asked.
  public init(
    _ context: EvaluationContext, in game: GameSnapshot, host: Instant, trouble: StoreError? = nil, within budget: EvaluationBudget? = nil
  ) {
    self.game = game
    caller = context.caller(in: game, now: game.now(host: host), within: budget)
    (settings, skipped, playerRevision) = ([:], [], nil)
    self.trouble = trouble
    millisecondsAhead = 0
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
    trouble = nil
    millisecondsAhead = view.stored.clock.offsetMilliseconds
  }

  /// The layers that could not be asked.
  public var degraded: [Layer] { trouble == nil ? [] : [.setting] }

  /// The host's first instant at which it is this one or later for the caller; nil when it never will be as the clocks are set.
  public func host(at simulated: Instant) -> Instant? {
    game.host(at: Instant(milliseconds: simulated.milliseconds - millisecondsAhead))
  }

  /// The answer for a key; nil when the game has no such key.
  public func answer(for key: String) -> EvaluatedValue? { game.table.position(of: key).flatMap { answer(at: $0) } }

  /// The answer for the key at that position of the table.
  public func answer(at position: Int) -> EvaluatedValue? {
    guard let resolution = game.table.resolve(at: position, for: caller) else { return nil }
    return EvaluatedValue(resolution, of: game.table.entries[position], in: self)
  }
}

/// The answer for one key, with everything that is told of it.
public struct EvaluatedValue: Sendable {
  /// The value, its layer, reason and variant, and when it may change without anyone writing.
  public let resolution: Resolution
  /// The key with its game-wide layers; ``ParameterEntry/variation`` says by what answers may differ.
  public let entry: ParameterEntry
  /// The layers that could not be asked and might have given another answer.
  public let degraded: [Layer]
  private let game: GameSnapshot
  private let player: String?

  init(_ resolution: Resolution, of entry: ParameterEntry, in evaluation: Evaluation) {
    self.resolution = resolution
    self.entry = entry
    game = evaluation.game
    player = evaluation.caller.player
    // What is the same for everyone lacks nothing when the player cannot be asked for.
    degraded = resolution.reason == .static ? [] : evaluation.degraded
  }

  /// The key.
  public var key: String { entry.parameter.key }
  /// The value, in the caller's language.
  public var value: Value { resolution.value }
  /// The layer that gave it.
  public var layer: Layer { resolution.layer }
  /// The game's revision that last changed this answer for this caller.
  public var revision: Int64 { game.revision(at: key, for: player) }

  /// Whether everything that is told of both is the same.
  func saysTheSame(as other: EvaluatedValue) -> Bool {
    resolution == other.resolution && value.isExactly(other.value) && revision == other.revision && degraded == other.degraded
      && entry.variation == other.entry.variation
  }

  /// The override that gives the value, with its author and reason; nil where none does.
  public var override: OverrideRecord? {
    switch layer {
    case .playerOverride: player.flatMap { game.overrides.player($0).slots[key] }?.inForce
    case .gameOverride: game.overrides.game[key]?.inForce
    case .setting, .remote, .catalogDefault: nil
    }
  }
}
