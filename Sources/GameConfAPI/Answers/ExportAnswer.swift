// Every override of a game as a document that people can read and an import accepts.

package import GameConfCore

/// Answer of `GET …/overrides/export`: a document that an import accepts unchanged.
public struct ExportAnswer: WireObject {
  package static let formatVersion: Int64 = 1

  package var game = ""
  package var revision: Int64 = 0
  package var exportedAt = Instant.unread
  package var omitted: [ExportOmission] = []
  private var rows: [ExportRow] = []

  package init() {}

  package init(game: String, revision: Int64, exportedAt: Instant, overrides: [WireOverride]) {
    self.game = game
    self.revision = revision
    self.exportedAt = exportedAt
    rows = overrides.map(ExportRow.init)
  }

  /// Every override that an import can restore.
  package var overrides: [WireOverride] { rows.map(\.record) }

  package static var about: String { "The overrides of a game, as a document that an import accepts unchanged." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.written("gameconf_overrides", .integer(Self.formatVersion), "The format's version.", .schema(Int64.memberSchema))
    fields.required("game", &game, "The game's id.")
    fields.required("revision", &revision, "The game's revision.")
    fields.required("exported_at", &exportedAt, "The time at which it was made.")
    fields.whenSet("omitted", &omitted, "The overrides left out, each with the reason.")
    fields.required("overrides", &rows, "The overrides.")
  }
}

/// An override in an export: a row that an import accepts, with its author and time.
private struct ExportRow: WireObject {
  var key = ""
  var player: String?
  var value = Value.null
  var from: Instant?
  var until: Instant?
  var reason: String?
  var author: String?
  var at = Instant.unread

  init() {}

  init(_ record: WireOverride) {
    key = record.key
    player = record.player
    value = record.value
    from = record.window?.from
    until = record.window?.until
    reason = record.reason
    author = record.author.name ?? record.author.uid.map { "uid \($0)" }
    at = record.at
  }

  var record: WireOverride {
    var window: WireWindow?
    if let from, let until { window = WireWindow(id: nil, from: from, until: until) }
    return WireOverride(
      key: key, player: player, value: value, window: window, author: WireAuthor(uid: nil, name: author), at: at, reason: reason,
      revision: 0)
  }

  static var schemaName: String { ImportRow.schemaName }
  /// The schema of an import's row, which the OpenAPI document uses for the rows of an export too.
  static var shapes: [any WireShape.Type] { [ImportRow.self] }

  static var about: String { ImportRow.about }

  mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("key", &key, "The key.")
    fields.optional("player", &player, "The player; absent for the whole game.", .playersText)
    fields.required("value", &value, "The value.", .parameterValue)
    fields.optional("from", &from, "The beginning of its window.")
    fields.optional("until", &until, "The end of its window; absent if it is permanent.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
    fields.optional("author", &author, "The author.")
    fields.required("at", &at, "The time at which it was set.")
  }
}

/// An override that an export omits because its value is secret or quarantined.
public struct ExportOmission: WireObject, Hashable {
  /// The reason why an export omits an override.
  public enum OmissionReason: String, WireWord {
    /// The override's value is hidden from the caller.
    case secret
    /// The catalog does not admit the override's value, so an import would be refused.
    case quarantined
  }

  package var key = ""
  package var player: String?
  package var because = OmissionReason.secret

  package init() {}

  package init(key: String, player: String? = nil, because: OmissionReason) {
    self.key = key
    self.player = player
    self.because = because
  }

  package static var about: String { "An override that an export leaves out." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("key", &key, "The key.")
    fields.optional("player", &player, "The player; absent for the whole game.", .playersText)
    fields.required("because", &because, "The reason that it is left out.")
  }
}
