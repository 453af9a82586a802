// What changes of a player answer: a launch, a context, scores, being forgotten.

public import GameConfCore

/// Answer of `POST p/visits`.
public struct VisitAnswer: WireShape {
  /// The player's revision after it.
  public var playerRevision: Int64
  /// The visits, with the one that has just begun.
  public var visits: WireVisits
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(playerRevision: Int64, visits: WireVisits, isDryRun: Bool = false) {
    self.playerRevision = playerRevision
    self.visits = visits
    self.isDryRun = isDryRun
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("player_revision", .integer(playerRevision))]).with("visits", .some(visits)).with("dry_run", ifTrue: isDryRun))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    playerRevision = try members.integer("player_revision")
    visits = try members.shape("visits")
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A launch of the game.", required: ["player_revision": SchemaText.integer, "visits": SchemaText.ref(WireVisits.self)],
      optional: ["dry_run": SchemaText.boolean])
  }
}

/// Answer of `PUT p/context`.
public struct ContextAnswer: WireShape {
  /// The player's revision after it.
  public var playerRevision: Int64
  /// What is registered now.
  public var context: ObjectValue
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(playerRevision: Int64, context: ObjectValue, isDryRun: Bool = false) {
    self.playerRevision = playerRevision
    self.context = context
    self.isDryRun = isDryRun
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("player_revision", .integer(playerRevision)), ("context", .object(context))]).with("dry_run", ifTrue: isDryRun))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    playerRevision = try members.integer("player_revision")
    context = try members.object("context")
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "The registered context.", required: ["player_revision": SchemaText.integer, "context": SchemaText.anyObject],
      optional: ["dry_run": SchemaText.boolean])
  }
}

/// Answer of `PATCH p`.
public struct ScoresAnswer: WireShape {
  /// The player's revision after it.
  public var playerRevision: Int64
  /// The scores after it.
  public var scores: WireScores
  /// What they unlocked.
  public var unlocked: WireUnlocked
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(playerRevision: Int64, scores: WireScores, unlocked: WireUnlocked = WireUnlocked(), isDryRun: Bool = false) {
    self.playerRevision = playerRevision
    self.scores = scores
    self.unlocked = unlocked
    self.isDryRun = isDryRun
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("player_revision", .integer(playerRevision))]).with("scores", .some(scores)).with("unlocked", .some(unlocked))
        .with("dry_run", ifTrue: isDryRun))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    playerRevision = try members.integer("player_revision")
    scores = try members.shape("scores")
    unlocked = try members.shape("unlocked")
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Scores after an admin set some.",
      required: [
        "player_revision": SchemaText.integer, "scores": SchemaText.ref(WireScores.self), "unlocked": SchemaText.ref(WireUnlocked.self),
      ],
      optional: ["dry_run": SchemaText.boolean])
  }
}

/// What goes, or would go, when a player is forgotten: answer of a dry run of `DELETE p`.
public struct ForgetAnswer: WireShape {
  /// Whether there is anything.
  public var isKnown: Bool
  /// How much of each kind goes, by its name; `transfers` are other players' purchases that name the player.
  public var removed: [String: Int64]
  /// How many lines of the audit log name a digest from then on.
  public var auditLines: Int64
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(isKnown: Bool, removed: [String: Int64], auditLines: Int64 = 0, isDryRun: Bool = false) {
    self.isKnown = isKnown
    self.removed = removed
    self.auditLines = auditLines
    self.isDryRun = isDryRun
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("known", .bool(isKnown))]).with("removed", counts: removed).with("audit_lines", .some(auditLines))
        .with("dry_run", ifTrue: isDryRun))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    isKnown = try members.flag("known")
    removed = try members.counts("removed")
    auditLines = try members.integer("audit_lines")
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What goes when a player is forgotten.",
      required: [
        "known": SchemaText.boolean,
        "removed": SchemaText.described(
          SchemaText.map(SchemaText.integer),
          "How much of each kind: history, settings, transactions, overrides, answers; and transfers, other players' purchases that name the player."
        ),
        "audit_lines": SchemaText.described(SchemaText.integer, "How many lines of the audit log name a digest from then on."),
      ],
      optional: ["dry_run": SchemaText.boolean])
  }
}
