// A player on one page.

public import GameConfCore

/// Answer of `GET p`.
public struct PlayerAnswer: WireShape {
  /// The game.
  public var game: String
  /// The player.
  public var player: String
  /// The game's revision.
  public var revision: Int64
  /// The player's revision; 0 for one of whom nothing was ever written.
  public var playerRevision: Int64
  /// When the first write made the player; nil for one of whom nothing is kept.
  public var createdAt: Instant?
  /// When the last change was made.
  public var changedAt: Instant?
  /// The player's time.
  public var now: Instant
  /// Scores.
  public var scores: WireScores
  /// How often each event was recorded, by name.
  public var counters: [WireEventCount]
  /// Launches of the game.
  public var visits: WireVisits
  /// What the player chose, by key.
  public var settings: [SettingAnswer]
  /// The registered context.
  public var context: ObjectValue
  /// The game's themes.
  public var themes: [ThemeAnswer]
  /// The game's milestones.
  public var milestones: [MilestoneAnswer]
  /// The game's placements.
  public var ads: [AdStatusAnswer]
  /// The newest lines of the player's history, newest first.
  public var history: [HistoryLine]

  /// A player.
  public init(
    game: String, player: String, revision: Int64, playerRevision: Int64, createdAt: Instant? = nil, changedAt: Instant? = nil,
    now: Instant, scores: WireScores, counters: [WireEventCount] = [], visits: WireVisits, settings: [SettingAnswer] = [],
    context: ObjectValue = ObjectValue(), themes: [ThemeAnswer] = [], milestones: [MilestoneAnswer] = [], ads: [AdStatusAnswer] = [],
    history: [HistoryLine] = []
  ) {
    self.game = game
    self.player = player
    self.revision = revision
    self.playerRevision = playerRevision
    self.createdAt = createdAt
    self.changedAt = changedAt
    self.now = now
    self.scores = scores
    self.counters = counters
    self.visits = visits
    self.settings = settings
    self.context = context
    self.themes = themes
    self.milestones = milestones
    self.ads = ads
    self.history = history
  }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([
      ("game", .string(game)), ("player", .string(player)), ("revision", .integer(revision)),
      ("player_revision", .integer(playerRevision)),
    ])
    object = object.with("created_at", createdAt).with("changed_at", changedAt).with("now", .some(now))
    object = object.with("scores", .some(scores)).with("counters", counters).with("visits", .some(visits))
    object = object.with("settings", settings).with("context", .some(.object(context))).with("themes", themes)
    return .object(object.with("milestones", milestones).with("ads", ads).with("history", history))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    player = try members.string("player")
    revision = try members.integer("revision")
    playerRevision = try members.integer("player_revision")
    createdAt = try members.optionalInstant("created_at")
    changedAt = try members.optionalInstant("changed_at")
    now = try members.instant("now")
    scores = try members.shape("scores")
    counters = try members.shapes("counters")
    visits = try members.shape("visits")
    settings = try members.shapes("settings")
    context = try members.object("context")
    themes = try members.shapes("themes")
    milestones = try members.shapes("milestones")
    ads = try members.shapes("ads")
    history = try members.shapes("history")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A player on one page; one of whom nothing is known reads as a fresh one.",
      required: [
        "game": SchemaText.string, "player": SchemaText.string, "revision": SchemaText.integer,
        "player_revision": SchemaText.integer, "now": SchemaText.described(SchemaText.instant, "The player's time."),
        "scores": SchemaText.ref(WireScores.self), "counters": SchemaText.list(WireEventCount.self),
        "visits": SchemaText.ref(WireVisits.self), "settings": SchemaText.list(SettingAnswer.self), "context": SchemaText.anyObject,
        "themes": SchemaText.list(ThemeAnswer.self), "milestones": SchemaText.list(MilestoneAnswer.self),
        "ads": SchemaText.list(AdStatusAnswer.self), "history": SchemaText.list(HistoryLine.self),
      ],
      optional: ["created_at": SchemaText.instant, "changed_at": SchemaText.instant])
  }
}

/// One line of a player's history.
public struct HistoryLine: WireShape {
  /// Counts the player's lines from 1.
  public var number: Int64
  /// When it was written, in the player's time.
  public var at: Instant
  /// What happened.
  public var kind: String
  /// What else is to be known, by name.
  public var details: ObjectValue

  /// A line.
  public init(number: Int64, at: Instant, kind: String, details: ObjectValue = ObjectValue()) {
    self.number = number
    self.at = at
    self.kind = kind
    self.details = details
  }

  /// Its JSON.
  public var wire: Value {
    ["number": .integer(number), "at": .string(at.text), "kind": .string(kind), "details": .object(details)]
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    number = try members.integer("number")
    at = try members.instant("at")
    kind = try members.string("kind")
    details = try members.object("details")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A line of a player's history.",
      required: [
        "number": SchemaText.integer, "at": SchemaText.instant, "kind": SchemaText.string, "details": SchemaText.anyObject,
      ])
  }
}
