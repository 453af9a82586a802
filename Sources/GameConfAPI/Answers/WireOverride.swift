// One override as it appears in lists, exports and answers to changes.

package import GameConfCore

/// The author of a change, as far as the kernel identifies the user at the other end of the socket.
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

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Author" }

  package static var about: String { "The author of a change." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("uid", &uid, "The user's uid; absent for the daemon itself.")
    fields.optional("name", &name, "The user's name, gameconfd for the daemon itself.")
    fields.optional("pid", &pid, "The process id, as a hint.")
  }
}

/// The time window of an override. At the instant `until` the override no longer holds.
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

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Window" }

  package static var about: String { "A window of time, without its end." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("id", &id, "The window's id.")
    fields.required("from", &from, "The beginning of the window.")
    fields.required("until", &until, "The end of the window; the override no longer holds then.")
  }
}

/// One override, with its author, time window and reason.
public struct WireOverride: WireObject {
  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
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

  package static var about: String { "An override: a value set by an admin." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("key", &key, "The key.")
    fields.optional("player", &player, "The player; absent for the whole game.", .playersText)
    fields.required("value", &value, "The value.", .parameterValue)
    fields.optional("window", &window, "The window; absent if the override is permanent.")
    fields.required("author", &author, "The author.")
    fields.required("at", &at, "The time at which it was set.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
    fields.required("revision", &revision, "The revision at which it was set.")
    fields.optional("quarantined", &quarantined, "The reason that it is in quarantine: stored, not served.", .parameterValue)
  }
}
