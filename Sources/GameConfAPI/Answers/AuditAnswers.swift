// Who changed what, when, from what to what, and why.

package import GameConfCore

/// One line of the audit log.
public struct AuditEntry: WireObject {
  package var id: Int64 = 0
  package var at = Instant.unread
  package var author = WireAuthor()
  package var action = ""
  package var game: String?
  package var key: String?
  package var player: String?
  package var window: String?
  package var before: Value?
  package var after: Value?
  package var detail = ObjectValue()
  package var reason: String?
  package var revision: Int64?
  package var revertedBy: Int64?
  package var reverts: Int64?
  package var session: String?

  package init() {}

  package init(
    id: Int64, at: Instant, author: WireAuthor, action: String, game: String? = nil, key: String? = nil, player: String? = nil,
    window: String? = nil, before: Value? = nil, after: Value? = nil, detail: ObjectValue = ObjectValue(), reason: String? = nil,
    revision: Int64? = nil,
    revertedBy: Int64? = nil, reverts: Int64? = nil, session: String? = nil
  ) {
    self.id = id
    self.at = at
    self.author = author
    self.action = action
    self.game = game
    self.key = key
    self.player = player
    self.window = window
    self.before = before
    self.after = after
    self.detail = detail
    self.reason = reason
    self.revision = revision
    self.revertedBy = revertedBy
    self.reverts = reverts
    self.session = session
  }

  package static var about: String { "One line of the audit log." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("id", &id, "Rises with every line of the daemon's whole log.")
    fields.required("at", &at, "When it was done; for the edge of a window, the edge.")
    fields.required("author", &author, "Who did it.")
    fields.required("action", &action, "What was done: override.set, override.window.add, catalog.accept, …")
    fields.optional("game", &game, "The game; absent for what is the whole daemon's.")
    fields.optional("key", &key, "The key, when it is about one.")
    fields.optional("player", &player, "The player, when it is about one.")
    fields.optional("window", &window, "The id of the window, when it is about one.")
    fields.optional("before", &before, "What stood before; absent when nothing did.")
    fields.optional("after", &after, "What stands after; absent when nothing does.")
    fields.whenSet("detail", &detail, "What else is to be known, by name: an event, a placement, how much was removed.")
    fields.optional("reason", &reason, "Why, as the author said.")
    fields.optional("revision", &revision, "The game's revision it made.")
    fields.optional("reverted_by", &revertedBy, "The entry that took it back.")
    fields.optional("reverts", &reverts, "The entry it took back; of several the oldest.")
    fields.optional("session", &session, "The session that the author's client said it was part of, as a hint.")
  }
}

/// Answer of `GET …/audit`: newest first.
public struct AuditList: WireObject {
  package var entries: [AuditEntry] = []
  package var nextBefore: Int64?

  package init() {}

  package init(entries: [AuditEntry], nextBefore: Int64? = nil) {
    self.entries = entries
    self.nextBefore = nextBefore
  }

  package static var about: String { "A page of the audit log, newest first." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("entries", &entries, "The entries, newest first.")
    fields.optional("next_before", &nextBefore, "What before must be for the next page; absent on the last.")
  }
}

/// Answer of a revert and of its dry run.
public struct RevertAnswer: WireObject {
  package var revision: Int64 = 0
  package var entry = AuditEntry()
  package var isDryRun = false

  package init() {}

  package init(revision: Int64, entry: AuditEntry, isDryRun: Bool = false) {
    self.revision = revision
    self.entry = entry
    self.isDryRun = isDryRun
  }

  package static var about: String { "What took a change back." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("revision", &revision, "The game's revision after it.")
    fields.whenSet("dry_run", &isDryRun, "Whether nothing was changed.")
    fields.required("entry", &entry, "The entry that was made, or would be; its id is 0 in a dry run.")
  }
}

/// A change that stays when others are taken back.
public struct SkippedChange: WireObject {
  package var entry = AuditEntry()
  package var code = ""
  package var detail = ""

  package init() {}

  package init(entry: AuditEntry, code: String, detail: String) {
    self.entry = entry
    self.code = code
    self.detail = detail
  }

  package static var about: String { "A change that stays when others are taken back." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("entry", &entry, "The entry of the change.")
    fields.required("code", &code, "Why it stays, as the code of a problem.")
    fields.required("detail", &detail, "Why it stays, and what to do instead.")
  }
}

/// Answer of a revert of many changes and of its dry run.
public struct RevertManyAnswer: WireObject {
  package var game = ""
  package var revision: Int64 = 0
  package var isDryRun = false
  package var left: [SkippedChange] = []
  package var entries: [AuditEntry] = []

  package init() {}

  package init(game: String, revision: Int64, left: [SkippedChange] = [], entries: [AuditEntry], isDryRun: Bool = false) {
    self.game = game
    self.revision = revision
    self.left = left
    self.entries = entries
    self.isDryRun = isDryRun
  }

  package static var about: String { "What took changes back, and which changes stay." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("revision", &revision, "The game's revision after it.")
    fields.whenSet("dry_run", &isDryRun, "Whether nothing was changed.")
    fields.required("left", &left, "The changes that stay, newest first.")
    fields.required("entries", &entries, "The entries that were made, one for each key, or would be; their ids are 0 in a dry run.")
  }
}
