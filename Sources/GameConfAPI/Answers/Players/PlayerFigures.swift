// What is counted of a player: scores, events, visits.

public import GameConfCore

/// A player's scores.
public struct WireScores: WireShape {
  /// The sum of all scores.
  public var lifetimeScore: Int64
  /// How many events carried a score.
  public var gamesPlayed: Int64
  /// The best score in any mode; nil while there is none.
  public var bestScore: Int64?
  /// The best score by mode.
  public var bestScores: [String: Int64]

  /// Scores.
  public init(lifetimeScore: Int64, gamesPlayed: Int64, bestScore: Int64? = nil, bestScores: [String: Int64] = [:]) {
    self.lifetimeScore = lifetimeScore
    self.gamesPlayed = gamesPlayed
    self.bestScore = bestScore
    self.bestScores = bestScores
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("lifetime_score", .integer(lifetimeScore)), ("games_played", .integer(gamesPlayed))]).with("best_score", bestScore)
        .with("best_scores", counts: bestScores))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    lifetimeScore = try members.integer("lifetime_score")
    gamesPlayed = try members.integer("games_played")
    bestScore = try members.optionalInteger("best_score")
    bestScores = try members.counts("best_scores")
  }

  /// `Scores`.
  public static var schemaName: String { "Scores" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A player's scores.",
      required: [
        "lifetime_score": SchemaText.described(SchemaText.integer, "The sum of all scores, over all modes."),
        "games_played": SchemaText.described(SchemaText.integer, "How many events carried a score."),
        "best_scores": SchemaText.described(SchemaText.map(SchemaText.integer), "The best score by mode."),
      ],
      optional: ["best_score": SchemaText.integer])
  }
}

/// How often a player had an event.
public struct WireEventCount: WireShape {
  /// The event.
  public var event: String
  /// How often it was recorded.
  public var count: Int64
  /// How often in each mode.
  public var modes: [String: Int64]

  /// A count.
  public init(event: String, count: Int64, modes: [String: Int64] = [:]) {
    self.event = event
    self.count = count
    self.modes = modes
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("event", .string(event)), ("count", .integer(count))]).with("modes", counts: modes))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    event = try members.string("event")
    count = try members.integer("count")
    modes = try members.counts("modes")
  }

  /// `EventCount`.
  public static var schemaName: String { "EventCount" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "How often an event was recorded.", required: ["event": SchemaText.string, "count": SchemaText.integer],
      optional: ["modes": SchemaText.described(SchemaText.map(SchemaText.integer), "How often in each mode.")])
  }
}

/// A player's launches of the game.
public struct WireVisits: WireShape {
  /// How many there were.
  public var count: Int64
  /// When the last one began.
  public var openedAt: Instant?
  /// When the last event or launch came.
  public var activeAt: Instant?

  /// Visits.
  public init(count: Int64, openedAt: Instant? = nil, activeAt: Instant? = nil) {
    self.count = count
    self.openedAt = openedAt
    self.activeAt = activeAt
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("count", .integer(count))]).with("opened_at", openedAt).with("active_at", activeAt))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    count = try members.integer("count")
    openedAt = try members.optionalInstant("opened_at")
    activeAt = try members.optionalInstant("active_at")
  }

  /// `Visits`.
  public static var schemaName: String { "Visits" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A player's launches of the game.", required: ["count": SchemaText.integer],
      optional: ["opened_at": SchemaText.instant, "active_at": SchemaText.instant])
  }
}

/// What a change unlocked.
public struct WireUnlocked: WireShape {
  /// The milestones, in the order they unlocked.
  public var milestones: [String]
  /// The themes that those milestones unlock.
  public var themes: [String]

  /// What was unlocked.
  public init(milestones: [String] = [], themes: [String] = []) {
    self.milestones = milestones
    self.themes = themes
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue().with("milestones", milestones).with("themes", themes)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    milestones = try members.strings("milestones")
    themes = try members.strings("themes")
  }

  /// `Unlocked`.
  public static var schemaName: String { "Unlocked" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What was newly unlocked.",
      required: ["milestones": SchemaText.list(SchemaText.string), "themes": SchemaText.list(SchemaText.string)])
  }
}
