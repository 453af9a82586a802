// On whose behalf a game's parameters are evaluated, as a call says it.

public import GameConfCore

/// The player and the attributes a call gives; what is kept of the player comes to it in an ``Evaluation``.
public struct EvaluationContext: Sendable, Hashable {
  /// The player; also `targetingKey` of the attributes.
  public var player: String?
  /// The attributes that rules read; `targetingKey` is the player, whatever stands here.
  public var attributes: ObjectValue
  /// The language asked for; `*` for all of them, nil when the call leaves it to what the player registered.
  public var locale: String?

  /// A context.
  public init(player: String? = nil, attributes: ObjectValue = ObjectValue(), locale: String? = nil) {
    self.player = player
    self.attributes = attributes
    self.locale = locale
  }

  /// The caller as the resolver wants it, by what the call says alone.
  public func caller(in game: GameSnapshot, now: Instant, within budget: EvaluationBudget? = nil) -> Caller {
    var caller = Caller(
      player: player, context: attributes, locales: locales(in: game), now: now,
      overrides: player.map { game.overrides.player($0).values } ?? [:])
    caller.budget = budget
    return caller
  }

  func locales(in game: GameSnapshot) -> [String] {
    locale == "*" ? [] : LocaleLookup.order(for: locale, among: game.catalog.locales)
  }
}
