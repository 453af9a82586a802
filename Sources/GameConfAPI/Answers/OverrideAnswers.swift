// What changes of overrides answer, and lists of them.

public import GameConfCore

/// Answer of a PUT of an override, of a release, and of a dry run of either.
public struct OverrideAnswer: WireShape {
  /// The game.
  public var game: String
  /// The game's revision at which the override is in force.
  public var revision: Int64
  /// The player's revision, for a player's override.
  public var playerRevision: Int64?
  /// Whether nothing was changed.
  public var isDryRun: Bool
  /// The override as it stands now, or would.
  public var override: OverrideRecord

  /// An answer.
  public init(game: String, revision: Int64, playerRevision: Int64? = nil, isDryRun: Bool = false, override: OverrideRecord) {
    self.game = game
    self.revision = revision
    self.playerRevision = playerRevision
    self.isDryRun = isDryRun
    self.override = override
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("game", .string(game)), ("revision", .integer(revision))]).with("player_revision", playerRevision)
        .with("dry_run", ifTrue: isDryRun).with("override", .some(override)))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    revision = try members.integer("revision")
    playerRevision = try members.optionalInteger("player_revision")
    isDryRun = try members.flag("dry_run")
    override = try members.shape("override")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "An override as it stands after the change.",
      required: ["game": SchemaText.string, "revision": SchemaText.integer, "override": SchemaText.ref(OverrideRecord.self)],
      optional: ["player_revision": SchemaText.integer, "dry_run": SchemaText.boolean])
  }
}

/// Answer of the lists of overrides, of one key's too.
public struct OverrideList: WireShape {
  /// The game.
  public var game: String
  /// The game's revision.
  public var revision: Int64
  /// The standing ones and the windows: by key, the game's before the players', windows in the order they begin.
  public var overrides: [OverrideRecord]

  /// A list.
  public init(game: String, revision: Int64, overrides: [OverrideRecord]) {
    self.game = game
    self.revision = revision
    self.overrides = overrides
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("game", .string(game)), ("revision", .integer(revision))]).with("overrides", overrides))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    revision = try members.integer("revision")
    overrides = try members.shapes("overrides")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Overrides.",
      required: [
        "game": SchemaText.string, "revision": SchemaText.integer, "overrides": SchemaText.list(OverrideRecord.self),
      ])
  }
}

/// Answer of clear and of a dry run of removing.
public struct ClearAnswer: WireShape {
  /// The game.
  public var game: String
  /// The game's revision after it.
  public var revision: Int64
  /// How many overrides were removed, or would be; each window counts.
  public var cleared: Int64
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(game: String, revision: Int64, cleared: Int64, isDryRun: Bool = false) {
    self.game = game
    self.revision = revision
    self.cleared = cleared
    self.isDryRun = isDryRun
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("game", .string(game)), ("revision", .integer(revision)), ("cleared", .integer(cleared))])
        .with("dry_run", ifTrue: isDryRun))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    revision = try members.integer("revision")
    cleared = try members.integer("cleared")
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "How many overrides were removed.",
      required: ["game": SchemaText.string, "revision": SchemaText.integer, "cleared": SchemaText.integer],
      optional: ["dry_run": SchemaText.boolean])
  }
}
