// The caller for whom a game's parameters are evaluated, as a call describes it.

public import GameConfCore

/// The player and the attributes a call gives; what is kept of the player comes to it in an ``Evaluation``.
public struct EvaluationContext: Sendable, Hashable {
  /// The player; also `targetingKey` of the attributes.
  public var player: String?
  /// The attributes that rules read; `targetingKey` is the player, whatever stands here.
  public var attributes: ObjectValue
  /// The language asked for; `*` for all of them, nil when the call leaves it to what the player registered.
  public var locale: String?
  /// The play whose pinned values are wanted, by its id; a call finds ``play`` by it before it evaluates.
  public var playID: String?
  /// The play whose pinned values stand above every layer.
  public var play: PinnedPlay?

  /// A context.
  public init(player: String? = nil, attributes: ObjectValue = ObjectValue(), locale: String? = nil, play: PinnedPlay? = nil) {
    self.player = player
    self.attributes = attributes
    self.locale = locale
    self.play = play
    playID = play?.play.id
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

  /// The play's own locales in the order to answer in; none answers every language.
  func localesOfPlay(registered: String?) -> [String] {
    let wanted = locale ?? registered
    guard let play, wanted != "*" else { return [] }
    return LocaleLookup.order(for: wanted, among: play.values.locales)
  }
}
