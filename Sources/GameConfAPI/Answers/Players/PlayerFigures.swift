// The counters of a player: scores, events, visits.

package import GameConfCore

/// A player's scores: the sum, the number of games played, and the best score of each mode.
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

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Scores" }

  package static var about: String { "A player's scores." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("lifetime_score", &lifetimeScore, "The sum of all scores, over all modes.")
    fields.required("games_played", &gamesPlayed, "The number of events with a score.")
    fields.optional("best_score", &bestScore, "The best score in any mode; absent without a score.")
    fields.required("best_scores", &bestScores, "The best score by mode.")
  }
}

/// The number of times that an event occurred for a player.
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

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "EventCount" }

  package static var about: String { "The number of times that an event was recorded." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("event", &event, "The event.")
    fields.required("count", &count, "The number of times that it was recorded.")
    fields.usual("modes", &modes, "The same by mode.")
  }
}

/// A player's launches of the game: their number, and the times of the last launch.
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

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Visits" }

  package static var about: String { "A player's launches of the game." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("count", &count, "The number of visits.")
    fields.optional("opened_at", &openedAt, "The beginning of the last visit.")
    fields.optional("active_at", &activeAt, "The time of the last event or launch.")
  }
}

/// The name of a milestone, achievement or theme that a change unlocked. ``WireUnlocked`` maps the item's id to it.
public struct WireUnlockedItem: WireObject {
  package var name: String?

  package init() {}

  package init(name: String?) { self.name = name }

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "UnlockedItem" }

  package static var about: String { "A newly unlocked milestone or theme." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("name", &name, "The name in the caller's language; absent without a name.")
  }
}

/// The milestones, achievements and themes that a change unlocked.
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

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Unlocked" }

  package static var about: String { "The newly unlocked milestones and themes, by id." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("milestones", &milestones, "The milestones that are not achievements.")
    fields.required("achievements", &achievements, "The achievements.")
    fields.required("themes", &themes, "The themes that the player may now choose.")
  }
}
