// Simulated time: what the clocks of a game and of a player show.

public import GameConfCore

/// Answer of `GET` and `PUT …/clock`.
public struct ClockAnswer: WireShape {
  /// The game.
  public var game: String
  /// The game's simulated time.
  public var now: Instant
  /// The host's time.
  public var host: Instant
  /// Simulated seconds for each of the host's: 1 as on the host, 0 stands still.
  public var rate: Double
  /// Whether the host's time stands still too, since the daemon was started that way.
  public var isFrozen: Bool
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(game: String, now: Instant, host: Instant, rate: Double, isFrozen: Bool = false, isDryRun: Bool = false) {
    self.game = game
    self.now = now
    self.host = host
    self.rate = rate
    self.isFrozen = isFrozen
    self.isDryRun = isDryRun
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("game", .string(game))]).with("dry_run", ifTrue: isDryRun).with("now", .some(now)).with("host", .some(host))
        .with("rate", .some(.double(rate))).with("frozen", ifTrue: isFrozen))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    now = try members.instant("now")
    host = try members.instant("host")
    rate = try members.double("rate")
    isFrozen = try members.flag("frozen")
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A game's simulated time; it moves forward only.",
      required: [
        "game": SchemaText.string, "now": SchemaText.instant, "host": SchemaText.instant,
        "rate": SchemaText.described(SchemaText.number, "Simulated seconds for each of the host's; 0 stands still."),
      ],
      optional: [
        "frozen": SchemaText.described(SchemaText.boolean, "The host's time stands still, since the daemon was started that way."),
        "dry_run": SchemaText.boolean,
      ])
  }
}

/// Answer of `GET` and `PUT p/clock`.
public struct PlayerClockAnswer: WireShape {
  /// The game.
  public var game: String
  /// The player.
  public var player: String
  /// The player's revision.
  public var playerRevision: Int64
  /// The player's simulated time.
  public var now: Instant
  /// The game's.
  public var gameNow: Instant
  /// How far the player's is ahead.
  public var offsetMilliseconds: Int64
  /// What came due by the move: renewals, expiries and what else the simulated store did by itself, oldest first.
  public var due: [StoreLogLine]
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(
    game: String, player: String, playerRevision: Int64, now: Instant, gameNow: Instant, offsetMilliseconds: Int64,
    due: [StoreLogLine] = [], isDryRun: Bool = false
  ) {
    self.game = game
    self.player = player
    self.playerRevision = playerRevision
    self.now = now
    self.gameNow = gameNow
    self.offsetMilliseconds = offsetMilliseconds
    self.due = due
    self.isDryRun = isDryRun
  }

  /// Its JSON.
  public var wire: Value {
    let object = ObjectValue([("game", .string(game)), ("player", .string(player)), ("player_revision", .integer(playerRevision))])
      .with("dry_run", ifTrue: isDryRun).with("now", .some(now)).with("game_now", .some(gameNow))
      .with("offset_milliseconds", .some(.integer(offsetMilliseconds)))
    return .object(due.isEmpty ? object : object.with("due", due))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    player = try members.string("player")
    playerRevision = try members.integer("player_revision")
    now = try members.instant("now")
    gameNow = try members.instant("game_now")
    offsetMilliseconds = try members.integer("offset_milliseconds")
    due = try members.shapes("due")
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A player's simulated time; it moves forward only.",
      required: [
        "game": SchemaText.string, "player": SchemaText.string, "player_revision": SchemaText.integer, "now": SchemaText.instant,
        "game_now": SchemaText.instant,
        "offset_milliseconds": SchemaText.described(SchemaText.integer, "How far the player's time is ahead of the game's."),
      ],
      optional: [
        "due": SchemaText.described(SchemaText.list(StoreLogLine.self), "What came due by the move, oldest first."),
        "dry_run": SchemaText.boolean,
      ])
  }
}
