// The games that a daemon serves, and the games that it cannot serve.

package import GameConfCore

/// Answer of `GET /v1/games`: the served games, and the games that have a catalog but are not served.
public struct GamesAnswer: WireObject {
  package var games: [GameSummary] = []
  package var unserved: [UnservedGameAnswer] = []

  package init() {}

  package init(games: [GameSummary], unserved: [UnservedGameAnswer] = []) {
    self.games = games
    self.unserved = unserved
  }

  package static var about: String { "The served games." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("games", &games, "The games, in the order of their ids.")
    fields.whenSet("unserved", &unserved, "The games that have a catalog and are not served, as after a fault in a new game's file.")
  }
}

/// A game that has a catalog and is not served.
public struct UnservedGameAnswer: WireObject {
  package var game = ""
  package var details: [String] = []
  package var faultyFile: String?

  package init() {}

  package init(game: String, details: [String], faultyFile: String? = nil) {
    self.game = game
    self.details = details
    self.faultyFile = faultyFile
  }

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "UnservedGame" }

  package static var about: String { "A game that has a catalog and is not served." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("details", &details, "Why it is not served, a line each; of a file, as file:line:column: message.")
    fields.optional("faulty_file", &faultyFile, "The catalog's file, if it has faults; “gameconfctl catalog validate” lists all of them.")
  }

  /// The shell command that shows every fault of the catalog file; nil if the game is not served for another reason.
  package var wayOut: String? { faultyFile.map { "gameconfctl catalog validate \($0)" } }
}

/// A summary of one served game: its revision, its faults, and its clock if that is simulated.
public struct GameSummary: WireObject {
  package var game = ""
  package var title = ""
  package var revision: Int64 = 0
  package var degraded: [Degradation] = []
  package var clock: MovedClock?

  package init() {}

  package init(game: String, title: String, revision: Int64, degraded: [Degradation] = [], clock: MovedClock? = nil) {
    self.game = game
    self.title = title
    self.revision = revision
    self.degraded = degraded
    self.clock = clock
  }

  package static var about: String { "A game." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("title", &title, "Its name, for people.")
    fields.required("revision", &revision, "Its revision.")
    fields.usual("degraded", &degraded, "The game's problems; empty if there are no problems.")
    fields.optional("clock", &clock, "The simulated clock; absent while it shows the host's time.")
  }
}

/// A fault during which the daemon continues to serve the last good state.
public struct Degradation: WireObject {
  package var game: String?
  package var what = ""
  package var code: String?
  package var title: String?
  package var severity: String?
  package var since: Instant?
  package var detail: String?

  package init() {}

  package init(
    game: String? = nil, what: String, code: String? = nil, title: String? = nil, severity: String? = nil, since: Instant? = nil,
    detail: String? = nil
  ) {
    self.game = game
    self.what = what
    self.code = code
    self.title = title
    self.severity = severity
    self.since = since
    self.detail = detail
  }

  /// The word under which the guide “When it says degraded” explains the fault: its code, or the faulty part if an older daemon sends no
  /// code.
  package var word: String { code ?? what }

  package static var about: String { "A problem; the last good state is served meanwhile." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("game", &game, "The game; absent for the whole daemon.")
    fields.required("what", &what, "The part concerned: store, images, catalog, template, override, …")
    fields.optional(
      "code", &code, "The kind. The guide “When it says degraded” says of each what games notice, what you do and when it is over.")
    fields.optional("title", &title, "The kind in a phrase, for people.")
    fields.optional("severity", &severity, "The severity: warning, error or critical.")
    fields.optional("since", &since, "The time at which it began.")
    fields.optional("detail", &detail, "The explanation, for people.")
  }
}
