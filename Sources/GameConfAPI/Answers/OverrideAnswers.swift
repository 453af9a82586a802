// The answers of changes of overrides, and lists of them.

/// Answer of a PUT of an override, of a release, and of a dry run of either.
public struct OverrideAnswer: WireObject {
  package var game = ""
  package var revision: Int64 = 0
  package var playerRevision: Int64?
  package var isDryRun = false
  package var override = WireOverride()
  package var replaced: WireOverride?

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
    fields.optional("replaced", &replaced, "The permanent override that it replaces.")
  }
}

/// Answer of the lists of overrides, of one key's too.
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

/// Answer of clear and of a dry run of removing.
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
