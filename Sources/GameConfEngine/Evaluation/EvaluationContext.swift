// The caller of an evaluation, as the call describes it.

public import GameConfCore

/// The player and the attributes of a call. An ``Evaluation`` adds the stored data of the player.
public struct EvaluationContext: Sendable, Hashable {
  /// The player's id, which replaces `targetingKey` in the attributes.
  public var player: String?
  /// The attributes that rules read. A rule that reads `targetingKey` gets ``player``, not an attribute of that name.
  public var attributes: ObjectValue
  /// The requested language; `*` for all of them, nil for the language that the player registered.
  public var locale: String?
  /// The id of the play with pinned values. Before evaluating, a call uses it to find ``play``.
  public var playID: String?
  /// The play whose pinned values take precedence over every layer.
  public var play: PinnedPlay?

  /// Creates the context of a call, by default without a player, attributes and a play.
  public init(player: String? = nil, attributes: ObjectValue = ObjectValue(), locale: String? = nil, play: PinnedPlay? = nil) {
    self.player = player
    self.attributes = attributes
    self.locale = locale
    self.play = play
    playID = play?.play.id
  }

  /// Returns the caller for whom the parameter table resolves values, without the data of a stored player.
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

  /// Returns the play's locales in order of preference; empty for every language.
  func localesOfPlay(registered: String?) -> [String] {
    let wanted = locale ?? registered
    guard let play, wanted != "*" else { return [] }
    return LocaleLookup.order(for: wanted, among: play.values.locales)
  }
}
