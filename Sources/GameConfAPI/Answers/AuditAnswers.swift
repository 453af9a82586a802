// Who changed what, when, from what to what, and why.

public import GameConfCore

/// One line of the audit log.
public struct AuditEntry: WireShape {
  /// Rises with every line of the daemon's whole log.
  public var id: Int64
  /// When; for a window's edge, the edge.
  public var at: Instant
  /// Who.
  public var author: WireAuthor
  /// What was done: `override.set`, `override.unset`, `window.begin`, `catalog.accept`, …
  public var action: String
  /// The game; nil for what is the whole daemon's.
  public var game: String?
  /// The key, when it is about one.
  public var key: String?
  /// The player, when it is about one.
  public var player: String?
  /// The id of the window, when it is about one.
  public var window: String?
  /// What stood before; nil when nothing did.
  public var before: Value?
  /// What stands after; nil when nothing does.
  public var after: Value?
  /// What else is to be known, by name: an event, a placement, how much was removed.
  public var detail: ObjectValue
  /// Why, as the author said.
  public var reason: String?
  /// The game's revision it made.
  public var revision: Int64?
  /// The entry that took it back.
  public var revertedBy: Int64?
  /// The entry it took back.
  public var reverts: Int64?

  /// An entry.
  public init(
    id: Int64, at: Instant, author: WireAuthor, action: String, game: String? = nil, key: String? = nil, player: String? = nil,
    window: String? = nil, before: Value? = nil, after: Value? = nil, detail: ObjectValue = ObjectValue(), reason: String? = nil,
    revision: Int64? = nil,
    revertedBy: Int64? = nil, reverts: Int64? = nil
  ) {
    self.id = id
    self.at = at
    self.author = author
    self.action = action
    self.game = game
    self.key = key
    self.player = player
    self.window = window
    self.before = before
    self.after = after
    self.detail = detail
    self.reason = reason
    self.revision = revision
    self.revertedBy = revertedBy
    self.reverts = reverts
  }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("id", .integer(id))]).with("at", .some(at)).with("author", .some(author))
    object["action"] = .string(action)
    object = object.with("game", game).with("key", key).with("player", player).with("window", window).with("before", before)
    object = object.with("after", after)
    if !detail.isEmpty { object["detail"] = .object(detail) }
    object = object.with("reason", reason).with("revision", revision)
    return .object(object.with("reverted_by", revertedBy).with("reverts", reverts))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    id = try members.integer("id")
    at = try members.instant("at")
    author = try members.shape("author")
    action = try members.string("action")
    game = try members.optionalString("game")
    key = try members.optionalString("key")
    player = try members.optionalString("player")
    window = try members.optionalString("window")
    before = members.optional("before")
    after = members.optional("after")
    detail = try members.object("detail")
    reason = try members.optionalString("reason")
    revision = try members.optionalInteger("revision")
    revertedBy = try members.optionalInteger("reverted_by")
    reverts = try members.optionalInteger("reverts")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "One line of the audit log.",
      required: [
        "id": SchemaText.integer, "at": SchemaText.instant, "author": SchemaText.ref(WireAuthor.self), "action": SchemaText.string,
      ],
      optional: [
        "game": SchemaText.string, "key": SchemaText.string, "player": SchemaText.string, "window": SchemaText.string,
        "before": SchemaText.any, "after": SchemaText.any, "detail": SchemaText.anyObject, "reason": SchemaText.string,
        "revision": SchemaText.integer,
        "reverted_by": SchemaText.integer, "reverts": SchemaText.integer,
      ])
  }
}

/// Answer of `GET …/audit`: newest first.
public struct AuditList: WireShape {
  /// The entries, newest first.
  public var entries: [AuditEntry]
  /// What `?before=` must be for the next page; nil when this was the last.
  public var nextBefore: Int64?

  /// A page.
  public init(entries: [AuditEntry], nextBefore: Int64? = nil) {
    self.entries = entries
    self.nextBefore = nextBefore
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue().with("entries", entries).with("next_before", nextBefore)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    entries = try members.shapes("entries")
    nextBefore = try members.optionalInteger("next_before")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A page of the audit log, newest first.", required: ["entries": SchemaText.list(AuditEntry.self)],
      optional: ["next_before": SchemaText.described(SchemaText.integer, "Give it as before for the next page.")])
  }
}

/// Answer of a revert and of its dry run.
public struct RevertAnswer: WireShape {
  /// The game's revision after it.
  public var revision: Int64
  /// The entry that was made, or would be; its id is 0 in a dry run.
  public var entry: AuditEntry
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(revision: Int64, entry: AuditEntry, isDryRun: Bool = false) {
    self.revision = revision
    self.entry = entry
    self.isDryRun = isDryRun
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("revision", .integer(revision))]).with("dry_run", ifTrue: isDryRun).with("entry", .some(entry)))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    revision = try members.integer("revision")
    entry = try members.shape("entry")
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What took a change back.", required: ["revision": SchemaText.integer, "entry": SchemaText.ref(AuditEntry.self)],
      optional: ["dry_run": SchemaText.boolean])
  }
}
