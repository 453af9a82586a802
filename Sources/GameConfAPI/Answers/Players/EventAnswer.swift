// What an event came to.

package import GameConfCore

/// Answer of `POST p/events`; a repeat is answered the same.
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
  package var best: WireEventBest?
  package var warnings: [String] = []
  package var isDryRun = false

  package init() {}

  package init(
    game: String, player: String, event: String, occurredAt: Instant, simulatedAt: Instant? = nil, lifetimeScore: Int64, gamesPlayed: Int64,
    bestScore: Int64? = nil, isBest: Bool = false, count: Int64, visit: Int64, opensVisit: Bool = false,
    unlocked: WireUnlocked = WireUnlocked(), ads: [AdDecisionAnswer] = [], best: WireEventBest? = nil,
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

  package static var about: String { "What an event came to; a repeat is answered the same." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.")
    fields.required("event", &event, "The event.")
    fields.required("occurred_at", &occurredAt, "When it happened, by the host's clock, as the event said or now.")
    fields.required(
      "simulated_at", &simulatedAt,
      "The same in the player's simulated time: as long before its now, and never before the event or launch that came last.")
    fields.object("scores", "The scores after it.") { fields in
      fields.required("lifetime_score", &lifetimeScore, "The sum of all scores.")
      fields.required("games_played", &gamesPlayed, "How many events carried a score.")
      fields.optional("best_score", &bestScore, "The best of its mode; absent when it carried none.")
      fields.required("is_best", &isBest, "Whether its score is better than the best before; a first score is better than 0.")
    }
    fields.required("count", &count, "How often the event was recorded, with it.")
    fields.object("visit", "The visit it came in.") { fields in
      fields.required("number", &visit, "Counts the player's visits from 1.")
      fields.required("opened", &opensVisit, "Whether the event opened it.")
    }
    fields.required("unlocked", &unlocked, "What it unlocked.")
    fields.required("ads", &ads, "What every placement on the event decided, by placement.", .map(of: AdDecisionAnswer.memberSchema))
    fields.optional("best", &best, "The player's best for what its details say, where the catalog keeps one.")
    fields.whenSet("warnings", &warnings, "Checks that were cut short, and so passed.")
    fields.whenSet("dry_run", &isDryRun, "Whether nothing was changed.")
  }

  /// Its JSON as bytes. A daemon writes it more often than anything else, so its walk is compiled for it alone.
  public var json: [UInt8] { text }
}
