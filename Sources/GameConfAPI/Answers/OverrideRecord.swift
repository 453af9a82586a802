// One override as lists, exports and answers to changes show it.

public import GameConfCore

/// Who did something, as far as the socket knows.
public struct WireAuthor: WireShape {
  /// The user's number; nil for the daemon itself.
  public var uid: Int64?
  /// The user's name, `gameconfd` for the daemon itself.
  public var name: String?
  /// The process, as a hint.
  public var pid: Int64?

  /// An author.
  public init(uid: Int64?, name: String?, pid: Int64? = nil) {
    self.uid = uid
    self.name = name
    self.pid = pid
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue().with("uid", uid).with("name", name).with("pid", pid)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    uid = try members.optionalInteger("uid")
    name = try members.optionalString("name")
    pid = try members.optionalInteger("pid")
  }

  /// `Author`.
  public static var schemaName: String { "Author" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Who did something.", optional: ["uid": SchemaText.integer, "name": SchemaText.string, "pid": SchemaText.integer])
  }
}

/// From when until when an override holds.
public struct WireWindow: WireShape {
  /// The window's id.
  public var id: String?
  /// The first instant it holds.
  public var from: Instant
  /// The first instant it no longer holds.
  public var until: Instant

  /// A window.
  public init(id: String?, from: Instant, until: Instant) {
    self.id = id
    self.from = from
    self.until = until
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue().with("id", id).with("from", .some(from)).with("until", .some(until)))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    id = try members.optionalString("id")
    from = try members.instant("from")
    until = try members.instant("until")
  }

  /// `Window`.
  public static var schemaName: String { "Window" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "From when until when, the end excluded.", required: ["from": SchemaText.instant, "until": SchemaText.instant],
      optional: ["id": SchemaText.string])
  }
}

/// One override.
public struct OverrideRecord: WireShape {
  /// The key it forces.
  public var key: String
  /// The player it is for; nil for the whole game.
  public var player: String?
  /// The value.
  public var value: Value
  /// When it holds; nil when it stands.
  public var window: WireWindow?
  /// Who set it.
  public var author: WireAuthor
  /// When it was set.
  public var at: Instant
  /// Why.
  public var reason: String?
  /// The revision it was set at.
  public var revision: Int64
  /// Why it is kept but not served; nil when it is served.
  public var quarantined: String?

  /// An override.
  public init(
    key: String, player: String? = nil, value: Value, window: WireWindow? = nil, author: WireAuthor, at: Instant, reason: String? = nil,
    revision: Int64, quarantined: String? = nil
  ) {
    self.key = key
    self.player = player
    self.value = value
    self.window = window
    self.author = author
    self.at = at
    self.reason = reason
    self.revision = revision
    self.quarantined = quarantined
  }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("key", .string(key))]).with("player", player)
    object["value"] = value
    return .object(
      object.with("window", window).with("author", .some(author)).with("at", .some(at)).with("reason", reason)
        .with("revision", .some(revision)).with("quarantined", quarantined))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    key = try members.string("key")
    player = try members.optionalString("player")
    value = try members.required("value")
    window = try members.optionalShape("window")
    author = try members.shape("author")
    at = try members.instant("at")
    reason = try members.optionalString("reason")
    revision = try members.integer("revision")
    quarantined = try members.optionalString("quarantined")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A value an admin forces.",
      required: [
        "key": SchemaText.string, "value": SchemaText.any, "author": SchemaText.ref(WireAuthor.self), "at": SchemaText.instant,
        "revision": SchemaText.integer,
      ],
      optional: [
        "player": SchemaText.string, "window": SchemaText.ref(WireWindow.self), "reason": SchemaText.string,
        "quarantined": SchemaText.described(SchemaText.string, "Why it is kept but not served."),
      ])
  }
}
