// The themes of a game, and what a player still needs for them.

public import GameConfCore

/// How far something counted is towards what is needed.
public struct WireProgress: WireShape {
  /// What was counted.
  public var value: Int64
  /// How much is needed.
  public var target: Int64
  /// How much of it is done, 0 to 1; 1 for what is unlocked, whatever is needed now.
  public var fraction: Double

  /// Progress.
  public init(value: Int64, target: Int64, isUnlocked: Bool) {
    self.value = value
    self.target = target
    fraction = isUnlocked || target <= 0 ? 1 : max(0, min(1, Double(value) / Double(target)))
  }

  /// Its JSON.
  public var wire: Value { ["value": .integer(value), "target": .integer(target), "fraction": .double(fraction)] }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    value = try members.integer("value")
    target = try members.integer("target")
    fraction = try members.double("fraction")
  }

  /// `Progress`.
  public static var schemaName: String { "Progress" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "How far something counted is towards what is needed.",
      required: [
        "value": SchemaText.integer, "target": SchemaText.integer,
        "fraction": SchemaText.described(SchemaText.number, "0 to 1; 1 for what is unlocked, whatever is needed now."),
      ])
  }
}

/// One theme: answer of `GET p/themes/{id}` and `GET …/themes/{id}`.
public struct ThemeAnswer: WireShape {
  /// What makes a theme available.
  public enum Kind: String, Sendable, Hashable, CaseIterable { case free, milestone, entitlement, parameter }

  /// The theme.
  public var theme: String
  /// Its name, in the language asked for.
  public var name: String
  /// What makes it available.
  public var kind: Kind
  /// The milestone, entitlement or parameter that does; nil for a free one.
  public var by: String?
  /// Whether the player may choose it; without a player, whether one may of whom nothing is known.
  public var isUnlocked: Bool
  /// When its milestone was reached.
  public var unlockedAt: Instant?
  /// How much unlocks it, as resolved for the player; nil, null on the wire, for every theme that nothing has to be reached for.
  public var milestone: Int64?
  /// How far the player is; nil, null on the wire, where there is no milestone.
  public var progress: WireProgress?
  /// What the game draws it with.
  public var attributes: ObjectValue

  /// A theme.
  public init(
    theme: String, name: String, kind: Kind, by: String? = nil, isUnlocked: Bool, unlockedAt: Instant? = nil, milestone: Int64? = nil,
    progress: WireProgress? = nil, attributes: ObjectValue = ObjectValue()
  ) {
    self.theme = theme
    self.name = name
    self.kind = kind
    self.by = by
    self.isUnlocked = isUnlocked
    self.unlockedAt = unlockedAt
    self.milestone = milestone
    self.progress = progress
    self.attributes = attributes
  }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("theme", .string(theme)), ("name", .string(name)), ("kind", .string(kind.rawValue))]).with("by", by)
    object["unlocked"] = .bool(isUnlocked)
    object = object.with("unlocked_at", unlockedAt)
    object["milestone"] = milestone.map(Value.integer) ?? .null
    object["progress"] = progress?.wire ?? .null
    object["attributes"] = .object(attributes)
    return .object(object)
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    theme = try members.string("theme")
    name = try members.string("name")
    kind = try members.word("kind")
    by = try members.optionalString("by")
    isUnlocked = try members.flag("unlocked")
    unlockedAt = try members.optionalInstant("unlocked_at")
    milestone = try members.optionalInteger("milestone")
    progress = try members.optionalShape("progress")
    attributes = try members.object("attributes")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A theme; without a player, as it is for one of whom nothing is known.",
      required: [
        "theme": SchemaText.string, "name": SchemaText.string, "kind": SchemaText.words(Kind.self), "unlocked": SchemaText.boolean,
        "milestone": [
          "type": ["integer", "null"], "description": "How much unlocks it; null where nothing has to be reached, never 0.",
        ],
        "progress": ["oneOf": [SchemaText.ref(WireProgress.self), ["type": "null"]]], "attributes": SchemaText.anyObject,
      ],
      optional: [
        "by": SchemaText.described(SchemaText.string, "The milestone, entitlement or parameter that unlocks it."),
        "unlocked_at": SchemaText.instant,
      ])
  }
}

/// Answer of `GET p/themes` and `GET …/themes`.
public struct ThemeList: WireShape {
  /// The game.
  public var game: String
  /// The player; nil for the game's own list.
  public var player: String?
  /// The game's revision.
  public var revision: Int64
  /// The themes, in the catalog's order.
  public var themes: [ThemeAnswer]

  /// A list.
  public init(game: String, player: String? = nil, revision: Int64, themes: [ThemeAnswer]) {
    self.game = game
    self.player = player
    self.revision = revision
    self.themes = themes
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("game", .string(game))]).with("player", player).with("revision", .some(revision)).with("themes", themes))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    player = try members.optionalString("player")
    revision = try members.integer("revision")
    themes = try members.shapes("themes")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Themes, in the catalog's order.",
      required: ["game": SchemaText.string, "revision": SchemaText.integer, "themes": SchemaText.list(ThemeAnswer.self)],
      optional: ["player": SchemaText.string])
  }
}
