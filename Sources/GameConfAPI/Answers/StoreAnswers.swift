// What looking at the database and bringing it back answer.

/// Answer of `POST /v1/store/check`.
public struct StoreCheckAnswer: WireObject {
  package var isWhole = false
  package var faults: [String] = []
  package var bytes: Int64?

  package init() {}

  package init(isWhole: Bool, faults: [String] = [], bytes: Int64? = nil) {
    self.isWhole = isWhole
    self.faults = faults
    self.bytes = bytes
  }

  package static var about: String { "Whether the database is whole." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("whole", &isWhole, "Whether the database is whole.")
    fields.required("faults", &faults, "What is wrong, as SQLite says it, at most a hundred lines.")
    fields.optional("bytes", &bytes, "How many bytes the database has.")
  }
}

/// Answer of `POST /v1/store/restore`, given when the restored database is in force.
public struct StoreRestoreAnswer: WireObject {
  package var games: [GameSummary] = []
  package var putAside: String?
  package var isDryRun = false

  package init() {}

  package init(games: [GameSummary], putAside: String? = nil, isDryRun: Bool = false) {
    self.games = games
    self.putAside = putAside
    self.isDryRun = isDryRun
  }

  package static var about: String { "The games after the restore." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("games", &games, "The games and their revisions after it.")
    fields.optional("put_aside", &putAside, "Where the database that stood before was put.")
    fields.whenSet("dry_run", &isDryRun, "Whether nothing was changed.")
  }
}
