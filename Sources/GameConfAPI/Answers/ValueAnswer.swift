// One key's value and where it comes from.

public import GameConfCore

/// Answer of `GET …/config/{key}`, and one entry of `GET …/config?detail=full`.
public struct ValueAnswer: WireShape {
  /// The key.
  public var key: String
  /// The type it is declared with.
  public var type: String
  /// Its value; null when it is masked.
  public var value: Value
  /// The layer that gave it: `override.player`, `override.game`, `setting`, `remote`, `default`, `play`.
  public var source: String
  /// OpenFeature's word for why: STATIC, DEFAULT, TARGETING_MATCH, SPLIT.
  public var reason: String
  /// The variant's name, when there is one.
  public var variant: String?
  /// The revision that last changed this value.
  public var revision: Int64
  /// Handed through from the flag.
  public var metadata: ObjectValue
  /// When the value may change by itself.
  public var nextChangeAt: Instant?
  /// Whether it may change by itself at a time that cannot be known.
  public var isTimeDependent: Bool
  /// The layers that could not be asked.
  public var degraded: [String]
  /// Whether it is secret and masked here.
  public var isMasked: Bool
  /// How it is declared; in lists only.
  public var declaration: Declaration?

  /// What a list says of a key beside its value.
  public struct Declaration: Sendable, Hashable {
    /// The unit its numbers are in.
    public var unit: String?
    /// The heading it is listed under.
    public var section: String
    /// What it controls, in a sentence.
    public var description: String
    /// What kind of feature flag it is: `release`, `experiment`, `ops`, `kill_switch`.
    public var flag: String?
    /// Whether players choose it.
    public var isPlayerSetting: Bool

    /// A declaration.
    public init(unit: String? = nil, section: String, description: String, flag: String? = nil, isPlayerSetting: Bool = false) {
      self.unit = unit
      self.section = section
      self.description = description
      self.flag = flag
      self.isPlayerSetting = isPlayerSetting
    }
  }

  /// A value.
  public init(
    key: String, type: String, value: Value, source: String, reason: String, variant: String? = nil, revision: Int64,
    metadata: ObjectValue = ObjectValue(), nextChangeAt: Instant? = nil, isTimeDependent: Bool = false, degraded: [String] = [],
    isMasked: Bool = false, declaration: Declaration? = nil
  ) {
    self.key = key
    self.type = type
    self.value = value
    self.source = source
    self.reason = reason
    self.variant = variant
    self.revision = revision
    self.metadata = metadata
    self.nextChangeAt = nextChangeAt
    self.isTimeDependent = isTimeDependent
    self.degraded = degraded
    self.isMasked = isMasked
    self.declaration = declaration
  }

  /// Whether an admin's override gave the value.
  public var isOverridden: Bool { source.hasPrefix("override.") }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("key", .string(key)), ("type", .string(type)), ("value", value)])
    object = object.with("source", .some(.string(source))).with("reason", .some(.string(reason))).with("variant", variant)
    object["revision"] = .integer(revision)
    object["metadata"] = .object(metadata)
    object = object.with("next_change_at", nextChangeAt).with("time_dependent", ifTrue: isTimeDependent)
    object = object.with("degraded", ifAny: degraded).with("masked", ifTrue: isMasked)
    guard let declaration else { return .object(object) }
    object = object.with("unit", declaration.unit).with("section", .some(.string(declaration.section)))
    object = object.with("description", .some(.string(declaration.description))).with("flag", declaration.flag)
    return .object(object.with("player_setting", ifTrue: declaration.isPlayerSetting))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    key = try members.string("key")
    type = try members.string("type")
    value = try members.required("value")
    source = try members.string("source")
    reason = try members.string("reason")
    variant = try members.optionalString("variant")
    revision = try members.integer("revision")
    metadata = try members.object("metadata")
    nextChangeAt = try members.optionalInstant("next_change_at")
    isTimeDependent = try members.flag("time_dependent")
    degraded = try members.strings("degraded")
    isMasked = try members.flag("masked")
    if let section = try members.optionalString("section") {
      declaration = Declaration(
        unit: try members.optionalString("unit"), section: section, description: try members.optionalString("description") ?? "",
        flag: try members.optionalString("flag"), isPlayerSetting: try members.flag("player_setting"))
    }
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A key's value and where it comes from.",
      required: [
        "key": SchemaText.string, "type": SchemaText.words(ParameterType.self), "value": SchemaText.any,
        "source": SchemaText.words(["override.player", "override.game", "setting", "remote", "default", "play"]),
        "reason": SchemaText.words(["STATIC", "DEFAULT", "TARGETING_MATCH", "SPLIT"]),
        "revision": SchemaText.described(SchemaText.integer, "The revision that last changed this value."),
        "metadata": SchemaText.anyObject,
      ],
      optional: [
        "variant": SchemaText.string, "next_change_at": SchemaText.instant, "time_dependent": SchemaText.boolean,
        "degraded": SchemaText.list(SchemaText.string), "masked": SchemaText.boolean, "unit": SchemaText.string,
        "section": SchemaText.string, "description": SchemaText.string, "flag": SchemaText.words(FlagKind.self),
        "player_setting": SchemaText.boolean,
      ])
  }
}
