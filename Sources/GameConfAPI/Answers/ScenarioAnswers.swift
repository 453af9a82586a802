// Scenarios: one as it was put in force, and one as it stands.

package import GameConfCore

/// A scenario in a few figures.
public struct WireScenario: WireObject {
  package var id = ""
  package var title: String?
  package var prefix = ""
  package var author = WireAuthor()
  package var reason: String?
  package var startedAt = Instant.unread
  package var leaseUntil = Instant.unread
  package var leaseSeconds: Int64 = 0
  package var endsAt = Instant.unread
  package var isEnding = false

  package init() {}

  package init(
    id: String, title: String? = nil, prefix: String, author: WireAuthor, reason: String? = nil, startedAt: Instant, leaseUntil: Instant,
    leaseSeconds: Int64, endsAt: Instant, isEnding: Bool = false
  ) {
    self.id = id
    self.title = title
    self.prefix = prefix
    self.author = author
    self.reason = reason
    self.startedAt = startedAt
    self.leaseUntil = leaseUntil
    self.leaseSeconds = leaseSeconds
    self.endsAt = endsAt
    self.isEnding = isEnding
  }

  package static var about: String { "A scenario in a few figures; the answer to a renewed lease too." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("id", &id, "Its id.")
    fields.optional("title", &title, "What it is called.")
    fields.required("player_prefix", &prefix, "What the ids of its players begin with.")
    fields.required("author", &author, "Who began it.")
    fields.optional("reason", &reason, "Why.")
    fields.required("started_at", &startedAt, "When it began.")
    fields.required("lease_until", &leaseUntil, "Until when it is in force unless its lease is renewed.")
    fields.required("lease_seconds", &leaseSeconds, "How long a lease lasts.")
    fields.required("ends_at", &endsAt, "Until when its lease can be renewed.")
    fields.whenSet("ending", &isEnding, "Whether it is being taken back.")
  }
}

/// A key that a scenario holds.
public struct WireHold: WireObject {
  package var game = ""
  package var key = ""
  package var window: String?

  package init() {}

  package init(game: String, key: String, window: String? = nil) {
    self.game = game
    self.key = key
    self.window = window
  }

  package static var about: String { "A key that a scenario holds." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game.")
    fields.required("key", &key, "The key.")
    fields.optional("window", &window, "The window that holds it for the whole game; absent where it is held for the scenario's players.")
  }
}

/// One thing that a scenario did, or would do.
public struct WireScenarioStep: WireObject {
  package var game = ""
  package var player: String?
  package var did = ""
  package var name: String?
  package var result: Value?

  package init() {}

  package init(game: String, player: String? = nil, did: String, name: String? = nil, result: Value? = nil) {
    self.game = game
    self.player = player
    self.did = did
    self.name = name
    self.result = result
  }

  package static var about: String { "One thing that a scenario did, or would do." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game.")
    fields.optional("player", &player, "The player, or what the ids of all its players begin with; absent for the whole game.")
    fields.required("did", &did, "What: value, clock, scores, purchase, behaviour, or what happened to a transaction.")
    fields.optional("name", &name, "The key of a value, the product of a purchase.")
    fields.optionalOrNull("result", &result, "What it is then: a value, an instant, milestones reached, how a purchase went.")
  }
}

/// Answer of `GET /v1/scenarios`.
public struct ScenarioList: WireObject {
  package var scenarios: [ScenarioAnswer] = []

  package init() {}

  package init(scenarios: [ScenarioAnswer]) { self.scenarios = scenarios }

  package static var about: String { "The scenarios in force." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("scenarios", &scenarios, "The scenarios, the oldest first.")
  }
}

/// Answer of `POST /v1/scenarios` and `GET /v1/scenarios/{scenario}`.
public struct ScenarioAnswer: WireObject {
  package var scenario = WireScenario()
  package var games: [String] = []
  package var holds: [WireHold] = []
  package var steps: [WireScenarioStep] = []
  package var warnings: [String] = []
  package var isDryRun = false

  package init() {}

  package init(
    scenario: WireScenario, games: [String], holds: [WireHold], steps: [WireScenarioStep] = [], warnings: [String] = [],
    isDryRun: Bool = false
  ) {
    self.scenario = scenario
    self.games = games
    self.holds = holds
    self.steps = steps
    self.warnings = warnings
    self.isDryRun = isDryRun
  }

  package static var about: String { "A scenario with what it did and what it holds." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.members(of: &scenario)
    fields.required("games", &games, "Its games.")
    fields.required("holds", &holds, "The keys it holds: to others they answer 409 with its name.")
    fields.whenSet("steps", &steps, "What it did, in order; when it was begun only.")
    fields.whenSet("warnings", &warnings, "What to know about it.")
    fields.whenSet("dry_run", &isDryRun, "Whether nothing was changed.")
  }
}
