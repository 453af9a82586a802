// What is counted of a player: scores, events, visits.

package import GameConfCore

/// A player's scores.
public struct WireScores: WireObject {
  package var lifetimeScore: Int64 = 0
  package var gamesPlayed: Int64 = 0
  package var bestScore: Int64?
  package var bestScores: [String: Int64] = [:]

  package init() {}

  package init(lifetimeScore: Int64, gamesPlayed: Int64, bestScore: Int64? = nil, bestScores: [String: Int64] = [:]) {
    self.lifetimeScore = lifetimeScore
    self.gamesPlayed = gamesPlayed
    self.bestScore = bestScore
    self.bestScores = bestScores
  }

  /// The name that the contract has for it.
  public static var schemaName: String { "Scores" }

  package static var about: String { "A player's scores." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("lifetime_score", &lifetimeScore, "The sum of all scores, over all modes.")
    fields.required("games_played", &gamesPlayed, "How many events carried a score.")
    fields.optional("best_score", &bestScore, "The best score in any mode; absent while there is none.")
    fields.required("best_scores", &bestScores, "The best score by mode.", .map(of: Int64.memberSchema))
  }
}

/// How often a player had an event.
public struct WireEventCount: WireObject {
  package var event = ""
  package var count: Int64 = 0
  package var modes: [String: Int64] = [:]

  package init() {}

  package init(event: String, count: Int64, modes: [String: Int64] = [:]) {
    self.event = event
    self.count = count
    self.modes = modes
  }

  /// The name that the contract has for it.
  public static var schemaName: String { "EventCount" }

  package static var about: String { "How often an event was recorded." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("event", &event, "The event.")
    fields.required("count", &count, "How often it was recorded.")
    fields.usual("modes", &modes, "How often in each mode.", .map(of: Int64.memberSchema))
  }
}

/// A player's launches of the game.
public struct WireVisits: WireObject {
  package var count: Int64 = 0
  package var openedAt: Instant?
  package var activeAt: Instant?

  package init() {}

  package init(count: Int64, openedAt: Instant? = nil, activeAt: Instant? = nil) {
    self.count = count
    self.openedAt = openedAt
    self.activeAt = activeAt
  }

  /// The name that the contract has for it.
  public static var schemaName: String { "Visits" }

  package static var about: String { "A player's launches of the game." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("count", &count, "How many there were.")
    fields.optional("opened_at", &openedAt, "When the last one began.")
    fields.optional("active_at", &activeAt, "When the last event or launch came.")
  }
}

/// Something that was newly unlocked, under its id.
public struct WireUnlockedItem: WireObject {
  package var name: String?

  package init() {}

  package init(name: String?) { self.name = name }

  /// The name that the contract has for it.
  public static var schemaName: String { "UnlockedItem" }

  package static var about: String { "Something that was newly unlocked, under its id." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("name", &name, "Its name, in the caller's language; absent where it has none.")
  }
}

/// What a change unlocked.
public struct WireUnlocked: WireObject {
  package var milestones: [String: WireUnlockedItem] = [:]
  package var achievements: [String: WireUnlockedItem] = [:]
  package var themes: [String: WireUnlockedItem] = [:]

  package init() {}

  package init(
    milestones: [String: WireUnlockedItem] = [:], achievements: [String: WireUnlockedItem] = [:], themes: [String: WireUnlockedItem] = [:]
  ) {
    self.milestones = milestones
    self.achievements = achievements
    self.themes = themes
  }

  /// The name that the contract has for it.
  public static var schemaName: String { "Unlocked" }

  package static var about: String { "What was newly unlocked, each under its id." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("milestones", &milestones, "The milestones that are no achievements.", .map(of: WireUnlockedItem.memberSchema))
    fields.required("achievements", &achievements, "The achievements.", .map(of: WireUnlockedItem.memberSchema))
    fields.required("themes", &themes, "The themes that may be chosen now.", .map(of: WireUnlockedItem.memberSchema))
  }
}
