// For whom values are wanted, when a query is not enough.

public import GameConfCore

/// Body of the POST forms of config, one key and explain.
public struct EvaluateRequest: WireShape {
  /// The player; must equal `context.targetingKey` when both are given.
  public var player: String?
  /// Attributes of the caller.
  public var context: ObjectValue
  /// The play whose pinned values are wanted.
  public var play: String?
  /// The keys wanted; nil means all. Admitted for a whole config only.
  public var keys: [String]?

  /// A request.
  public init(player: String? = nil, context: ObjectValue = ObjectValue(), play: String? = nil, keys: [String]? = nil) {
    self.player = player
    self.context = context
    self.play = play
    self.keys = keys
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue().with("player", player).with("context", context.isEmpty ? Value?.none : .some(.object(context))).with("play", play)
        .with("keys", keys.map { .list($0.map(Value.string)) }))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["player", "context", "play", "keys"])
    player = try members.optionalString("player")
    context = try members.object("context")
    play = try members.optionalString("play")
    keys = members.optional("keys") == nil ? nil : try members.strings("keys")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "For whom values are wanted.",
      optional: [
        "player": SchemaText.string,
        "context": SchemaText.described(
          SchemaText.anyObject, "Attributes of the caller: targetingKey, locale, platform, app_version, country, …"),
        "play": SchemaText.string, "keys": SchemaText.list(SchemaText.string),
      ], closed: true)
  }
}
