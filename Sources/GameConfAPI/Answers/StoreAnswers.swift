// The answers to checking and restoring the daemon's database.

package import GameConfCore

/// Answer of `POST /v1/store/check`: the errors that SQLite's integrity check finds in the database.
public struct StoreCheckAnswer: WireObject {
  package var isWhole = false
  package var faults: [String] = []

  package init() {}

  package init(isWhole: Bool, faults: [String] = []) {
    self.isWhole = isWhole
    self.faults = faults
  }

  package static var about: String { "True if the database is whole." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("whole", &isWhole, "True if the database is whole.")
    fields.required("faults", &faults, "The faults in SQLite's words, at most a hundred lines.")
  }
}

/// Answer of `POST /v1/store/restore`. The daemon sends it when the restored database is in use.
public struct StoreRestoreAnswer: WireObject {
  package var games: [GameSummary] = []
  package var putAside: String?
  package var isDryRun = false
  package var newestAt: Instant?
  package var lostAuditLines: Int64?
  package var lostPlayers: Int64?
  package var revisionsRaisedBy: Int64?

  package init() {}

  package init(games: [GameSummary], putAside: String? = nil, isDryRun: Bool = false) {
    self.games = games
    self.putAside = putAside
    self.isDryRun = isDryRun
  }

  package static var about: String { "The games after the restore." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("games", &games, "The games and their revisions after it.")
    fields.optional("put_aside", &putAside, "The path to which the previous database was moved.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
    fields.optional("newest_change_at", &newestAt, "Of a dry run: the newest change in the backup.")
    fields.optional(
      "lost_audit_lines", &lostAuditLines, "Of a dry run: the number of lines of the audit log that the backup does not have.")
    fields.optional("lost_players", &lostPlayers, "Of a dry run: the number of players that are not in the backup, or have changed since.")
    fields.optional(
      "revisions_raised_by", &revisionsRaisedBy,
      "The number by which revisions were raised after the loss of the database, so that one revision never names two values.")
  }
}

/// Answer of `GET /v1/store/copies`: the copies of the database in its folder, newest first.
public struct StoreCopiesAnswer: WireObject {
  package var copies: [WireStoreCopy] = []

  package init() {}

  package init(copies: [WireStoreCopy]) { self.copies = copies }

  package static var about: String { "The databases beside the one in use." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("copies", &copies, "The copies, the newest first.")
  }
}

/// A copy of the database that lies in the folder of the database in use.
public struct WireStoreCopy: WireObject {
  package var name = ""
  package var kind = ""
  package var at: Instant?
  package var bytes: Int64 = 0
  package var path = ""

  package init() {}

  package init(name: String, kind: String, at: Instant?, bytes: Int64, path: String) {
    self.name = name
    self.kind = kind
    self.at = at
    self.bytes = bytes
    self.path = path
  }

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "StoreCopy" }

  package static var about: String { "A database beside the one in use." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("name", &name, "The file's name.")
    fields.required("kind", &kind, "The reason for the copy: damaged, replaced or before-version.")
    fields.optional("at", &at, "The time at which it was made.")
    fields.required("bytes", &bytes, "The size in bytes, its write-ahead log included.")
    fields.required("path", &path, "The path.")
  }
}
