// The outcome of a reload of the catalog files.

/// Answer of `POST /v1/reload`. The daemon sends it when the new catalogs are in force.
public struct ReloadAnswer: WireObject {
  package var games: [ReloadedGame] = []
  package var isDryRun = false

  package init() {}

  package init(games: [ReloadedGame], isDryRun: Bool = false) {
    self.games = games
    self.isDryRun = isDryRun
  }

  package static var about: String { "The result for every game." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("games", &games, "The games that have or had a file.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}

/// The outcome of a reload for one game, with the faults of its files.
public struct ReloadedGame: WireObject {
  /// The outcome of a reload for one game's catalog files.
  public enum Outcome: String, WireWord {
    /// The catalog files are the same as at the last reload.
    case unchanged
    /// A new catalog is in force.
    case changed
    /// The catalog files are invalid or missing, so the last accepted catalog stays in force.
    case degraded
    /// The catalog files are invalid, and the game has never had an accepted catalog.
    case refused
  }

  package var game = ""
  package var outcome = Outcome.unchanged
  package var revision: Int64?
  package var faults: [String] = []

  package init() {}

  package init(game: String, outcome: Outcome, revision: Int64?, faults: [String] = []) {
    self.game = game
    self.outcome = outcome
    self.revision = revision
    self.faults = faults
  }

  package static var about: String { "The result for a game." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("outcome", &outcome, "The outcome.")
    fields.optional("revision", &revision, "The current revision; absent if the game is not served.")
    fields.usual("faults", &faults, "The faults, as file:line:column: message.")
  }
}
