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

  package init() {}

  package init(
    id: Int64, at: Instant, author: WireAuthor, action: String, game: String? = nil, key: String? = nil, player: String? = nil,
    window: String? = nil, before: Value? = nil, after: Value? = nil, detail: ObjectValue = ObjectValue(), reason: String? = nil,
    revision: Int64? = nil,
    revertedBy: Int64? = nil, reverts: Int64? = nil
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
    fields.optional("reverts", &reverts, "The entry it took back.")
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
