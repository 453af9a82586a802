// A set of overrides that comes in at once; an export is one.

public import GameConfCore

/// One override of a set.
public struct ImportRow: WireShape {
  /// The key.
  public var key: String
  /// The player it is for; nil for the whole game.
  public var player: String?
  /// The value.
  public var value: Value
  /// When its window begins; nil with `until` means now.
  public var from: Instant?
  /// When its window ends; nil when it stands.
  public var until: Instant?
  /// Why; the set's reason when nil.
  public var reason: String?

  /// A row.
  public init(
    key: String, player: String? = nil, value: Value, from: Instant? = nil, until: Instant? = nil, reason: String? = nil
  ) {
    self.key = key
    self.player = player
    self.value = value
    self.from = from
    self.until = until
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("key", .string(key))]).with("player", player)
    object["value"] = value
    return .object(object.with("from", from).with("until", until).with("reason", reason))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(
      wire, at: pointer, only: ["key", "player", "value", "from", "until", "reason", "author", "at", "quarantined"])
    key = try members.string("key")
    player = try members.optionalString("player")
    value = try members.required("value")
    from = try members.optionalInstant("from")
    until = try members.optionalInstant("until")
    reason = try members.optionalString("reason")
    if from != nil, until == nil {
      throw WireFault(pointer: members.place("until"), message: "a window that has \"from\" needs \"until\" too")
    }
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "One override of a set; author, at and quarantined are what an export tells and an import does not look at.",
      required: ["key": SchemaText.string, "value": SchemaText.any],
      optional: [
        "player": SchemaText.string, "from": SchemaText.instant, "until": SchemaText.instant, "reason": SchemaText.string,
        "author": SchemaText.any, "at": SchemaText.any, "quarantined": SchemaText.any,
      ], closed: true)
  }
}

/// Body of `POST …/overrides/import`: all of it or nothing.
public struct ImportRequest: WireShape {
  /// What happens to overrides that the set does not name.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// They stay.
    case merge
    /// They go, all of the game's and every player's.
    case replace
  }

  /// What happens to the others.
  public var mode: Mode
  /// The set.
  public var overrides: [ImportRow]
  /// Why, for rows that do not say.
  public var reason: String?

  /// A request.
  public init(mode: Mode = .merge, overrides: [ImportRow], reason: String? = nil) {
    self.mode = mode
    self.overrides = overrides
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("mode", .string(mode.rawValue))]).with("reason", reason).with("overrides", overrides))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(
      wire, at: pointer, only: ["mode", "reason", "overrides", "gameconf_overrides", "game", "revision", "exported_at", "omitted"])
    mode = members.optional("mode") == nil ? .merge : try members.word("mode")
    reason = try members.optionalString("reason")
    _ = try members.required("overrides")
    overrides = try members.shapes("overrides")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A set of overrides, all or nothing. An export is admitted as it is.", required: ["overrides": SchemaText.list(ImportRow.self)],
      optional: [
        "mode": SchemaText.words(Mode.self), "reason": SchemaText.string, "gameconf_overrides": SchemaText.integer,
        "game": SchemaText.string, "revision": SchemaText.integer, "exported_at": SchemaText.instant, "omitted": SchemaText.any,
      ], closed: true)
  }
}

/// Answer of `POST …/overrides/import`.
public struct ImportAnswer: WireShape {
  /// The game.
  public var game: String
  /// The game's revision after it.
  public var revision: Int64
  /// How many rows came in, or would.
  public var imported: Int64
  /// How many other overrides went; only with mode replace.
  public var removed: Int64
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(game: String, revision: Int64, imported: Int64, removed: Int64 = 0, isDryRun: Bool = false) {
    self.game = game
    self.revision = revision
    self.imported = imported
    self.removed = removed
    self.isDryRun = isDryRun
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([
        ("game", .string(game)), ("revision", .integer(revision)), ("imported", .integer(imported)), ("removed", .integer(removed)),
      ]).with("dry_run", ifTrue: isDryRun))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    revision = try members.integer("revision")
    imported = try members.integer("imported")
    removed = try members.optionalInteger("removed") ?? 0
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "How many overrides came in.",
      required: ["game": SchemaText.string, "revision": SchemaText.integer, "imported": SchemaText.integer],
      optional: ["removed": SchemaText.integer, "dry_run": SchemaText.boolean])
  }
}
