// What changes of overrides answer, and lists of them.

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

  package static var about: String { "An override as it stands after the change." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("revision", &revision, "The game's revision at which the override is in force.")
    fields.optional("player_revision", &playerRevision, "The player's revision, for a player's override.")
    fields.whenSet("dry_run", &isDryRun, "Whether nothing was changed.")
    fields.required("override", &override, "The override as it stands now, or would.")
    fields.optional("replaced", &replaced, "The standing override whose place it takes.")
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
      "overrides", &overrides, "The standing ones and the windows: by key, the game's before the players', windows in the order they begin."
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

  package static var about: String { "How many overrides were removed." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("revision", &revision, "The game's revision after it.")
    fields.required("cleared", &cleared, "How many overrides were removed, or would be; each window counts.")
    fields.whenSet("dry_run", &isDryRun, "Whether nothing was changed.")
  }
}
