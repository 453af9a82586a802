// The milestones of a player, reached and unreached.

package import GameConfCore

/// One milestone of a player, with the counter that it watches and the value to reach.
public struct MilestoneAnswer: WireObject {
  package var milestone = ""
  package var name: String?
  package var count = Value.null
  package var value: Int64 = 0
  package var target: Int64?
  package var isUnlocked = false
  package var unlockedAt: Instant?
  package var isAchievement = false
  package var isProgressive = false
  package var themes: [String] = []

  package init() {}

  package init(
    milestone: String, name: String? = nil, count: Value, value: Int64, target: Int64?, isUnlocked: Bool, unlockedAt: Instant? = nil,
    isAchievement: Bool = false, isProgressive: Bool = false, themes: [String] = []
  ) {
    self.milestone = milestone
    self.name = name
    self.count = count
    self.value = value
    self.target = target
    self.isUnlocked = isUnlocked
    self.unlockedAt = unlockedAt
    self.isAchievement = isAchievement
    self.isProgressive = isProgressive
    self.themes = themes
  }

  /// The counter's value and the value to reach; nil if the value to reach is unknown.
  public var progress: WireProgress? { target.map { WireProgress(value: value, target: $0, isUnlocked: isUnlocked) } }

  package static var about: String { "A milestone of a player." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("milestone", &milestone, "The milestone.")
    fields.optional("name", &name, "The name in the requested language; absent without a name.")
    fields.required("count", &count, "The counter: lifetime_score, games_played, {events}, {best_score} or {unlocked}.")
    fields.required("value", &value, "The counters.")
    fields.nullable(
      "target", &target, "The number that unlocks it for the player; null if it cannot be resolved.")
    fields.required("unlocked", &isUnlocked, "True if it was reached; it stays true if the number is raised later.")
    fields.optional("unlocked_at", &unlockedAt, "The time at which it was reached.")
    fields.required("achievement", &isAchievement, "True for an achievement.")
    fields.required("progressive", &isProgressive, "True if the game shows progress towards it.")
    fields.required("themes", &themes, "The themes it unlocks.")
  }
}

/// Answer of `GET …/players/{player}/milestones`: all milestones of the game's catalog, in the catalog's order.
public struct MilestoneList: WireObject {
  package var game = ""
  package var player = ""
  package var revision: Int64 = 0
  package var milestones: [MilestoneAnswer] = []

  package init() {}

  package init(game: String, player: String, revision: Int64, milestones: [MilestoneAnswer]) {
    self.game = game
    self.player = player
    self.revision = revision
    self.milestones = milestones
  }

  package static var about: String { "A player's milestones, in the catalog's order." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.required("revision", &revision, "The game's revision.")
    fields.required("milestones", &milestones, "The milestones, in the catalog's order.")
  }
}
