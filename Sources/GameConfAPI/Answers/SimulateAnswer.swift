// The distribution of a key's values over many simulated players.

public import GameConfCore

/// Body of `POST …/config/{key}/simulate`: the number of simulated players, and the attributes that all of them have.
public struct SimulateRequest: WireRequest {
  package var players: Int64 = 0
  package var prefix = ""
  package var context = ObjectValue()

  package init() {}

  package init(players: Int64, prefix: String = "player-", context: ObjectValue = ObjectValue()) {
    self.players = players
    self.prefix = prefix
    self.context = context
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["players": 1_000, "context": ["platform": "ios"]] }

  package static var about: String { "Players to resolve a key for." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("players", &players, "The number of players; their ids are prefix + 1, 2, 3, …")
    fields.usual("prefix", &prefix, "The prefix of their ids.")
    fields.usual("context", &context, "The attributes of all of them.")
  }
}

/// Answer of `POST …/config/{key}/simulate`: the different values, the most frequent first, each with its number of players.
public struct SimulateAnswer: WireObject {
  package var game = ""
  package var key = ""
  package var players: Int64 = 0
  package var shares: [SimulatedShare] = []

  package init() {}

  package init(game: String, key: String, players: Int64, shares: [SimulatedShare]) {
    self.game = game
    self.key = key
    self.players = players
    self.shares = shares
  }

  package static var about: String { "The distribution of a key's values." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("key", &key, "The key.")
    fields.required("players", &players, "The number of simulated players.")
    fields.required("shares", &shares, "The different answers, the most frequent first.")
  }
}

/// One value of the simulated distribution, with the number of players who get it.
public struct SimulatedShare: WireObject {
  package var value = Value.null
  package var source = ""
  package var reason = ""
  package var variant: String?
  package var players: Int64 = 0

  package init() {}

  package init(value: Value, source: String, reason: String, variant: String? = nil, players: Int64) {
    self.value = value
    self.source = source
    self.reason = reason
    self.variant = variant
    self.players = players
  }

  package static var about: String { "One of the answers." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("value", &value, "The value.", .parameterValue)
    fields.required("source", &source, "The layer that gave the value.")
    fields.required("reason", &reason, "The reason, for the audit log.")
    fields.optional("variant", &variant, "The variant's name; absent without a variant.")
    fields.required("players", &players, "The number of players who get it.")
  }
}
