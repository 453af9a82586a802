// The database schema and its migrations, which only go forward, one version at a time.

/// The tables of the database, with the migration from each older version.
struct StoreSchema: Sendable {
  /// The statements that migrate the tables from one version to the next.
  struct SchemaMigration: Sendable {
    let sqlite: [String]
    let postgres: [String]

    static func + (first: SchemaMigration, second: SchemaMigration) -> SchemaMigration {
      SchemaMigration(sqlite: first.sqlite + second.sqlite, postgres: first.postgres + second.postgres)
    }
  }

  /// `gcfd`, the application id in the header of a SQLite file of gameconfd.
  static let applicationID: Int64 = 0x6763_6664

  /// The schema of this version of gameconfd. The first migration step creates version 1 in an empty file.
  ///
  /// A step is final once it is released. It then moves to ``finalOfSQLite`` and ``PostgresTables/steps``, and is never changed.
  static let current = StoreSchema(
    steps: zip(finalOfSQLite, PostgresTables.steps).map(SchemaMigration.init) + [
      AuditRows.sessionColumns + PlayRows.stateColumns + PlayerLineRows.eventColumns
    ])

  /// The SQLite statements of the migration steps that are final because they were released; ``PostgresTables/steps`` has PostgreSQL's.
  static let finalOfSQLite = [
    RevisionRows.tables + OverrideRows.tables + AuditRows.tables + RepeatRows.tables,
    PlayerRows.tables + ClockRows.tables + RepeatRows.playerColumn,
    PlayerRows.revisionColumn,
    TemplateRows.tables,
    PlayerRows.marksColumn,
    PlayerLineRows.tables,
    RepeatRows.sharesColumns,
    BestRows.tables,
    PlayRows.tables,
    CatalogRows.tables,
    ScenarioRows.tables,
    AuditRows.keysTable,
    AuditPackRows.tables,
  ]

  let steps: [SchemaMigration]

  /// The version of the schema that this daemon writes: the number of its steps.
  var version: Int { steps.count }

  /// The kinds of a SQLite file, by its header.
  enum SQLiteFileKind: Equatable {
    case empty
    case ours(version: Int)
    case foreign
  }

  static func kind(of database: SQLiteConnection) throws -> SQLiteFileKind {
    let application = try database.integer("PRAGMA application_id") ?? 0
    let version = Int(try database.integer("PRAGMA user_version") ?? 0)
    if application == applicationID, version > 0 { return .ours(version: version) }
    let count = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    return application == 0 && version == 0 && count == 0 ? .empty : .foreign
  }

  /// Migrates the tables from a version to the current one, in one transaction.
  /// - Parameter report: Called with the number of each statement before it runs, from 1.
  func migrate(_ database: SQLiteConnection, from version: Int, reporting report: (Int) -> Void = { _ in }) throws {
    guard version < self.version else { return }
    try database.execute("BEGIN IMMEDIATE")
    do {
      for (number, statement) in steps[version...].flatMap(\.sqlite).enumerated() {
        report(number + 1)
        try database.execute(statement)
      }
      try database.execute("PRAGMA application_id = \(Self.applicationID)")
      try database.execute("PRAGMA user_version = \(self.version)")
      try database.execute("COMMIT")
    } catch {
      if database.isInsideTransaction { try? database.execute("ROLLBACK") }
      throw error
    }
  }
}

enum StateKinds {
  /// The kinds of state that are served from memory, in the order of loading. All code that loads them, writes them to `last-good.json` or
  /// reads other hosts' changes iterates over this list.
  static let all: [any StateRows.Type] = [RevisionRows.self, OverrideRows.self, TemplateRows.self, ClockRows.self, CatalogRows.self]

  /// The kinds of state that include state of players.
  static let ofPlayers = all.compactMap { $0 as? any PlayerStateRows.Type }

  /// The members of `last-good.json`, in the order of the kinds of state.
  static let lastGood = all.flatMap { $0.lastGood }
}

extension StoredTable {
  /// Every table of the current schema, with the ranges of its columns.
  static let all =
    StateKinds.all.flatMap { $0.storedTables } + PlayerRows.storedTables + PlayerLineRows.storedTables + BestRows.storedTables
    + PlayRows.storedTables + AuditRows.storedTables + AuditPackRows.storedTables + RepeatRows.storedTables + ScenarioRows.storedTables
}

/// A step of the migration of an older database when the daemon starts.
public struct StoreMigration: Sendable, Hashable {
  /// The version before the migration.
  public let from: Int
  /// The version after the migration.
  public let to: Int
  /// The number of the step that begins: 0 for the backup copy, then one for each statement.
  public let step: Int
}
