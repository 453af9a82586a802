// The answers about scenarios: at their start, and in their present state.

package import GameConfCore

/// The id, author, lease and end of a scenario, without its steps; also the answer when the lease is renewed.
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

  package static var about: String { "A summary of a scenario; also the answer to a renewed lease." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("id", &id, "Its id.")
    fields.optional("title", &title, "The title.")
    fields.required("player_prefix", &prefix, "The prefix of its players' ids.")
    fields.required("author", &author, "The author.")
    fields.optional("reason", &reason, "Why.")
    fields.required("started_at", &startedAt, "The beginning.")
    fields.required("lease_until", &leaseUntil, "The end of the scenario unless its lease is renewed.")
    fields.required("lease_seconds", &leaseSeconds, "The length of a lease in seconds.")
    fields.required("ends_at", &endsAt, "The time until which its lease can be renewed.")
    fields.whenSet("ending", &isEnding, "True while it is being undone.")
  }
}

/// A key that a scenario overrides, either for the whole game during a time window, or only for the scenario's own players.
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

  package static var about: String { "A key that a scenario overrides." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game.")
    fields.required("key", &key, "The key.")
    fields.optional("window", &window, "The window that overrides it for the whole game; absent if only for the scenario's players.")
  }
}

/// One step that a scenario performed or would perform.
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

  package static var about: String { "One step of a scenario." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game.")
    fields.optional("player", &player, "The player, or the prefix of all its players' ids; absent for the whole game.", .playersText)
    fields.required("did", &did, "The kind: value, clock, scores, purchase, behaviour, or an act on a transaction.")
    fields.optional("name", &name, "The key of a value, the product of a purchase.")
    fields.optionalOrNull("result", &result, "The result: a value, an instant, milestones reached, the outcome of a purchase.")
  }
}

/// Answer of `GET /v1/scenarios`: the scenarios in force, oldest first, without their steps.
public struct ScenarioList: WireObject {
  package var scenarios: [ScenarioAnswer] = []

  package init() {}

  package init(scenarios: [ScenarioAnswer]) { self.scenarios = scenarios }

  package static var about: String { "The scenarios in force." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("scenarios", &scenarios, "The scenarios, the oldest first.")
  }
}

/// Answer of `POST /v1/scenarios` and `GET /v1/scenarios/{scenario}`: the scenario with its steps and overridden keys.
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

  package static var about: String { "A scenario with its steps and the keys that it overrides." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.members(of: &scenario)
    fields.required("games", &games, "Its games.")
    fields.required("holds", &holds, "The keys that it overrides; a change by another user is answered 409 with its name.")
    fields.whenSet("steps", &steps, "The steps in order; only in the answer that began it.")
    fields.whenSet("warnings", &warnings, "Warnings.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}
