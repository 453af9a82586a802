// The list of a game's players, page by page.

package import GameConfCore

/// A summary of one player: revision, times and scores, without settings and history.
public struct PlayerSummary: WireObject {
  package var player = ""
  package var playerRevision: Int64 = 0
  package var createdAt: Instant?
  package var changedAt: Instant?
  package var lifetimeScore: Int64 = 0
  package var gamesPlayed: Int64 = 0
  package var visits: Int64 = 0
  package var isUnreadable = false

  package init() {}

  package init(
    player: String, playerRevision: Int64, createdAt: Instant? = nil, changedAt: Instant? = nil, lifetimeScore: Int64, gamesPlayed: Int64,
    visits: Int64, isUnreadable: Bool = false
  ) {
    self.player = player
    self.playerRevision = playerRevision
    self.createdAt = createdAt
    self.changedAt = changedAt
    self.lifetimeScore = lifetimeScore
    self.gamesPlayed = gamesPlayed
    self.visits = visits
    self.isUnreadable = isUnreadable
  }

  package static var about: String { "A summary of a player." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player", &player, "The player's id.", .playersText)
    fields.required("player_revision", &playerRevision, "The player's revision.")
    fields.optional(
      "created_at", &createdAt, "The time of the first event, setting or the like; absent for a player with purchases only.")
    fields.optional("changed_at", &changedAt, "The time of the last of those.")
    fields.required("lifetime_score", &lifetimeScore, "The sum of all scores.")
    fields.required("games_played", &gamesPlayed, "The number of events with a score.")
    fields.required("visits", &visits, "The number of visits.")
    fields.whenSet("unreadable", &isUnreadable, "True if the stored player cannot be read; the numbers are zeros then.")
  }
}

/// Answer of `GET …/players`: one page of the players with stored rows, ordered by id.
public struct PlayersList: WireObject {
  package var game = ""
  package var players: [PlayerSummary] = []
  package var nextAfter: String?

  package init() {}

  package init(game: String, players: [PlayerSummary], nextAfter: String? = nil) {
    self.game = game
    self.players = players
    self.nextAfter = nextAfter
  }

  package static var about: String { "The known players, by id." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("players", &players, "The players, by id.")
    fields.optional("next_after", &nextAfter, "The value of “after” for the next page; absent on the last page.", .playersText)
  }
}
