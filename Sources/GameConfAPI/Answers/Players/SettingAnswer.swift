// What a player chose for a key, and what is in force.

public import GameConfCore

/// A player's setting: answer of `PUT p/settings/{key}`, and an entry of the player's page.
public struct SettingAnswer: WireShape {
  /// The key.
  public var key: String
  /// What is stored; nil, null on the wire, when nothing is.
  public var value: Value?
  /// What is in force for the player; nil, null on the wire, when the game has no such key any more.
  public var effective: Value?
  /// The layer that gives what is in force.
  public var source: String?
  /// The layer above that has a value, so that the setting is not in force.
  public var shadowedBy: String?
  /// Why the stored value is not in force although nothing stands above it.
  public var skipped: String?
  /// The player's revision after the change; nil on the player's page.
  public var playerRevision: Int64?
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// A setting.
  public init(
    key: String, value: Value?, effective: Value?, source: String? = nil, shadowedBy: String? = nil, skipped: String? = nil,
    playerRevision: Int64? = nil, isDryRun: Bool = false
  ) {
    self.key = key
    self.value = value
    self.effective = effective
    self.source = source
    self.shadowedBy = shadowedBy
    self.skipped = skipped
    self.playerRevision = playerRevision
    self.isDryRun = isDryRun
  }

  /// Whether what is stored is what is in force.
  public var isInForce: Bool { source == Layer.setting.rawValue }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("key", .string(key)), ("value", value ?? .null), ("effective", effective ?? .null)]).with("source", source)
    object["shadowed_by"] = shadowedBy.map(Value.string) ?? .null
    return .object(
      object.with("skipped", skipped).with("player_revision", playerRevision).with("dry_run", ifTrue: isDryRun))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    key = try members.string("key")
    value = members.optional("value")
    effective = members.optional("effective")
    source = try members.optionalString("source")
    shadowedBy = try members.optionalString("shadowed_by")
    skipped = try members.optionalString("skipped")
    playerRevision = try members.optionalInteger("player_revision")
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What a player chose for a key, and what is in force.",
      required: [
        "key": SchemaText.string, "value": SchemaText.described(SchemaText.any, "What is stored; null when nothing is."),
        "effective": SchemaText.described(SchemaText.any, "What is in force."),
        "shadowed_by": ["type": ["string", "null"], "description": "The layer above that has a value."],
      ],
      optional: [
        "source": SchemaText.string,
        "skipped": SchemaText.described(SchemaText.string, "Why the stored value is not in force although nothing stands above it."),
        "player_revision": SchemaText.integer, "dry_run": SchemaText.boolean,
      ])
  }
}
