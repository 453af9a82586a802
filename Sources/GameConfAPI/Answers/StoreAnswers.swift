// What looking at the database and bringing it back answer.

public import GameConfCore

/// Answer of `POST /v1/store/check`.
public struct StoreCheckAnswer: WireShape {
  /// Whether the database is whole.
  public var isWhole: Bool
  /// What is wrong, as SQLite says it, at most a hundred lines.
  public var faults: [String]
  /// How many bytes the database has.
  public var bytes: Int64?

  /// An answer.
  public init(isWhole: Bool, faults: [String] = [], bytes: Int64? = nil) {
    self.isWhole = isWhole
    self.faults = faults
    self.bytes = bytes
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("whole", .bool(isWhole))]).with("faults", faults).with("bytes", bytes))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    isWhole = try members.flag("whole")
    faults = try members.strings("faults")
    bytes = try members.optionalInteger("bytes")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Whether the database is whole.", required: ["whole": SchemaText.boolean, "faults": SchemaText.list(SchemaText.string)],
      optional: ["bytes": SchemaText.integer])
  }
}

/// Answer of `POST /v1/store/restore`, given when the restored database is in force.
public struct StoreRestoreAnswer: WireShape {
  /// The games and their revisions after it.
  public var games: [GameSummary]
  /// Where the database that stood before was put.
  public var putAside: String?
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(games: [GameSummary], putAside: String? = nil, isDryRun: Bool = false) {
    self.games = games
    self.putAside = putAside
    self.isDryRun = isDryRun
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue().with("games", games).with("put_aside", putAside).with("dry_run", ifTrue: isDryRun))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    games = try members.shapes("games")
    putAside = try members.optionalString("put_aside")
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "The games after the restore.", required: ["games": SchemaText.list(GameSummary.self)],
      optional: ["put_aside": SchemaText.string, "dry_run": SchemaText.boolean])
  }
}
