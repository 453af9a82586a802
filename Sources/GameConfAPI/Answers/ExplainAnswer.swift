// Why a key has the value it has.

public import GameConfCore

/// Answer of `…/config/{key}/explain`.
public struct ExplainAnswer: WireShape {
  /// The game.
  public var game: String
  /// The answer it explains.
  public var answer: ValueAnswer
  /// For whom.
  public var player: String?
  /// The attributes it was resolved with.
  public var context: ObjectValue
  /// Every layer, highest first, windows before the standing override; lists also the range and the key's constraints as they are now.
  public var layers: [ExplainedLayer]

  /// An explanation.
  public init(game: String, answer: ValueAnswer, player: String? = nil, context: ObjectValue = ObjectValue(), layers: [ExplainedLayer]) {
    self.game = game
    self.answer = answer
    self.player = player
    self.context = context
    self.layers = layers
  }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("game", .string(game))])
    for member in answer.wire.objectValue?.members ?? [] { object[member.name] = member.value }
    object = object.with("player", player)
    object["context"] = .object(context)
    return .object(object.with("layers", layers))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    answer = try ValueAnswer(wire: wire, at: pointer)
    player = try members.optionalString("player")
    context = try members.object("context")
    layers = try members.shapes("layers")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    [
      "description": "A key's value and every layer that could have given it.",
      "allOf": [
        SchemaText.ref(ValueAnswer.self),
        SchemaText.object(
          "Every layer, highest first.", required: ["game": SchemaText.string, "layers": SchemaText.list(ExplainedLayer.self)],
          optional: ["player": SchemaText.string, "context": SchemaText.anyObject]),
      ],
    ]
  }
}

/// One layer in an explanation.
public struct ExplainedLayer: WireShape {
  /// `play`, `override.player`, `override.game`, `setting`, `remote` or `default`.
  public var layer: String
  /// What it would give; nil when it has no value.
  public var value: Value?
  /// Whether it gave the answer.
  public var isApplied: Bool
  /// Why it did or did not.
  public var why: String
  /// Who set it, when someone did.
  public var author: WireAuthor?
  /// When it was set.
  public var at: Instant?
  /// Why it was set.
  public var reason: String?
  /// Its window, when it has one.
  public var window: WireWindow?
  /// The rules it looked at, each with its outcome.
  public var rules: Value?
  /// The targeting of a flag in flagd's spelling, with its outcome.
  public var targeting: Value?

  /// A layer.
  public init(
    layer: String, value: Value? = nil, isApplied: Bool, why: String, author: WireAuthor? = nil, at: Instant? = nil,
    reason: String? = nil, window: WireWindow? = nil, rules: Value? = nil, targeting: Value? = nil
  ) {
    self.layer = layer
    self.value = value
    self.isApplied = isApplied
    self.why = why
    self.author = author
    self.at = at
    self.reason = reason
    self.window = window
    self.rules = rules
    self.targeting = targeting
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("layer", .string(layer))]).with("value", value).with("applied", .some(.bool(isApplied)))
        .with("why", .some(.string(why))).with("author", author).with("at", at).with("reason", reason).with("window", window)
        .with("rules", rules).with("targeting", targeting))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    layer = try members.string("layer")
    value = members.object["value"]
    isApplied = try members.flag("applied")
    why = try members.string("why")
    author = try members.optionalShape("author")
    at = try members.optionalInstant("at")
    reason = try members.optionalString("reason")
    window = try members.optionalShape("window")
    rules = members.object["rules"]
    targeting = members.object["targeting"]
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A layer that could have given the value.",
      required: ["layer": SchemaText.string, "applied": SchemaText.boolean, "why": SchemaText.string],
      optional: [
        "value": SchemaText.any, "author": SchemaText.ref(WireAuthor.self), "at": SchemaText.instant, "reason": SchemaText.string,
        "window": SchemaText.ref(WireWindow.self), "rules": SchemaText.any,
        "targeting": SchemaText.any,
      ])
  }
}
