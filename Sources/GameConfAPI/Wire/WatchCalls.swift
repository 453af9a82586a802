// The calls that tell of changes as they happen.

extension Calls {
  package static let watch = Call<NoBody, EventStreamText>(
    "watch", .get, "/v1/games/{game}/watch", on: both, query: [.player, .anyLocale, .play, .keys, .watchedValues],
    "The state of a game as one caller sees it, then every change as it happens, as server-sent events.")
  package static let evaluateWatch = Call<EvaluateRequest?, EventStreamText>(
    "evaluateWatch", .post, "/v1/games/{game}/watch", on: both, query: [.watchedValues],
    "The state of a game for a context, then every change as it happens.")
  package static let watchAll = Call<NoBody, EventStreamText>(
    "watchAll", .get, "/v1/watch", on: admin,
    "The games, then every change of one, every line of the audit log and what is degraded, as server-sent events.")
}

extension QueryParameter {
  package static let watchedValues = Self("values", .word(["none"]), "none leaves values out; only keys are told then.")
}
