// The answer to one recorded event of a player.

package import GameConfCore

/// Answer to one event of `POST …/players/{player}/events`. A repeat of the event gets the same answer.
public struct EventAnswer: WireObject {
  package var game = ""
  package var player = ""
  package var event = ""
  package var occurredAt = Instant.unread
  package var simulatedAt = Instant.unread
  package var lifetimeScore: Int64 = 0
  package var gamesPlayed: Int64 = 0
  package var bestScore: Int64?
  package var isBest = false
  package var count: Int64 = 0
  package var visit: Int64 = 0
  package var opensVisit = false
  package var unlocked = WireUnlocked()
  package var ads: [String: AdDecisionAnswer] = [:]
  package var best: EventBest?
  package var warnings: [String] = []
  package var isDryRun = false

  package init() {}

  package init(
    game: String, player: String, event: String, occurredAt: Instant, simulatedAt: Instant? = nil, lifetimeScore: Int64, gamesPlayed: Int64,
    bestScore: Int64? = nil, isBest: Bool = false, count: Int64, visit: Int64, opensVisit: Bool = false,
    unlocked: WireUnlocked = WireUnlocked(), ads: [AdDecisionAnswer] = [], best: EventBest? = nil,
    isDryRun: Bool = false
  ) {
    self.game = game
    self.player = player
    self.event = event
    self.occurredAt = occurredAt
    self.simulatedAt = simulatedAt ?? occurredAt
    self.lifetimeScore = lifetimeScore
    self.gamesPlayed = gamesPlayed
    self.bestScore = bestScore
    self.isBest = isBest
    self.count = count
    self.visit = visit
    self.opensVisit = opensVisit
    self.unlocked = unlocked
    self.ads = Dictionary(ads.map { ($0.placement, $0) }) { $1 }
    self.best = best
    self.isDryRun = isDryRun
  }

  package static var about: String { "The result of an event; a repeated event gets the same answer." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.required("event", &event, "The event.")
    fields.required("occurred_at", &occurredAt, "The time of the event by the host's clock: as sent, or now.")
    fields.required(
      "simulated_at", &simulatedAt,
      "The same time by the player's simulated clock; never before the last event or launch.")
    fields.object("scores", "The scores after the change.") { fields in
      fields.required("lifetime_score", &lifetimeScore, "The sum of all scores.")
      fields.required("games_played", &gamesPlayed, "The number of events with a score.")
      fields.optional("best_score", &bestScore, "The best score of the mode; absent if the event has no score.")
      fields.required("is_best", &isBest, "True if the score is better than the best before; a first score must be better than 0.")
    }
    fields.required("count", &count, "The number of times that the event was recorded, this one included.")
    fields.object("visit", "The visit.") { fields in
      fields.required("number", &visit, "The number of the visit, from 1.")
      fields.required("opened", &opensVisit, "True if the event began the visit.")
    }
    fields.required("unlocked", &unlocked, "The milestones and themes that it unlocked.")
    fields.required("ads", &ads, "The decisions about ads, by placement.")
    fields.optional("best", &best, "The player's best score for the event's details, if the catalog declares one.")
    fields.whenSet("warnings", &warnings, "The checks that exceeded their limit and therefore passed.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }

  /// The answer in JSON. A daemon writes this answer more often than any other, so the code is specialized for this type.
  public var json: [UInt8] { text }
}
