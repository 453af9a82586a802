// One override as lists, exports and answers to changes show it.

package import GameConfCore

/// Who did something, as far as the socket knows.
public struct WireAuthor: WireObject {
  package var uid: Int64?
  package var name: String?
  package var pid: Int64?

  package init() {}

  package init(uid: Int64?, name: String?, pid: Int64? = nil) {
    self.uid = uid
    self.name = name
    self.pid = pid
  }

  /// The name that the contract has for it.
  public static var schemaName: String { "Author" }

  package static var about: String { "Who did something." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("uid", &uid, "The user's number; absent for the daemon itself.")
    fields.optional("name", &name, "The user's name, gameconfd for the daemon itself.")
    fields.optional("pid", &pid, "The process, as a hint.")
  }
}

/// From when until when an override holds.
public struct WireWindow: WireObject {
  package var id: String?
  package var from = Instant.unread
  package var until = Instant.unread

  package init() {}

  package init(id: String?, from: Instant, until: Instant) {
    self.id = id
    self.from = from
    self.until = until
  }

  /// The name that the contract has for it.
  public static var schemaName: String { "Window" }

  package static var about: String { "From when until when, the end excluded." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("id", &id, "The window's id.")
    fields.required("from", &from, "The first instant it holds.")
    fields.required("until", &until, "The first instant it no longer holds.")
  }
}

/// One override.
public struct WireOverride: WireObject {
  /// As OpenAPI names it.
  public static var schemaName: String { "OverrideRecord" }

  package var key = ""
  package var player: String?
  package var value = Value.null
  package var window: WireWindow?
  package var author = WireAuthor()
  package var at = Instant.unread
  package var reason: String?
  package var revision: Int64 = 0
  package var quarantined: String?

  package init() {}

  package init(
    key: String, player: String? = nil, value: Value, window: WireWindow? = nil, author: WireAuthor, at: Instant, reason: String? = nil,
    revision: Int64, quarantined: String? = nil
  ) {
    self.key = key
    self.player = player
    self.value = value
    self.window = window
    self.author = author
    self.at = at
    self.reason = reason
    self.revision = revision
    self.quarantined = quarantined
  }

  package static var about: String { "A value an admin forces." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("key", &key, "The key it forces.")
    fields.optional("player", &player, "The player it is for; absent for the whole game.")
    fields.required("value", &value, "The value.")
    fields.optional("window", &window, "When it holds; absent when it stands.")
    fields.required("author", &author, "Who set it.")
    fields.required("at", &at, "When it was set.")
    fields.optional("reason", &reason, "Why, for the audit log.")
    fields.required("revision", &revision, "The revision it was set at.")
    fields.optional("quarantined", &quarantined, "Why it is kept but not served.")
  }
}
