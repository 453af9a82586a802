// How the simulated store is set to behave for a player.

public import GameConfCore

/// A call of the store that fails.
public struct SimulatedFailure: WireShape {
  /// With what, in StoreKit's words: `not_allowed`, `network_error`, …
  public var error: String
  /// For how many more calls; nil until it is cleared.
  public var times: Int64?

  /// A failure.
  public init(error: String, times: Int64? = nil) {
    self.error = error
    self.times = times
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue([("error", .string(error))]).with("times", times)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["error", "times"])
    error = try members.string("error")
    times = try members.optionalInteger("times")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A call that fails.", required: ["error": SchemaText.words(SimulatedError.self)],
      optional: ["times": SchemaText.described(SchemaText.integer, "For how many more calls; absent until it is cleared.")], closed: true)
  }
}

/// The settings of one player's store.
public struct BehaviourRecord: Sendable, Hashable {
  /// The calls that fail: `load_products`, `purchase`, `verification`, `restore`.
  public var fail: [String: SimulatedFailure]
  /// Whether purchases wait for a parent's word.
  public var asksToBuy: Bool
  /// Whether purchases are interrupted until resolved.
  public var interruptsPurchases: Bool
  /// Whether renewals fail and go into billing retry.
  public var failsBilling: Bool
  /// Whether access goes on while billing is retried: `product`, `always` or `never`.
  public var grace: String

  /// A behaviour.
  public init(
    fail: [String: SimulatedFailure] = [:], asksToBuy: Bool = false, interruptsPurchases: Bool = false, failsBilling: Bool = false,
    grace: String = StoreBehaviour.Grace.asProduct.rawValue
  ) {
    self.fail = fail
    self.asksToBuy = asksToBuy
    self.interruptsPurchases = interruptsPurchases
    self.failsBilling = failsBilling
    self.grace = grace
  }

  static let names = ["fail", "ask_to_buy", "interrupted", "billing_fails", "grace"]

  init(_ members: WireMembers) throws(WireFault) {
    var fail: [String: SimulatedFailure] = [:]
    for member in try members.object("fail").members where member.value != .null {
      fail[member.name] = try SimulatedFailure(wire: member.value, at: members.place("fail") + "/" + JSONPointer.escaped(member.name))
    }
    self.init(
      fail: fail, asksToBuy: try members.flag("ask_to_buy"), interruptsPurchases: try members.flag("interrupted"),
      failsBilling: try members.flag("billing_fails"),
      grace: try members.optionalString("grace") ?? StoreBehaviour.Grace.asProduct.rawValue)
  }

  func add(to object: ObjectValue) -> ObjectValue {
    var object = object
    object["fail"] = .object(ObjectValue(fail.sorted { $0.key < $1.key }.map { ($0.key, $0.value.wire) }))
    object["ask_to_buy"] = .bool(asksToBuy)
    object["interrupted"] = .bool(interruptsPurchases)
    object["billing_fails"] = .bool(failsBilling)
    object["grace"] = .string(grace)
    return object
  }

  static let properties: KeyValuePairs<String, Value> = [
    "fail": SchemaText.described(
      SchemaText.map(SchemaText.ref(SimulatedFailure.self)), "By call: load_products, purchase, verification, restore."),
    "ask_to_buy": SchemaText.described(SchemaText.boolean, "Purchases wait for a parent's word."),
    "interrupted": SchemaText.described(SchemaText.boolean, "Purchases are interrupted until resolved."),
    "billing_fails": SchemaText.described(SchemaText.boolean, "Renewals fail and go into billing retry."),
    "grace": SchemaText.described(SchemaText.words(StoreBehaviour.Grace.self), "Whether access goes on while billing is retried."),
  ]
}

/// Body of `PUT p/store/behaviour`: what is not said works as usual.
public struct PutBehaviour: WireShape {
  /// How the store shall behave.
  public var behaviour: BehaviourRecord
  /// Why.
  public var reason: String?

  /// A request.
  public init(behaviour: BehaviourRecord, reason: String? = nil) {
    self.behaviour = behaviour
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value { .object(behaviour.add(to: ObjectValue()).with("reason", reason)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: BehaviourRecord.names + ["reason"])
    behaviour = try BehaviourRecord(members)
    reason = try members.optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    var schema = SchemaText.object(
      "How the store behaves; what is not said works as usual.", optional: BehaviourRecord.properties, closed: true)
    if var properties = schema["properties"]?.objectValue, var object = schema.objectValue {
      properties["reason"] = SchemaText.string
      object["properties"] = .object(properties)
      schema = .object(object)
    }
    return schema
  }
}

/// Answer of `GET` and `PUT p/store/behaviour`.
public struct BehaviourAnswer: WireShape {
  /// The game.
  public var game: String
  /// The player.
  public var player: String
  /// The player's revision.
  public var playerRevision: Int64
  /// How the store behaves from now on.
  public var behaviour: BehaviourRecord
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(game: String, player: String, playerRevision: Int64, behaviour: BehaviourRecord, isDryRun: Bool = false) {
    self.game = game
    self.player = player
    self.playerRevision = playerRevision
    self.behaviour = behaviour
    self.isDryRun = isDryRun
  }

  /// Its JSON.
  public var wire: Value {
    let object = ObjectValue([("game", .string(game)), ("player", .string(player))]).withEnvironment()
      .with("player_revision", .some(.integer(playerRevision))).with("dry_run", ifTrue: isDryRun)
    return .object(behaviour.add(to: object))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    player = try members.string("player")
    playerRevision = try members.integer("player_revision")
    behaviour = try BehaviourRecord(members)
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    var schema = SchemaText.object(
      "How the simulated store behaves for a player.",
      required: [
        "game": SchemaText.string, "player": SchemaText.string, "environment": SchemaText.environment,
        "player_revision": SchemaText.integer,
      ], optional: BehaviourRecord.properties)
    if var properties = schema["properties"]?.objectValue, var object = schema.objectValue {
      properties["dry_run"] = SchemaText.boolean
      object["properties"] = .object(properties)
      schema = .object(object)
    }
    return schema
  }
}
