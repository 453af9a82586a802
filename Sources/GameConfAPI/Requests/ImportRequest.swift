// A set of overrides that comes in at once; an export is one.

public import GameConfCore

/// One override of a set.
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
    "One override of a set; author, at and quarantined are what an export tells and an import does not look at."
  }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("key", &key, "The key.")
    fields.optional("player", &player, "The player it is for; absent for the whole game.")
    fields.required("value", &value, "The value.")
    fields.optional("from", &from, "When its window begins; absent with until means now.")
    fields.optional("until", &until, "When its window ends; absent when it stands.")
    fields.optional("reason", &reason, "Why, for the audit log; the set's reason when absent.")
    fields.ignored("author", "Who set it, as an export says; not looked at.", .schema(String.memberSchema))
    fields.ignored("at", "When it was set, as an export says; not looked at.", .schema(Instant.memberSchema))
    fields.ignored("quarantined", "Why it was not served, as an export says; not looked at.", .schema(String.memberSchema))
    fields.refuse("until", "a window that has “from” needs “until” too", if: from != nil && until == nil)
  }
}

/// Body of `POST …/overrides/import`: all of it or nothing.
public struct ImportRequest: WireRequest {
  /// What happens to overrides that the set does not name.
  public enum Mode: String, WireWord {
    /// They stay.
    case merge
    /// They go, all of the game's and every player's.
    case replace
  }

  package var mode = Mode.merge
  package var overrides: [ImportRow] = []
  package var reason: String?

  package init() {}

  package init(mode: Mode = .merge, overrides: [ImportRow], reason: String? = nil) {
    self.mode = mode
    self.overrides = overrides
    self.reason = reason
  }

  /// Shown in the documentation.
  public static var example: Value? {
    ["overrides": [["key": "arcade_difficulty_step", "value": 7]], "reason": "settings of the spring event"]
  }

  package static var about: String { "A set of overrides, all or nothing. An export is admitted as it is." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.usual("mode", &mode, "What happens to the others.")
    fields.optional("reason", &reason, "Why, for rows that do not say.")
    fields.required("overrides", &overrides, "The set.")
    fields.ignored("gameconf_overrides", "The format of an export; not looked at.", .schema(Int64.memberSchema))
    fields.ignored("game", "The game an export is of; not looked at.", .schema(String.memberSchema))
    fields.ignored("revision", "The revision an export is of; not looked at.", .schema(Int64.memberSchema))
    fields.ignored("exported_at", "When an export was made; not looked at.", .schema(Instant.memberSchema))
    fields.ignored("omitted", "What an export leaves out; not looked at.")
  }
}

/// Answer of `POST …/overrides/import`.
public struct ImportAnswer: WireObject {
  /// An import of more rows answers their number alone.
  package static let rowsShownMax = 100

  package var game = ""
  package var revision: Int64 = 0
  package var imported: Int64 = 0
  package var removed: Int64 = 0
  package var isDryRun = false
  package var overrides: [WireOverride] = []
  package var replaced: [WireOverride] = []

  package init() {}

  package init(game: String, revision: Int64, imported: Int64, removed: Int64 = 0, isDryRun: Bool = false) {
    self.game = game
    self.revision = revision
    self.imported = imported
    self.removed = removed
    self.isDryRun = isDryRun
  }

  package static var about: String { "How many overrides came in." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("revision", &revision, "The game's revision after it.")
    fields.required("imported", &imported, "How many rows came in, or would.")
    fields.usual("removed", &removed, "How many other overrides went; only with mode replace.")
    fields.whenSet("dry_run", &isDryRun, "Whether nothing was changed.")
    fields.whenSet("overrides", &overrides, "What came in, of an import of at most 100 rows.")
    fields.whenSet("replaced", &replaced, "The standing overrides whose place those take.")
  }
}
