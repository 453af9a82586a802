// The answer with everything about one player.

package import GameConfCore

/// Answer of `GET …/players/{player}`: the player's scores, settings, progress and history on one page. An unknown player reads as a new
/// one.
public struct PlayerAnswer: WireObject {
  package var game = ""
  package var player = ""
  package var revision: Int64 = 0
  package var playerRevision: Int64 = 0
  package var createdAt: Instant?
  package var changedAt: Instant?
  package var now = Instant.unread
  package var scores = WireScores()
  package var counters: [WireEventCount] = []
  package var visits = WireVisits()
  package var settings: [SettingAnswer] = []
  package var context = ObjectValue()
  package var themes: [ThemeAnswer] = []
  package var milestones: [MilestoneAnswer] = []
  package var ads: [AdStatusAnswer] = []
  package var history: [HistoryLine] = []

  package init() {}

  package init(
    game: String, player: String, revision: Int64, playerRevision: Int64, createdAt: Instant? = nil, changedAt: Instant? = nil,
    now: Instant, scores: WireScores, counters: [WireEventCount] = [], visits: WireVisits, settings: [SettingAnswer] = [],
    context: ObjectValue = ObjectValue(), themes: [ThemeAnswer] = [], milestones: [MilestoneAnswer] = [], ads: [AdStatusAnswer] = [],
    history: [HistoryLine] = []
  ) {
    self.game = game
    self.player = player
    self.revision = revision
    self.playerRevision = playerRevision
    self.createdAt = createdAt
    self.changedAt = changedAt
    self.now = now
    self.scores = scores
    self.counters = counters
    self.visits = visits
    self.settings = settings
    self.context = context
    self.themes = themes
    self.milestones = milestones
    self.ads = ads
    self.history = history
  }

  package static var about: String { "A player on one page; an unknown player reads as a new one." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.required("revision", &revision, "The game's revision.")
    fields.required("player_revision", &playerRevision, "The player's revision; 0 for an unknown player.")
    fields.optional("created_at", &createdAt, "The time of the first write; absent for an unknown player.")
    fields.optional("changed_at", &changedAt, "The time of the last change.")
    fields.required("now", &now, "The player's time.")
    fields.required("scores", &scores, "The player's scores.")
    fields.required("counters", &counters, "The number of times that each event was recorded, by name.")
    fields.required("visits", &visits, "Launches of the game.")
    fields.required("settings", &settings, "The player's own settings by key.")
    fields.required("context", &context, "The registered context.", .playersText)
    fields.required("themes", &themes, "The game's themes.")
    fields.required("milestones", &milestones, "The game's milestones.")
    fields.required("ads", &ads, "The game's placements.")
    fields.required("history", &history, "The newest lines of the player's history, newest first.")
  }
}

/// One line of a player's history: an event, or another change to the player.
public struct HistoryLine: WireObject {
  package var number: Int64 = 0
  package var at = Instant.unread
  package var kind = ""
  package var details = ObjectValue()

  package init() {}

  package init(number: Int64, at: Instant, kind: String, details: ObjectValue = ObjectValue()) {
    self.number = number
    self.at = at
    self.kind = kind
    self.details = details
  }

  package static var about: String { "A line of a player's history." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("number", &number, "The number of the line, from 1.")
    fields.required("at", &at, "The time of the line, by the player's clock.")
    fields.required("kind", &kind, "The kind of line.")
    fields.required("details", &details, "Further details by name.", .playersText)
  }
}
