// The tables: which there are, and their versions, forward only and one step after the other.

/// The tables of the database, with the steps from each older version.
struct StoreSchema: Sendable {
  /// The statements that bring the tables from a version to the next.
  struct Step: Sendable {
    let sqlite: [String]
    let postgres: [String]

    /// Both steps as one.
    static func + (first: Step, second: Step) -> Step {
      Step(sqlite: first.sqlite + second.sqlite, postgres: first.postgres + second.postgres)
    }
  }

  /// `gcfd`, by which a file is known as ours.
  static let applicationID: Int64 = 0x6763_6664

  /// The steps, the first from an empty file to version 1.
  ///
  /// A step is final once a version with it is released. It then moves to ``finalOfSQLite`` and ``PostgresTables/steps``, and is never changed.
  static let current = StoreSchema(
    steps: zip(finalOfSQLite, PostgresTables.steps).map(Step.init) + [
      AuditRows.sessionColumns + PlayRows.stateColumns + PlayerLineRows.eventColumns
    ])

  /// The statements of the final steps; ``PostgresTables/steps`` has PostgreSQL's.
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

  let steps: [Step]

  /// The version this daemon writes.
  var version: Int { steps.count }

  /// The kinds of a file, as it says.
  enum Kind: Equatable {
    case empty
    case ours(version: Int)
    case foreign
  }

  static func kind(of database: SQLiteConnection) throws -> Kind {
    let application = try database.integer("PRAGMA application_id") ?? 0
    let version = Int(try database.integer("PRAGMA user_version") ?? 0)
    if application == applicationID, version > 0 { return .ours(version: version) }
    let count = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    return application == 0 && version == 0 && count == 0 ? .empty : .foreign
  }

  /// Brings the tables from a version to the present one, in one transaction.
  /// - Parameter tell: called with the number of each statement before it runs, from 1.
  func migrate(_ database: SQLiteConnection, from version: Int, telling tell: (Int) -> Void = { _ in }) throws {
    guard version < self.version else { return }
    try database.execute("BEGIN IMMEDIATE")
    do {
      for (number, statement) in steps[version...].flatMap(\.sqlite).enumerated() {
        tell(number + 1)
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

/// Every kind of state that is served.
enum StateKinds {
  /// The kinds, in order. They are loaded, written to `last-good.json`, and read for other hosts' changes in it.
  static let all: [any StateRows.Type] = [RevisionRows.self, OverrideRows.self, TemplateRows.self, ClockRows.self, CatalogRows.self]

  /// Those that have something of players.
  static let ofPlayers = all.compactMap { $0 as? any PlayerStateRows.Type }

  /// The members of `last-good.json`, in order.
  static let lastGood = all.flatMap { $0.lastGood }
}

extension StoredTable {
  /// The tables of the present schema.
  static let all =
    StateKinds.all.flatMap { $0.storedTables } + PlayerRows.storedTables + PlayerLineRows.storedTables + BestRows.storedTables
    + PlayRows.storedTables + AuditRows.storedTables + AuditPackRows.storedTables + RepeatRows.storedTables + ScenarioRows.storedTables
}

/// A step by which an older database is brought up to date at the start.
public struct StoreMigration: Sendable, Hashable {
  /// The version it is of.
  public let from: Int
  /// The version it is brought to.
  public let to: Int
  /// The step that begins: 0 for the copy that is made first, then one for each statement.
  public let step: Int
}
