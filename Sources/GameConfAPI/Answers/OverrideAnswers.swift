// The answers to changes of overrides, and lists of overrides.

package import GameConfCore

/// Answer of the calls that set or release one override, and of their dry runs.
public struct OverrideAnswer: WireObject {
  package var game = ""
  package var revision: Int64 = 0
  package var playerRevision: Int64?
  package var isDryRun = false
  package var override = WireOverride()
  package var replaced: WireOverride?
  package var inForce: WireInForce?

  package init() {}

  package init(
    game: String, revision: Int64, playerRevision: Int64? = nil, isDryRun: Bool = false, override: WireOverride,
    replaced: WireOverride? = nil
  ) {
    self.game = game
    self.revision = revision
    self.playerRevision = playerRevision
    self.isDryRun = isDryRun
    self.override = override
    self.replaced = replaced
  }

  package static var about: String { "An override after the change." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("revision", &revision, "The game's revision at which the override is in force.")
    fields.optional("player_revision", &playerRevision, "The player's revision, for a player's override.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
    fields.required("override", &override, "The override after the change.")
    fields.optional("replaced", &replaced, "The override that it replaces: the permanent one, or the window's with its value before.")
    fields.optional("in_force", &inForce, "The value in force after the change, from the same transaction.")
  }
}

/// The value that a game or a player gets after a change of overrides.
public struct WireInForce: WireObject {
  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "ValueInForce" }

  package var key = ""
  package var player: String?
  package var value = Value.null
  package var isMasked = false
  package var source = ""
  package var window: WireWindow?
  package var author: WireAuthor?
  package var until: Instant?
  package var why = ""

  package init() {}

  package init(key: String, player: String? = nil, value: Value, source: String, why: String) {
    self.key = key
    self.player = player
    self.value = value
    self.source = source
    self.why = why
  }

  package static var about: String { "The value that the game or the player gets after a change of overrides." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("key", &key, "The key.")
    fields.optional("player", &player, "The player; absent for the whole game.", .playersText)
    fields.required("value", &value, "The value, in every language where it has several; null if it is masked.", .parameterValue)
    fields.whenSet("masked", &isMasked, "True if the value is secret and masked.")
    fields.required("source", &source, "The layer that gives the value.", .words(Layer.self))
    fields.optional("window", &window, "The window that gives the value; absent without one.")
    fields.optional("author", &author, "The author of the override that gives the value; absent if another layer does.")
    fields.optional("until", &until, "The next time at which a window begins or ends there; absent without windows.")
    fields.required("why", &why, "The reason that this layer gives the value.", .parameterValue)
  }
}

/// Answer of the calls that list overrides, of all keys or of one, at one revision.
public struct OverrideList: WireObject {
  package var game = ""
  package var revision: Int64 = 0
  package var overrides: [WireOverride] = []

  package init() {}

  package init(game: String, revision: Int64, overrides: [WireOverride]) {
    self.game = game
    self.revision = revision
    self.overrides = overrides
  }

  package static var about: String { "Overrides." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("revision", &revision, "The game's revision.")
    fields.required(
      "overrides", &overrides, "Permanent overrides and windows: by key, the game's before the players', windows by their beginning."
    )
  }
}

/// Answer of the call that clears overrides, and of the dry run of a removal: the number of overrides that are removed, or would be.
public struct ClearAnswer: WireObject {
  package var game = ""
  package var revision: Int64 = 0
  package var cleared: Int64 = 0
  package var isDryRun = false

  package init() {}

  package init(game: String, revision: Int64, cleared: Int64, isDryRun: Bool = false) {
    self.game = game
    self.revision = revision
    self.cleared = cleared
    self.isDryRun = isDryRun
  }

  package static var about: String { "The number of overrides removed." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("revision", &revision, "The game's revision after the change.")
    fields.required("cleared", &cleared, "The number of overrides removed; each window counts.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}
