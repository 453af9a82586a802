// The request that imports overrides in one transaction. An export has the same form.

public import GameConfCore

/// One override to import. If the row is from an export, its author and time are ignored.
public struct ImportRow: WireRequest {
  package var key = ""
  package var player: String?
  package var value = Value.null
  package var from: Instant?
  package var until: Instant?
  package var reason: String?

  package init() {}

  package init(
    key: String, player: String? = nil, value: Value, from: Instant? = nil, until: Instant? = nil, reason: String? = nil
  ) {
    self.key = key
    self.player = player
    self.value = value
    self.from = from
    self.until = until
    self.reason = reason
  }

  package static var about: String {
    "One override of a set; an import ignores author, at and quarantined."
  }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("key", &key, "The key.")
    fields.optional("player", &player, "The player; absent for the whole game.")
    fields.required("value", &value, "The value.")
    fields.optional("from", &from, "The beginning of its window; now if only until is given.")
    fields.optional("until", &until, "The end of its window; absent if it is permanent.")
    fields.optional("reason", &reason, "The reason, for the audit log; the set's reason if absent.")
    fields.ignored("author", "The author, from an export; ignored.", .schema(String.memberSchema))
    fields.ignored("at", "The time at which it was set, from an export; ignored.", .schema(Instant.memberSchema))
    fields.ignored("quarantined", "The reason for the quarantine, from an export; ignored.", .schema(String.memberSchema))
    fields.refuse("until", "a window that has “from” needs “until” too", if: from != nil && until == nil)
  }
}

/// Body of `POST …/overrides/import`. The daemon applies all rows or no row.
public struct ImportRequest: WireRequest {
  /// The treatment of stored overrides that the import does not name.
  public enum ImportMode: String, WireWord {
    /// Stored overrides that the import does not name stay.
    case merge
    /// Stored overrides that the import does not name are removed: the game's, and every player's.
    case replace
  }

  package var mode = ImportMode.merge
  package var overrides: [ImportRow] = []
  package var reason: String?

  package init() {}

  package init(mode: ImportMode = .merge, overrides: [ImportRow], reason: String? = nil) {
    self.mode = mode
    self.overrides = overrides
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? {
    ["overrides": [["key": "arcade_difficulty_step", "value": 7]], "reason": "settings of the spring event"]
  }

  package static var about: String { "A set of overrides, applied as a whole or not at all. An export is accepted unchanged." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.usual("mode", &mode, "The effect on the other overrides: merge or replace.")
    fields.optional("reason", &reason, "The reason, for rows without one.")
    fields.required("overrides", &overrides, "The set.")
    fields.ignored("gameconf_overrides", "The format of an export; ignored.", .schema(Int64.memberSchema))
    fields.ignored("game", "The game of an export; ignored.", .schema(String.memberSchema))
    fields.ignored("revision", "The revision of an export; ignored.", .schema(Int64.memberSchema))
    fields.ignored("exported_at", "The time of an export; ignored.", .schema(Instant.memberSchema))
    fields.ignored("omitted", "The omissions of an export; ignored.")
  }
}

/// Answer of `POST …/overrides/import`: the number of imported and of removed overrides. If at most 100
/// overrides were imported, it lists them.
public struct ImportAnswer: WireObject {
  package var game = ""
  package var revision: Int64 = 0
  package var imported: Int64 = 0
  package var removed: Int64 = 0
  package var isDryRun = false
  package var overrides: [WireOverride] = []
  package var replaced: [WireOverride] = []
  package var inForce: [WireInForce] = []

  package init() {}

  package init(game: String, revision: Int64, imported: Int64, removed: Int64 = 0, isDryRun: Bool = false) {
    self.game = game
    self.revision = revision
    self.imported = imported
    self.removed = removed
    self.isDryRun = isDryRun
  }

  package static var about: String { "The result of an import." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("revision", &revision, "The game's revision after the change.")
    fields.required("imported", &imported, "The number of imported rows.")
    fields.usual("removed", &removed, "The number of other overrides removed; only with mode replace.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
    fields.whenSet("overrides", &overrides, "The imported overrides, for at most 100 rows.")
    fields.whenSet("replaced", &replaced, "The permanent overrides that they replace.")
    fields.whenSet("in_force", &inForce, "The values in force after the import, one for each key and player, for at most 100 rows.")
  }
}
