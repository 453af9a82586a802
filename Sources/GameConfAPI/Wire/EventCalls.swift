// The calls about recorded events: event streams, best scores, leaderboards.

/// A body in the format JSON Lines: one JSON object in each line.
package struct JSONLines: BytesBody {
  package static let content = Endpoint.BodyContent.bytes(mediaType: "application/x-ndjson")
  package init() {}
}

extension Calls {
  private static let gamePath = "/v1/games/{game}"
  private static let path = "/v1/games/{game}/players/{player}"

  package static let eventStream = Call<NoBody, JSONLines>(
    "eventStream", .get, gamePath + "/events", on: admin, query: [.follow, .cursor, .eventsSince], refusals: [410],
    "The events of a game, one JSON object a line, oldest first. Each has a cursor from which a later call can go on.")
  package static let playerEvents = Call<NoBody, PlayerEventsAnswer>(
    "playerEvents", .get, path + "/events", on: both, query: [.event, .eventOrder, .eventsLimit], offers: [.panel, .tool(15)],
    "The events of a player, as many of each name as the catalog says. Analytics events are those in the newest 200 other lines.")
  package static let bests = Call<NoBody, BestsAnswer>(
    "bests", .get, path + "/bests", on: both, query: [.event, .prefix, .bestsLimit, .afterBest], offers: [.panel, .furtherTool],
    "The best scores of a player, by the details that the catalog names.")
  package static let removeBests = Call<NoBody, BestsRemovedAnswer>(
    "removeBests", .delete, path + "/bests", on: both, needs: .tester, changes: .player, query: [.reason, .event, .prefix],
    statuses: [204, 200], "Removes bests of a player; leaderboards do not change. Answers 204, or 200 with the effect for a dry run.")
  package static let leaderboard = Call<NoBody, LeaderboardAnswer>(
    "leaderboard", .get, gamePath + "/leaderboards/{board}", on: both, query: [.boardPlayer, .per, .boardLimit], refusals: [409],
    example: CallExample(["board": "classic"]), offers: [.tool(16)],
    "A leaderboard: the best scores of this store's players, and one player's place.")
  package static let removeBoardRows = Call<NoBody, BoardRowsRemovedAnswer>(
    "removeBoardRows", .delete, path + "/leaderboards/{board}", on: admin, needs: .tester, changes: .player, query: [.reason, .per],
    statuses: [204, 200], example: CallExample(["board": "classic"]),
    "Removes a player's rows from a leaderboard, as after a test. Bests stay. Answers 204, or 200 with the effect for a dry run.")
}

extension QueryParameter {
  package static let follow = Self("follow", .flag, "true to receive every new event as it is recorded.")
  package static let cursor = Self(
    "after",
    "Only events after this cursor; “newest” begins after the newest event. Without it, from the oldest stored event.")
  package static let eventsSince = Self(
    "since", "Only events recorded since an instant, such as 2026-12-01T00:00:00Z, or within a length of time, such as 36h.")
  package static let event = Self("event", "Only bests of this event.")
  package static let eventOrder = Self(
    "sort", .word(["newest", "score"]), "“score” lists the highest score first and leaves out bests without a score; default newest.")
  package static let eventsLimit = Self("limit", .integer(1...1_000, usual: 50), "The maximum number.")
  package static let prefix = Self("prefix", "Only bests whose details begin with this.")
  package static let bestsLimit = Self("limit", .integer(1...1_000, usual: 1_000), "The maximum number.")
  package static let afterBest = Self("after", "Only bests after this one: next_after of the previous page.")
  package static let boardPlayer = Self(
    "player", .player, "The player whose place is added; the list is the one that counts for this player.")
  package static let per = Self("per", "The value of the list, if the board has a list for each value; several values joined by commas.")
  package static let boardLimit = Self("limit", .integer(1...1_000), "The maximum number of rows, up to the catalog's number.")
}
