// The answers about a game's template: its versions, and the effects of a change to it.

package import GameConfCore

/// One version of a game's template, without its document.
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
    fields.required("origin", &origin, "The origin: pushed, file, fetched or rollback.")
    fields.optional("rollback_of", &rollbackOf, "The version that a rollback restored.")
    fields.required("author", &author, "The author.")
    fields.required("at", &at, "When.")
    fields.optional("reason", &reason, "The author's reason.")
  }
}

/// Answer of `GET …/template/versions`: the stored versions of the game's template, and which of them is active or scheduled.
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
    fields.optional("active", &active, "The version in force; absent if there is no version in force.")
    fields.optional("active_since", &activeSince, "The time since which it is in force.")
    fields.optional("scheduled", &scheduled, "The scheduled version.")
    fields.optional("scheduled_at", &scheduledAt, "The time at which the scheduled version comes into force.")
    fields.required("versions", &versions, "The versions, the newest first.")
    fields.usual("unknown_keys", &unknownKeys, "Keys of the version in force that the catalog does not have; stored, not served.")
    fields.usual("remarks", &remarks, "Parts of the version in force that are stored and have no effect.")
    fields.optional("source", &source, "The source that gameconf-fetch reads; absent if it has reported no source.")
  }
}

/// A game's template in the daemon's status.
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

  package static var about: String { "The state of a game's template: its age, origin and faults." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("version", &version, "The version in force; absent if there is no version in force.")
    fields.optional("since", &since, "The time since which it is in force.")
    fields.optional("age_seconds", &ageSeconds, "The number of seconds since it came into force.")
    fields.optional("file", &file, "The file that templates are read from; absent when they are pushed.")
    fields.optional("source", &source, "The source that gameconf-fetch reads; absent if it has reported no source.")
    fields.optional("fetched_at", &fetchedAt, "The time of gameconf-fetch's last report about the source.")
    fields.optional("scheduled", &scheduled, "The scheduled version.")
    fields.optional("scheduled_at", &scheduledAt, "The time at which the scheduled version comes into force.")
    fields.usual("wrong", &wrong, "The parts that have no effect, and the reason if its file or source is refused.")
  }
}

/// A remark on a part of a template that is stored but gives no value.
public struct TemplateRemark: WireObject {
  package var pointer = ""
  package var message = ""

  package init() {}

  package init(pointer: String, message: String) {
    self.pointer = pointer
    self.message = message
  }

  package static var about: String { "A part of a template that is stored and has no effect." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("pointer", &pointer, "A JSON pointer into the document.")
    fields.required("message", &message, "The explanation.")
  }
}

/// A key whose value a change to a template may change. `before` is absent if the value is secret.
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
    fields.optional("before", &before, "The value before, for the named player; absent if it is secret.", .parameterValue)
    fields.optional("after", &after, "The value after.", .parameterValue)
    fields.optional("source", &source, "The layer that gives it after.")
    fields.optional("players", &players, "The number of simulated players whose value changes; absent without a simulation.")
  }
}

/// Answer of a change to a template, or of its dry run: the template's version, and the keys whose values may change.
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

  package static var about: String { "The effect of a change of a game's template." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game.")
    fields.required("revision", &revision, "The game's revision.")
    fields.required("version", &version, "The version.")
    fields.optional("active", &active, "The version in force; absent if there is no version in force.")
    fields.optional("scheduled", &scheduled, "The scheduled version.")
    fields.optional("scheduled_at", &scheduledAt, "The time at which the scheduled version comes into force.")
    fields.required("changes", &changes, "The keys whose values may have changed, with the values for the named player.")
    fields.whenSet("removed", &removed, "Keys that had a value in the previous template and have no value in this one.")
    fields.usual("unknown_keys", &unknownKeys, "Keys that the catalog does not have; stored, not served.")
    fields.usual("remarks", &remarks, "Parts of the template that are stored and have no effect.")
    fields.required("quarantined", &quarantined, "The number of overrides that no longer fit and are now in quarantine.")
    fields.required("unchanged", &isUnchanged, "True if it equals the newest version, so that nothing was stored.")
    fields.required("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}
