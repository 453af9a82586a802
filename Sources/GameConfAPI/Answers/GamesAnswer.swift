// The games a daemon serves.

public import GameConfCore

/// Answer of `GET /v1/games`.
public struct GamesAnswer: WireShape {
  /// In the order of their ids.
  public var games: [GameSummary]

  /// An answer.
  public init(games: [GameSummary]) { self.games = games }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue().with("games", games)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    games = try WireMembers(wire, at: pointer).shapes("games")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object("The games that are served.", required: ["games": SchemaText.list(GameSummary.self)])
  }
}

/// One game in a list.
public struct GameSummary: WireShape {
  /// The game's id.
  public var game: String
  /// Its name, for people.
  public var title: String
  /// Its revision.
  public var revision: Int64
  /// What of it is not as it should be; empty when all is well.
  public var degraded: [Degradation]

  /// A game.
  public init(game: String, title: String, revision: Int64, degraded: [Degradation] = []) {
    self.game = game
    self.title = title
    self.revision = revision
    self.degraded = degraded
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("game", .string(game)), ("title", .string(title)), ("revision", .integer(revision))]).with("degraded", degraded))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    title = try members.string("title")
    revision = try members.integer("revision")
    degraded = try members.shapes("degraded")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A game.", required: ["game": SchemaText.string, "title": SchemaText.string, "revision": SchemaText.integer],
      optional: ["degraded": SchemaText.list(Degradation.self)])
  }
}

/// Something that is not as it should be, while the daemon goes on serving what was good before.
public struct Degradation: WireShape {
  /// The game it is about; nil for the whole daemon.
  public var game: String?
  /// What: `catalog`, `store`, `override`, `rule`, …
  public var what: String
  /// Since when.
  public var since: Instant?
  /// Why, for people.
  public var detail: String?

  /// A degradation.
  public init(game: String? = nil, what: String, since: Instant? = nil, detail: String? = nil) {
    self.game = game
    self.what = what
    self.since = since
    self.detail = detail
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue().with("game", game).with("what", .some(.string(what))).with("since", since).with("detail", detail))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.optionalString("game")
    what = try members.string("what")
    since = try members.optionalInstant("since")
    detail = try members.optionalString("detail")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Something that is not as it should be; what was good before is served meanwhile.", required: ["what": SchemaText.string],
      optional: ["game": SchemaText.string, "since": SchemaText.instant, "detail": SchemaText.string])
  }
}
