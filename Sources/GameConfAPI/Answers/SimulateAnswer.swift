// How a key splits over many players.

public import GameConfCore

/// Body of `POST …/config/{key}/simulate`.
public struct SimulateRequest: WireShape {
  /// How many players; their ids are `prefix` + 1, 2, 3, …
  public var players: Int64
  /// What their ids begin with.
  public var prefix: String
  /// Attributes that all of them have.
  public var context: ObjectValue

  /// A request.
  public init(players: Int64, prefix: String = "player-", context: ObjectValue = ObjectValue()) {
    self.players = players
    self.prefix = prefix
    self.context = context
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("players", .integer(players)), ("prefix", .string(prefix)), ("context", .object(context))]))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["players", "prefix", "context"])
    players = try members.integer("players")
    prefix = try members.optionalString("prefix") ?? "player-"
    context = try members.object("context")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Players to resolve a key for.", required: ["players": SchemaText.integer],
      optional: ["prefix": SchemaText.string, "context": SchemaText.anyObject], closed: true)
  }
}

/// Answer of `POST …/config/{key}/simulate`.
public struct SimulateAnswer: WireShape {
  /// The game.
  public var game: String
  /// The key.
  public var key: String
  /// How many players it was resolved for.
  public var players: Int64
  /// The different answers, the most frequent first.
  public var shares: [SimulatedShare]

  /// An answer.
  public init(game: String, key: String, players: Int64, shares: [SimulatedShare]) {
    self.game = game
    self.key = key
    self.players = players
    self.shares = shares
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("game", .string(game)), ("key", .string(key)), ("players", .integer(players))]).with("shares", shares))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    key = try members.string("key")
    players = try members.integer("players")
    shares = try members.shapes("shares")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "How a key splits.",
      required: [
        "game": SchemaText.string, "key": SchemaText.string, "players": SchemaText.integer,
        "shares": SchemaText.list(SimulatedShare.self),
      ])
  }
}

/// One of the answers a key splits into.
public struct SimulatedShare: WireShape {
  /// The value.
  public var value: Value
  /// The layer that gave it.
  public var source: String
  /// Why.
  public var reason: String
  /// The variant's name, when there is one.
  public var variant: String?
  /// How many of the players get it.
  public var players: Int64

  /// A share.
  public init(value: Value, source: String, reason: String, variant: String? = nil, players: Int64) {
    self.value = value
    self.source = source
    self.reason = reason
    self.variant = variant
    self.players = players
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("value", value), ("source", .string(source)), ("reason", .string(reason))]).with("variant", variant)
        .with("players", .some(players)))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    value = try members.required("value")
    source = try members.string("source")
    reason = try members.string("reason")
    variant = try members.optionalString("variant")
    players = try members.integer("players")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "One of the answers.",
      required: [
        "value": SchemaText.any, "source": SchemaText.string, "reason": SchemaText.string, "players": SchemaText.integer,
      ],
      optional: ["variant": SchemaText.string])
  }
}
