// The best scores of a player, leaderboards, and a player's recorded events.

public import GameConfCore

extension EventBest: WireObject {
  package init() { self.init(detail: "", score: nil, isBest: false) }

  package static var about: String { "A player's best score for a value of an event's details." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("detail", &detail, "The values of the details, joined by points.", .playersText)
    fields.optional("score", &score, "The best score; absent if the event has no score.")
    fields.required("is_best", &isBest, "True if this event made the best score.")
  }
}

extension StoredBest: WireObject {
  package init() { self.init(event: "", detail: "", score: nil, at: .unread) }

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Best" }

  package static var about: String { "A best of a player." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("event", &event, "The event.")
    fields.required("detail", &detail, "The values of the details, joined by points.", .playersText)
    fields.optional("score", &score, "The best score; absent if the event has no score.")
    fields.required("at", &at, "The time at which it was made, by the host's clock.")
  }
}

/// Answer of `GET …/players/{player}/bests`: one page of the player's best scores, ordered by event and detail.
public struct BestsAnswer: WireObject {
  package var game = ""
  package var player = ""
  package var bests: [StoredBest] = []
  package var nextAfter: String?

  package init() {}

  package init(game: String, player: String, bests: [StoredBest], nextAfter: String? = nil) {
    self.game = game
    self.player = player
    self.bests = bests
    self.nextAfter = nextAfter
  }

  package static var about: String { "The bests of a player, by event and detail." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.required("bests", &bests, "The bests, in the order of their bytes.")
    fields.optional("next_after", &nextAfter, "The value of “after” for the next page; absent on the last page.", .playersText)
  }
}

/// Answer of a dry run of `DELETE …/players/{player}/bests`: the number of best scores that would be removed.
public struct BestsRemovedAnswer: WireObject {
  package var playerRevision: Int64 = 0
  package var removed: Int64 = 0
  package var isDryRun = false

  package init() {}

  package init(playerRevision: Int64, removed: Int64, isDryRun: Bool = false) {
    self.playerRevision = playerRevision
    self.removed = removed
    self.isDryRun = isDryRun
  }

  package static var about: String { "The bests that are removed." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player_revision", &playerRevision, "The player's revision after the change.")
    fields.required("removed", &removed, "The number of bests.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}

/// Answer of a dry run of `DELETE …/players/{player}/leaderboards/{board}`: the number of rows that would be removed.
public struct BoardRowsRemovedAnswer: WireObject {
  package var playerRevision: Int64 = 0
  package var removed: Int64 = 0
  package var isDryRun = false

  package init() {}

  package init(playerRevision: Int64, removed: Int64, isDryRun: Bool = false) {
    self.playerRevision = playerRevision
    self.removed = removed
    self.isDryRun = isDryRun
  }

  package static var about: String { "The rows of a leaderboard that are removed." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player_revision", &playerRevision, "The player's revision after the change.")
    fields.required("removed", &removed, "The number of rows: one for each list of the board.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}

/// One player's rank and score on a leaderboard.
public struct LeaderboardRow: WireObject {
  package var rank: Int64 = 0
  package var player = ""
  package var score: Int64 = 0
  package var at = Instant.unread

  package init() {}

  package init(rank: Int64, player: String, score: Int64, at: Instant) {
    self.rank = rank
    self.player = player
    self.score = score
    self.at = at
  }

  package static var about: String { "A row of a leaderboard." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("rank", &rank, "The place, from 1.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.required("score", &score, "The player's best score.")
    fields.required("at", &at, "The time at which it was made, by the host's clock; of equal scores the earlier is first.")
  }
}

/// A player's rank on a leaderboard, counted from 1. Beyond rank 10000 it is only a lower bound.
public struct LeaderboardStanding: WireObject {
  package var player = ""
  package var rank: Int64?
  package var rankAtLeast: Int64?
  package var score: Int64 = 0
  package var at = Instant.unread

  package init() {}

  package init(player: String, rank: Int64?, rankAtLeast: Int64?, score: Int64, at: Instant) {
    self.player = player
    self.rank = rank
    self.rankAtLeast = rankAtLeast
    self.score = score
    self.at = at
  }

  package static var about: String { "A player's place on a leaderboard." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player", &player, "The player's id.", .playersText)
    fields.optional("rank", &rank, "The place, from 1; absent beyond 10000.")
    fields.optional(
      "rank_at_least", &rankAtLeast, "A lower bound of the place, at most 60 s old, if it is not counted exactly.")
    fields.required("score", &score, "The player's best score.")
    fields.required("at", &at, "The time at which it was made, by the host's clock.")
  }
}

/// Answer of `GET …/leaderboards/{board}`: the highest scores, and the rank of the requested player. A leaderboard may have several lists,
/// such as one for each day; then the answer is about one of them.
public struct LeaderboardAnswer: WireObject {
  package var game = ""
  package var board = ""
  package var event = ""
  package var mode: String?
  package var per: String?
  package var parameters: [String]?
  package var rows: [LeaderboardRow] = []
  package var standing: LeaderboardStanding?

  package init() {}

  package init(
    game: String, board: String, event: String, mode: String? = nil, per: String? = nil, parameters: [String]? = nil,
    rows: [LeaderboardRow],
    standing: LeaderboardStanding? = nil
  ) {
    self.game = game
    self.board = board
    self.event = event
    self.mode = mode
    self.per = per
    self.parameters = parameters
    self.rows = rows
    self.standing = standing
  }

  package static var about: String { "A leaderboard: the best scores of this store's players." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("board", &board, "The board's id.")
    fields.required("event", &event, "The event whose scores count.")
    fields.optional("mode", &mode, "The mode whose scores count; absent for all modes.")
    fields.optional(
      "per", &per, "The value of this list, if the board has a list for each value; several values joined by commas.", .playersText)
    fields.optional("parameters", &parameters, "The parameters whose values “per” has, in its order; absent for one.")
    fields.required("rows", &rows, "The first rows.")
    fields.optional("standing", &standing, "The place of the requested player; absent without a score.")
  }
}

/// Answer of `GET …/players/{player}/events`: the events among the newest lines of the player's history.
public struct PlayerEventsAnswer: WireObject {
  package var game = ""
  package var player = ""
  package var events: [HistoryLine] = []

  package init() {}

  package init(game: String, player: String, events: [HistoryLine]) {
    self.game = game
    self.player = player
    self.events = events
  }

  package static var about: String { "The events in the newest lines of a player's history." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.required("events", &events, "The events.")
  }
}
