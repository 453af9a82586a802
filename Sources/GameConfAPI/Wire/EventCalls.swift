// The calls about what events leave behind: streams, bests, leaderboards.

/// Lines of JSON, each an object.
package struct JSONLines: BytesBody {
  package static let content = Endpoint.Content.bytes(mediaType: "application/x-ndjson")
  package init() {}
}

extension Calls {
  private static let gamePath = "/v1/games/{game}"
  private static let path = "/v1/games/{game}/players/{player}"

  package static let eventStream = Call<NoBody, JSONLines>(
    "eventStream", .get, gamePath + "/events", on: admin, query: [.follow, .cursor, .eventsSince],
    "Every event of a game, one JSON object a line, the oldest first; each has the cursor after which a later call goes on.")
  package static let playerEvents = Call<NoBody, PlayerEventsAnswer>(
    "playerEvents", .get, path + "/events", on: both, query: [.event, .eventOrder, .eventsLimit],
    "The player's events, as many of each name as the catalog keeps; analytics events are those among the newest 200 lines of the history.")
  package static let bests = Call<NoBody, BestsAnswer>(
    "bests", .get, path + "/bests", on: both, query: [.event, .prefix, .bestsLimit, .afterBest],
    "The best score of a player for each value of the details that the catalog keeps bests by.")
  package static let removeBests = Call<NoBody, BestsRemovedAnswer>(
    "removeBests", .delete, path + "/bests", on: both, needs: .tester, changes: .player, query: [.reason, .event, .prefix],
    statuses: [204, 200], "Removes bests of a player; 204, and 200 with what would go for a dry run. Leaderboards keep what they have.")
  package static let leaderboard = Call<NoBody, LeaderboardAnswer>(
    "leaderboard", .get, gamePath + "/leaderboards/{board}", on: both, query: [.boardPlayer, .per, .boardLimit],
    example: CallExample(["board": "classic"]),
    "The best scores of all players of this store, with where one player stands.")
}

extension QueryParameter {
  package static let follow = Self("follow", .flag, "true goes on with every event as it is recorded.")
  package static let cursor = Self(
    "after",
    "Only events after the one that had this cursor; newest begins after the newest; without it from the oldest that is kept.")
  package static let eventsSince = Self(
    "since", "Only events recorded from that instant on, like 2026-12-01T00:00:00Z, or from so long ago on, like 36h.")
  package static let event = Self("event", "Only those of that event.")
  package static let eventOrder = Self(
    "sort", .word(["newest", "score"]), "score lists the highest score first and leaves out what carries none; newest unless said.")
  package static let eventsLimit = Self("limit", .integer(1...1_000, usual: 50), "At most so many.")
  package static let prefix = Self("prefix", "Only those whose details begin so.")
  package static let bestsLimit = Self("limit", .integer(1...1_000, usual: 1_000), "At most so many.")
  package static let afterBest = Self("after", "Only those that follow this one: the next_after of the page before.")
  package static let boardPlayer = Self("player", .player, "Whose place is wanted too; the list is the one that counts for this player.")
  package static let per = Self("per", "The value whose list is wanted, where the board has one for each.")
  package static let boardLimit = Self("limit", .integer(1...1_000), "At most so many rows; never more than the catalog says.")
}
