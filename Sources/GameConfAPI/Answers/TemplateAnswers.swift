// What is told of a game's template: its versions, and what a change of it does.

package import GameConfCore

/// One version of a template.
public struct TemplateVersion: WireObject {
  package var version: Int64 = 0
  package var origin = ""
  package var rollbackOf: Int64?
  package var author = WireAuthor()
  package var at = Instant.unread
  package var reason: String?

  package init() {}

  package init(version: Int64, origin: String, rollbackOf: Int64?, author: WireAuthor, at: Instant, reason: String?) {
    self.version = version
    self.origin = origin
    self.rollbackOf = rollbackOf
    self.author = author
    self.at = at
    self.reason = reason
  }

  package static var about: String { "A version of a game's template." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("version", &version, "Its number within the game, from 1.")
    fields.required("origin", &origin, "Where it comes from: pushed, file, fetched or rollback.")
    fields.optional("rollback_of", &rollbackOf, "The version that a rollback made current again.")
    fields.required("author", &author, "Who brought it.")
    fields.required("at", &at, "When.")
    fields.optional("reason", &reason, "Why, in the author's words.")
  }
}

/// Answer of `GET …/template/versions`.
public struct TemplateVersionsAnswer: WireObject {
  package var game = ""
  package var active: Int64?
  package var activeSince: Instant?
  package var scheduled: Int64?
  package var scheduledAt: Instant?
  package var versions: [TemplateVersion] = []
  package var unknownKeys: [String] = []
  package var remarks: [TemplateRemark] = []
  package var source: TemplateSourceAnswer?

  package init() {}

  package static var about: String { "The versions of a game's template." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game.")
    fields.optional("active", &active, "The version in force; absent when none is.")
    fields.optional("active_since", &activeSince, "Since when it is in force.")
    fields.optional("scheduled", &scheduled, "The version that comes into force later.")
    fields.optional("scheduled_at", &scheduledAt, "When it does.")
    fields.required("versions", &versions, "The versions, the newest first.")
    fields.usual("unknown_keys", &unknownKeys, "Keys of the version in force that the catalog does not have; kept and not served.")
    fields.usual("remarks", &remarks, "What of the version in force is kept and gives no value.")
    fields.optional("source", &source, "The source that gameconf-fetch reads; absent where it has told of none.")
  }
}

/// A game's template in the daemon's state.
public struct StatusTemplate: WireObject {
  package var version: Int64?
  package var since: Instant?
  package var ageSeconds: Double?
  package var file: String?
  package var source: String?
  package var fetchedAt: Instant?
  package var scheduled: Int64?
  package var scheduledAt: Instant?
  package var wrong: [String] = []

  package init() {}

  package static var about: String { "A game's template: how old it is, where it comes from, and what is wrong with it." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("version", &version, "The version in force; absent when none is.")
    fields.optional("since", &since, "Since when it is in force.")
    fields.optional("age_seconds", &ageSeconds, "For how long it has been in force.")
    fields.optional("file", &file, "The file that templates are read from; absent when they are pushed.")
    fields.optional("source", &source, "What gameconf-fetch reads them from; absent where it has told of none.")
    fields.optional("fetched_at", &fetchedAt, "When gameconf-fetch told last how it found its source.")
    fields.optional("scheduled", &scheduled, "The version that comes into force later.")
    fields.optional("scheduled_at", &scheduledAt, "When it does.")
    fields.usual("wrong", &wrong, "What of it gives no value, and why its file or source is not taken.")
  }
}

/// Something in a template that is kept and gives no value.
public struct TemplateRemark: WireObject {
  package var pointer = ""
  package var message = ""

  package init() {}

  package init(pointer: String, message: String) {
    self.pointer = pointer
    self.message = message
  }

  package static var about: String { "Something in a template that is kept and gives no value." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("pointer", &pointer, "A JSON pointer into the document.")
    fields.required("message", &message, "What it is.")
  }
}

/// A key whose answer a template changes.
public struct TemplateChange: WireObject {
  package var key = ""
  package var before: Value?
  package var after: Value?
  package var source: String?
  package var players: Int64?

  package init() {}

  package init(key: String, before: Value?, after: Value?, source: String?, players: Int64? = nil) {
    self.key = key
    self.before = before
    self.after = after
    self.source = source
    self.players = players
  }

  package static var about: String { "A key whose answer a template may change." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("key", &key, "The key.")
    fields.optional("before", &before, "The value before, for the caller that was named; absent for a secret one.")
    fields.optional("after", &after, "The value after.")
    fields.optional("source", &source, "The layer that gives it after.")
    fields.optional("players", &players, "For how many of the simulated players the value changes; absent where none were asked for.")
  }
}

/// Answer of a change of a template.
public struct TemplateAnswer: WireObject {
  package var game = ""
  package var revision: Int64 = 0
  package var version = TemplateVersion()
  package var active: Int64?
  package var scheduled: Int64?
  package var scheduledAt: Instant?
  package var changes: [TemplateChange] = []
  package var removed: [String] = []
  package var unknownKeys: [String] = []
  package var remarks: [TemplateRemark] = []
  package var quarantined: Int64 = 0
  package var isUnchanged = false
  package var isDryRun = false

  package init() {}

  package static var about: String { "What a change of a game's template did, or would do." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game.")
    fields.required("revision", &revision, "The game's revision.")
    fields.required("version", &version, "The version it is about.")
    fields.optional("active", &active, "The version in force; absent when none is.")
    fields.optional("scheduled", &scheduled, "The version that comes into force later.")
    fields.optional("scheduled_at", &scheduledAt, "When it does.")
    fields.required("changes", &changes, "The keys whose answers may be others now, with the values of the caller that was named.")
    fields.whenSet("removed", &removed, "Keys that had a value in the template before and have none in this one.")
    fields.usual("unknown_keys", &unknownKeys, "Keys that the catalog does not have; kept and not served.")
    fields.usual("remarks", &remarks, "What is kept and gives no value.")
    fields.required("quarantined", &quarantined, "How many overrides no longer fit and went to quarantine.")
    fields.required("unchanged", &isUnchanged, "Whether it is the newest version already, so that nothing was stored.")
    fields.required("dry_run", &isDryRun, "Whether nothing was changed.")
  }
}
