// What a reload of the catalogs came to.

public import GameConfCore

/// Answer of `POST /v1/reload`, given when the new catalogs are in force.
public struct ReloadAnswer: WireShape {
  /// Every game that has a file or had one.
  public var games: [ReloadedGame]
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(games: [ReloadedGame], isDryRun: Bool = false) {
    self.games = games
    self.isDryRun = isDryRun
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue().with("games", games).with("dry_run", ifTrue: isDryRun)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    games = try members.shapes("games")
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What became of every game.", required: ["games": SchemaText.list(ReloadedGame.self)], optional: ["dry_run": SchemaText.boolean])
  }
}

/// What became of one game.
public struct ReloadedGame: WireShape {
  /// What became of it.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The files say what they said before.
    case unchanged
    /// A new catalog is in force.
    case changed
    /// The files are bad or gone; what was accepted last stays in force.
    case degraded
    /// The files are bad and nothing was ever accepted.
    case refused
  }

  /// The game.
  public var game: String
  /// What became of it.
  public var outcome: Outcome
  /// Its revision now; nil when it is not served.
  public var revision: Int64?
  /// What is wrong, as `file:line:column: message`.
  public var faults: [String]

  /// A game.
  public init(game: String, outcome: Outcome, revision: Int64?, faults: [String] = []) {
    self.game = game
    self.outcome = outcome
    self.revision = revision
    self.faults = faults
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("game", .string(game)), ("outcome", .string(outcome.rawValue))]).with("revision", revision).with("faults", faults))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    outcome = try members.word("outcome")
    revision = try members.optionalInteger("revision")
    faults = try members.strings("faults")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What became of a game.", required: ["game": SchemaText.string, "outcome": SchemaText.words(Outcome.self)],
      optional: [
        "revision": SchemaText.integer,
        "faults": SchemaText.described(SchemaText.list(SchemaText.string), "As file:line:column: message."),
      ])
  }
}
