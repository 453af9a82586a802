// The values in a game that differ from its catalog, with their authors, times, reasons and ends.

package import GameConfCore

/// One value or state that differs from the game's catalog, with its author, time, reason and end.
public struct ChangedThing: WireObject {
  package var what = ""
  package var key: String?
  package var player: String?
  package var value: Value?
  package var isInForce = true
  package var author: WireAuthor?
  package var at: Instant?
  package var reason: String?
  package var from: Instant?
  package var until: Instant?
  package var detail: String?
  package var scenario: WireScenario?
  package var read: OverrideRead?

  package init() {}

  package init(_ what: String, key: String? = nil, player: String? = nil, value: Value? = nil, detail: String? = nil) {
    self.what = what
    self.key = key
    self.player = player
    self.value = value
    self.detail = detail
  }

  package static var about: String { "One difference from the catalog." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required(
      "what", &what, "The kind: override, clock, template, drop_in, behaviour, ad_force, or the audit log's action that made it.")
    fields.optional("key", &key, "The key, the placement or the transaction; absent for anything else.")
    fields.optional("player", &player, "The player; absent if it is not about one.", .playersText)
    fields.optionalOrNull("value", &value, "The current value; null if it is hidden from the caller.", .changedValue)
    fields.required("in_force", &isInForce, "True if it is in force now; a permanent override is not during a window.")
    fields.optional("author", &author, "The author; absent if unknown.")
    fields.optional("at", &at, "The time of the change.")
    fields.optional("reason", &reason, "The author's reason.")
    fields.optional("from", &from, "The beginning; absent if it is permanent.")
    fields.optional("until", &until, "The end; absent if it is permanent.")
    fields.optional("detail", &detail, "Further details, in words.")
    fields.optional("scenario", &scenario, "The scenario that made the change and reverts it at its end.")
    fields.optional("read", &read, "Of an override in force: whether a game has requested it; in no ETag.")
  }
}

/// Answer of `GET …/changes` and `GET …/players/{player}/changes`: the differences of a game or of one player from the catalog.
public struct ChangesAnswer: WireObject {
  package var game = ""
  package var player: String?
  package var revision: Int64 = 0
  package var changes: [ChangedThing] = []
  package var playerOverrides: Int64 = 0

  package init() {}

  package init(game: String, player: String? = nil, revision: Int64, changes: [ChangedThing], playerOverrides: Int64 = 0) {
    self.game = game
    self.player = player
    self.revision = revision
    self.changes = changes
    self.playerOverrides = playerOverrides
  }

  package static var about: String { "The differences from the catalog, for a game or for one player." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.optional("player", &player, "The player; absent for the whole game.", .playersText)
    fields.required("revision", &revision, "The game's revision.")
    fields.required("changes", &changes, "The differences, overrides by key first.")
    fields.usual(
      "player_overrides", &playerOverrides, "Of a game: the number of players' overrides that are not listed; players=all lists them.")
  }
}
