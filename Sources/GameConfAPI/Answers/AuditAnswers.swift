// The rows of the audit log. A row has the author of a change, its values, time and reason.

package import GameConfCore

/// One row of the audit log. All games of a daemon share one sequence of rising ids.
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
    fields.required("id", &id, "The line's number; it rises with every line of the daemon's log.")
    fields.required("at", &at, "The time of the change; for the edge of a window, the edge.")
    fields.required("author", &author, "The author.")
    fields.required("action", &action, "The action: override.set, override.window.add, catalog.accept, …")
    fields.optional("game", &game, "The game; absent for a change of the whole daemon.")
    fields.optional("key", &key, "The key; absent if the change is not about one.")
    fields.optional("player", &player, "The player; absent if the change is not about one.", .playersText)
    fields.optional("window", &window, "The window's id; absent if the change is not about one.")
    fields.optional("before", &before, "The value before; absent if there was no value.", .changedValue)
    fields.optional("after", &after, "The value after; absent if there is no value.", .changedValue)
    fields.whenSet("detail", &detail, "Further details by name: an event, a placement, how much was removed.", .playersText)
    fields.optional("reason", &reason, "The author's reason.")
    fields.optional("revision", &revision, "The game's revision after the change.")
    fields.optional("reverted_by", &revertedBy, "The entry that reverted this one.")
    fields.optional("reverts", &reverts, "The entry that this one reverted; of several, the oldest.")
    fields.optional("session", &session, "The session, as the author's client named it.")
  }
}

/// Answer of `GET …/audit`: rows of the audit log, newest first.
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
    fields.optional("next_before", &nextBefore, "The value of “before” for the next page; absent on the last page.")
  }
}

/// Answer of a call that reverts one change, and of its dry run: the new row of the audit log, and the game's revision afterwards.
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

  package static var about: String { "The entry that reverts a change." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("revision", &revision, "The game's revision after the change.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
    fields.required("entry", &entry, "The new entry; its id is 0 in a dry run.")
  }
}

/// A change that is not reverted although a call reverts several changes, with the reason.
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

  package static var about: String { "A change that cannot be reverted with the others." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("entry", &entry, "The entry of the change.")
    fields.required("code", &code, "The reason that it stays, as a problem's code.")
    fields.required("detail", &detail, "The reason that it stays, and what to do instead.")
  }
}

/// Answer of a call that reverts several changes, and of its dry run: the new rows of the audit log, and the changes that are not reverted.
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

  package static var about: String { "The entries that revert changes, and the changes that stay." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("revision", &revision, "The game's revision after the change.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
    fields.required("left", &left, "The changes that stay, newest first.")
    fields.required("entries", &entries, "The new entries, one for each key; their ids are 0 in a dry run.")
  }
}
