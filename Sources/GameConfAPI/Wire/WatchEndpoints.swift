// The calls that tell of changes as they happen.

extension Endpoints {
  /// The calls that tell of changes.
  public static let watchCalls: [Endpoint] = [watch, evaluateWatch, watchAll]

  private static let values = Endpoint.QueryParameter("values", "none leaves values out; only keys are told then.")

  /// The changes of a game as they happen.
  public static let watch = Endpoint(
    "watch", .get, "/v1/games/{game}/watch", on: both, query: [Query.player, Query.locale, Query.play, Query.keys, values],
    answer: .bytes(mediaType: "text/event-stream"),
    summary: "The state of a game as one caller sees it, then every change as it happens, as server-sent events.")
  /// The changes of a game as they happen, for a context.
  public static let evaluateWatch = Endpoint(
    "evaluateWatch", .post, "/v1/games/{game}/watch", on: both, query: [values], request: .json(EvaluateRequest.self, required: false),
    answer: .bytes(mediaType: "text/event-stream"), summary: "The state of a game for a context, then every change as it happens.")
  /// The daemon as a whole.
  public static let watchAll = Endpoint(
    "watchAll", .get, "/v1/watch", on: admin, answer: .bytes(mediaType: "text/event-stream"),
    summary: "The games, then every change of one, every line of the audit log and what is degraded, as server-sent events.")
}
