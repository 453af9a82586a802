// What a player has reached and what is still ahead.

public import GameConfCore

/// One milestone of a player.
public struct MilestoneAnswer: WireShape {
  /// The milestone.
  public var milestone: String
  /// Its name, in the language asked for; nil where it has none.
  public var name: String?
  /// What is counted, as the catalog writes it.
  public var count: Value
  /// What was counted.
  public var value: Int64
  /// How much is needed, as resolved for the player; nil, null on the wire, when that cannot be resolved.
  public var target: Int64?
  /// Whether it was reached; it stays so whatever is needed now.
  public var isUnlocked: Bool
  /// When it was reached.
  public var unlockedAt: Instant?
  /// Whether it is an achievement.
  public var isAchievement: Bool
  /// Whether progress towards it is shown.
  public var isProgressive: Bool
  /// The themes it unlocks.
  public var themes: [String]

  /// A milestone.
  public init(
    milestone: String, name: String? = nil, count: Value, value: Int64, target: Int64?, isUnlocked: Bool, unlockedAt: Instant? = nil,
    isAchievement: Bool = false, isProgressive: Bool = false, themes: [String] = []
  ) {
    self.milestone = milestone
    self.name = name
    self.count = count
    self.value = value
    self.target = target
    self.isUnlocked = isUnlocked
    self.unlockedAt = unlockedAt
    self.isAchievement = isAchievement
    self.isProgressive = isProgressive
    self.themes = themes
  }

  /// How far the player is; nil when what is needed is not known.
  public var progress: WireProgress? { target.map { WireProgress(value: value, target: $0, isUnlocked: isUnlocked) } }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("milestone", .string(milestone))]).with("name", name)
    object["count"] = count
    object["value"] = .integer(value)
    object["target"] = target.map(Value.integer) ?? .null
    object["unlocked"] = .bool(isUnlocked)
    object = object.with("unlocked_at", unlockedAt)
    object["achievement"] = .bool(isAchievement)
    object["progressive"] = .bool(isProgressive)
    return .object(object.with("themes", themes))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    milestone = try members.string("milestone")
    name = try members.optionalString("name")
    count = try members.required("count")
    value = try members.integer("value")
    target = try members.optionalInteger("target")
    isUnlocked = try members.flag("unlocked")
    unlockedAt = try members.optionalInstant("unlocked_at")
    isAchievement = try members.flag("achievement")
    isProgressive = try members.flag("progressive")
    themes = try members.strings("themes")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A milestone of a player.",
      required: [
        "milestone": SchemaText.string,
        "count": SchemaText.described(
          SchemaText.any, "What is counted: lifetime_score, games_played, {events}, {best_score} or {unlocked}."),
        "value": SchemaText.integer, "target": ["type": ["integer", "null"]], "unlocked": SchemaText.boolean,
        "achievement": SchemaText.boolean, "progressive": SchemaText.boolean, "themes": SchemaText.list(SchemaText.string),
      ],
      optional: ["name": SchemaText.string, "unlocked_at": SchemaText.instant])
  }
}

/// Answer of `GET p/milestones`.
public struct MilestoneList: WireShape {
  /// The game.
  public var game: String
  /// The player.
  public var player: String
  /// The game's revision.
  public var revision: Int64
  /// The milestones, in the catalog's order.
  public var milestones: [MilestoneAnswer]

  /// A list.
  public init(game: String, player: String, revision: Int64, milestones: [MilestoneAnswer]) {
    self.game = game
    self.player = player
    self.revision = revision
    self.milestones = milestones
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("game", .string(game)), ("player", .string(player)), ("revision", .integer(revision))])
        .with("milestones", milestones))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    player = try members.string("player")
    revision = try members.integer("revision")
    milestones = try members.shapes("milestones")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A player's milestones, in the catalog's order.",
      required: [
        "game": SchemaText.string, "player": SchemaText.string, "revision": SchemaText.integer,
        "milestones": SchemaText.list(MilestoneAnswer.self),
      ])
  }
}
