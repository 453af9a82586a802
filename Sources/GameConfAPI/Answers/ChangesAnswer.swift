// What is other than the catalog has it, by whom, since when, why and until when.

package import GameConfCore

/// One thing that is changed.
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

  package init() {}

  package init(_ what: String, key: String? = nil, player: String? = nil, value: Value? = nil, detail: String? = nil) {
    self.what = what
    self.key = key
    self.player = player
    self.value = value
    self.detail = detail
  }

  package static var about: String { "One thing that is other than the catalog has it." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required(
      "what", &what, "What it is: override, clock, template, drop_in, behaviour, ad_force, or the action of the audit log that made it.")
    fields.optional("key", &key, "The key, the placement or the transaction, where it is about one.")
    fields.optional("player", &player, "The player, where it is about one.")
    fields.optionalOrNull("value", &value, "What stands there now; null where it is hidden from the caller.")
    fields.required("in_force", &isInForce, "Whether it is in force now: a standing override is not while a window holds.")
    fields.optional("author", &author, "Who did it, where that is known.")
    fields.optional("at", &at, "When it was done.")
    fields.optional("reason", &reason, "Why, as the author said.")
    fields.optional("from", &from, "When it begins, or began, where it is for a time.")
    fields.optional("until", &until, "Until when, where it is for a time.")
    fields.optional("detail", &detail, "What else is to be known, in words.")
    fields.optional("scenario", &scenario, "The scenario that did it, and takes it back at its end.")
  }
}

/// Answer of `GET …/changes` and `GET p/changes`.
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

  package static var about: String { "Everything that is other than the catalog has it, for a game or for one player of it." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.optional("player", &player, "The player; absent for the game.")
    fields.required("revision", &revision, "The game's revision.")
    fields.required("changes", &changes, "What is changed: overrides by key first.")
    fields.usual(
      "player_overrides", &playerOverrides, "Of a game: how many overrides of players there are besides; players=all lists them too.")
  }
}
