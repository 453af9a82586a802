// What an event came to.

public import GameConfCore

/// Answer of `POST p/events`; a repeat is answered the same.
public struct EventAnswer: WireShape {
  /// The game.
  public var game: String
  /// The player.
  public var player: String
  /// The event.
  public var event: String
  /// When it happened, in the player's time.
  public var occurredAt: Instant
  /// The sum of all scores after it.
  public var lifetimeScore: Int64
  /// How many events carried a score, with it.
  public var gamesPlayed: Int64
  /// The best score of its mode; nil when it carried none.
  public var bestScore: Int64?
  /// Whether its score is a new best.
  public var isBest: Bool
  /// How often the event was recorded, with it.
  public var count: Int64
  /// The visit it came in.
  public var visit: Int64
  /// Whether it opened that visit.
  public var opensVisit: Bool
  /// What it unlocked.
  public var unlocked: WireUnlocked
  /// What every placement on the event decided.
  public var ads: [AdDecisionAnswer]
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(
    game: String, player: String, event: String, occurredAt: Instant, lifetimeScore: Int64, gamesPlayed: Int64, bestScore: Int64? = nil,
    isBest: Bool = false, count: Int64, visit: Int64, opensVisit: Bool = false, unlocked: WireUnlocked = WireUnlocked(),
    ads: [AdDecisionAnswer] = [], isDryRun: Bool = false
  ) {
    self.game = game
    self.player = player
    self.event = event
    self.occurredAt = occurredAt
    self.lifetimeScore = lifetimeScore
    self.gamesPlayed = gamesPlayed
    self.bestScore = bestScore
    self.isBest = isBest
    self.count = count
    self.visit = visit
    self.opensVisit = opensVisit
    self.unlocked = unlocked
    self.ads = ads
    self.isDryRun = isDryRun
  }

  /// Its JSON.
  public var wire: Value {
    var scores: ObjectValue = ["lifetime_score": .integer(lifetimeScore), "games_played": .integer(gamesPlayed)]
    scores = scores.with("best_score", bestScore)
    scores["is_best"] = .bool(isBest)
    let visit: Value = ["number": .integer(visit), "opened": .bool(opensVisit)]
    let object = ObjectValue([
      ("game", .string(game)), ("player", .string(player)), ("event", .string(event)), ("occurred_at", .string(occurredAt.text)),
      ("scores", .object(scores)), ("count", .integer(count)), ("visit", visit),
    ])
    return .object(object.with("unlocked", unlocked).with("ads", ads).with("dry_run", ifTrue: isDryRun))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    player = try members.string("player")
    event = try members.string("event")
    occurredAt = try members.instant("occurred_at")
    let scores = try WireMembers(try members.required("scores"), at: members.place("scores"))
    lifetimeScore = try scores.integer("lifetime_score")
    gamesPlayed = try scores.integer("games_played")
    bestScore = try scores.optionalInteger("best_score")
    isBest = try scores.flag("is_best")
    count = try members.integer("count")
    let visit = try WireMembers(try members.required("visit"), at: members.place("visit"))
    self.visit = try visit.integer("number")
    opensVisit = try visit.flag("opened")
    unlocked = try members.shape("unlocked")
    ads = try members.shapes("ads")
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What an event came to; a repeat is answered the same.",
      required: [
        "game": SchemaText.string, "player": SchemaText.string, "event": SchemaText.string, "occurred_at": SchemaText.instant,
        "scores": SchemaText.object(
          "The scores after it.",
          required: ["lifetime_score": SchemaText.integer, "games_played": SchemaText.integer, "is_best": SchemaText.boolean],
          optional: ["best_score": SchemaText.described(SchemaText.integer, "The best of its mode.")]),
        "count": SchemaText.described(SchemaText.integer, "How often the event was recorded, with it."),
        "visit": SchemaText.object(
          "The visit it came in.", required: ["number": SchemaText.integer, "opened": SchemaText.boolean]),
        "unlocked": SchemaText.ref(WireUnlocked.self), "ads": SchemaText.list(AdDecisionAnswer.self),
      ],
      optional: ["dry_run": SchemaText.boolean])
  }
}
