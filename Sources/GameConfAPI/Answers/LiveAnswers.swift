// The live view of games' requests: the lines of a live stream, and the latest reads of an override.

package import GameConfCore

package enum LiveLineKind: String, Sendable, Hashable, CaseIterable {
  /// The first line of a live stream, about the host, the player and the number of watchers.
  case start
  /// A line about values that a client read.
  case read
  /// A line about a watcher that was already connected, has connected, was sent a revision, or has disconnected.
  case watch
  /// A line about an image that was sent over the socket, or written to the file that games map.
  case image
  /// A line about an event, or about a launch of the game.
  case event
  /// A line about the decision whether an ad is shown, or about the report of its outcome.
  case ad
  /// A line about a purchase that the simulated store made, delivered or refused.
  case purchase
  /// A line about a refused request, with its HTTP status and code.
  case refusal
  /// A line with the number of lines that were omitted before it.
  case leftOut = "left_out"
}

/// One line of a live stream, about a game's request and the daemon's answer.
public struct LiveLine: WireObject {
  package var at = Instant.unread
  package var kind = ""
  package var game = ""
  package var door: String?
  package var what: String?
  package var reader: String?
  package var uid: Int64?
  package var pid: Int64?
  package var host: String?
  package var player: String?
  package var isUnknownPlayer = false
  package var key: String?
  package var value: Value?
  package var valueBytes: Int64?
  package var source: String?
  package var reason: String?
  package var variant: String?
  package var isMasked = false
  package var revision: Int64?
  package var keys: [String] = []
  package var values: ObjectValue = ObjectValue()
  package var count: Int64?
  package var since: Instant?
  package var event: String?
  package var score: Value?
  package var placement: String?
  package var shows: Bool?
  package var product: String?
  package var outcome: String?
  package var status: Int64?
  package var code: String?
  package var detail: String?

  package init() {}

  package init(_ kind: LiveLineKind, at: Instant, game: String) {
    self.kind = kind.rawValue
    self.at = at
    self.game = game
  }

  package static var about: String { "One line of what games request and are answered." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("at", &at, "The time of the answer, by the host's clock.")
    fields.required("kind", &kind, "The kind of line.", .words(LiveLineKind.self))
    fields.required("game", &game, "The game's id.")
    fields.optional(
      "door", &door, "The way by which it was requested: value, config, watch, ofrep, firebase, revenuecat, image, map or api.")
    fields.optional(
      "what", &what, "Of a watcher: open, began, sent or ended; of an image: sent or written; of the rest, the call's name.")
    fields.optional(
      "reader", &reader,
      "game for a game; admin for the admin socket; or the name of a program of gameconfd's, such as gameconfctl or panel.")
    fields.optional("uid", &uid, "The user of the connection.")
    fields.optional("pid", &pid, "Its process.")
    fields.optional("host", &host, "In the first line: the host whose requests are shown. Other hosts of a shared database have their own.")
    fields.optional("player", &player, "The player.", .playersText)
    fields.whenSet("unknown_player", &isUnknownPlayer, "In the first line: true if no such player is stored yet.")
    fields.optional("key", &key, "The key, if one was requested by its name.")
    fields.optionalOrNull("value", &value, "The value that was answered; null if it is masked.", .parameterValue)
    fields.optional("value_bytes", &valueBytes, "The length of a value that is too long to be shown.")
    fields.optional("source", &source, "The layer that gave the value.")
    fields.optional("reason", &reason, "The reason: of a value in OpenFeature's words, of an ad the rule that refused.")
    fields.optional("variant", &variant, "The variant's name; absent without a variant.")
    fields.whenSet("masked", &isMasked, "True if the value is secret and masked.")
    fields.optional("revision", &revision, "The revision of the value or of the game.")
    fields.whenSet("keys", &keys, "The keys that were requested by name, if several were.", .playersText)
    fields.whenSet("values", &values, "Their values, unless they are long.", .parameterValues)
    fields.optional("count", &count, "The number of values, of watchers in the first line, or of lines that were left out.")
    fields.optional("since", &since, "The time since which a watcher has been there.")
    fields.optional("event", &event, "The event.", .playersText)
    fields.optional("score", &score, "Its score.", .playersText)
    fields.optional("placement", &placement, "The placement of an ad.", .playersText)
    fields.optional("show", &shows, "True if the ad is to be shown.")
    fields.optional("product", &product, "The product of a purchase.", .playersText)
    fields.optional("outcome", &outcome, "The outcome of a purchase, or of an ad as the game reported it.", .playersText)
    fields.optional("status", &status, "The HTTP status of a refusal.")
    fields.optional("code", &code, "The code of a refusal.")
    fields.optional("detail", &detail, "The sentence of a refusal, or further details.", .playersText)
  }

  /// The line in JSON, written without intermediate values by code that is specialized for this type.
  public var json: [UInt8] { text }
}

/// Answer of `GET …/live/sample`: the requests of a game, or of one of its players, within some seconds.
public struct LiveAnswer: WireObject {
  package var game = ""
  package var player: String?
  package var seconds: Int64 = 0
  package var lines: [LiveLine] = []
  package var leftOut: Int64 = 0

  package init() {}

  package init(game: String, player: String?, seconds: Int64) {
    self.game = game
    self.player = player
    self.seconds = seconds
  }

  package static var about: String { "The requests of games within a few seconds." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.optional("player", &player, "The player; absent for all.", .playersText)
    fields.required("seconds", &seconds, "The seconds that were waited.")
    fields.required("lines", &lines, "The lines, oldest first.")
    fields.required("left_out", &leftOut, "The number of lines that were left out, the oldest first.")
  }
}

/// The latest read of an override by a game since the override was set.
public struct OverrideRead: WireObject {
  package var words = ""
  package var at: Instant?
  package var by: String?
  package var watchers: Int64?
  package var revision: Int64?

  package init() {}

  package static var about: String { "Whether a game has requested an override since it was set, as far as this daemon knows." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("words", &words, "The finding in words, such as “read on this host 12 s ago, by key”.")
    fields.optional("at", &at, "The second of the last read; absent without one.")
    fields.optional("by", &by, "key if the key was requested by its name, all if all values were.")
    fields.optional("watchers", &watchers, "The number of watchers that were sent the value and are there.")
    fields.optional("revision", &revision, "The revision that the watchers were sent.")
  }
}
