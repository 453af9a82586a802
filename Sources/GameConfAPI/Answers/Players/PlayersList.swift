// The players of a game, page by page.

public import GameConfCore

/// One player in a list.
public struct PlayerSummary: WireShape {
  /// The player.
  public var player: String
  /// The player's revision.
  public var playerRevision: Int64
  /// When the first event, setting or the like made the player; nil for one who only bought something.
  public var createdAt: Instant?
  /// When the last of those was.
  public var changedAt: Instant?
  /// The sum of all scores.
  public var lifetimeScore: Int64
  /// How many events carried a score.
  public var gamesPlayed: Int64
  /// How many visits there were.
  public var visits: Int64

  /// A player.
  public init(
    player: String, playerRevision: Int64, createdAt: Instant? = nil, changedAt: Instant? = nil, lifetimeScore: Int64, gamesPlayed: Int64,
    visits: Int64
  ) {
    self.player = player
    self.playerRevision = playerRevision
    self.createdAt = createdAt
    self.changedAt = changedAt
    self.lifetimeScore = lifetimeScore
    self.gamesPlayed = gamesPlayed
    self.visits = visits
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("player", .string(player)), ("player_revision", .integer(playerRevision))]).with("created_at", createdAt)
        .with("changed_at", changedAt).with("lifetime_score", .some(lifetimeScore)).with("games_played", .some(gamesPlayed))
        .with("visits", .some(visits)))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    player = try members.string("player")
    playerRevision = try members.integer("player_revision")
    createdAt = try members.optionalInstant("created_at")
    changedAt = try members.optionalInstant("changed_at")
    lifetimeScore = try members.integer("lifetime_score")
    gamesPlayed = try members.integer("games_played")
    visits = try members.integer("visits")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A player in a few figures.",
      required: [
        "player": SchemaText.string, "player_revision": SchemaText.integer, "lifetime_score": SchemaText.integer,
        "games_played": SchemaText.integer, "visits": SchemaText.integer,
      ], optional: ["created_at": SchemaText.instant, "changed_at": SchemaText.instant])
  }
}

/// Answer of `GET …/players`.
public struct PlayersList: WireShape {
  /// The game.
  public var game: String
  /// The players, by id.
  public var players: [PlayerSummary]
  /// After which id the next page begins; nil when this is the last.
  public var nextAfter: String?

  /// A page.
  public init(game: String, players: [PlayerSummary], nextAfter: String? = nil) {
    self.game = game
    self.players = players
    self.nextAfter = nextAfter
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("game", .string(game))]).with("players", players).with("next_after", nextAfter))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    players = try members.shapes("players")
    nextAfter = try members.optionalString("next_after")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "The players of whom something is kept, by id.",
      required: ["game": SchemaText.string, "players": SchemaText.list(PlayerSummary.self)],
      optional: ["next_after": SchemaText.described(SchemaText.string, "Ask on with after= and this.")])
  }
}
