// The calls with which a client is notified of changes as they happen.

extension Calls {
  package static let watch = Call<NoBody, WatchStream>(
    "watch", .get, "/v1/games/{game}/watch", on: both, query: [.player, .anyLocale, .play, .keys, .watchedValues],
    "The state of a game for one caller, then every change as it happens, as server-sent events or as frames of images.")
  package static let evaluateWatch = Call<EvaluateRequest?, WatchStream>(
    "evaluateWatch", .post, "/v1/games/{game}/watch", on: both, query: [.watchedValues],
    "The state of a game for a context, then every change as it happens.")
  package static let watchAll = Call<NoBody, EventStreamText>(
    "watchAll", .get, "/v1/watch", on: admin,
    "The games, then their changes, new lines of the audit log and problems, as server-sent events.")
}

extension Calls {
  package static let image = Call<NoBody, ImageBytes>(
    "image", .get, "/v1/games/{game}/config/image", on: both, query: [.player, .anyLocale, .play, .keys],
    "Every value of a game for one caller, with the player's themes, entitlements and purchases, as an image.")
  package static let evaluateImage = Call<EvaluateRequest?, ImageBytes>(
    "evaluateImage", .post, "/v1/games/{game}/config/image", on: both,
    "Every value of a game for a context, with the player's themes, entitlements and purchases, as an image.")
}

extension QueryParameter {
  package static let watchedValues = Self("values", .word(["none"]), "“none” sends only the keys, without values.")
}
