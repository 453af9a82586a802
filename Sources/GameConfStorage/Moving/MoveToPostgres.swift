// The move from the SQLite database of a state directory to a PostgreSQL schema.
import GameConfCore

struct MoveToPostgres {
  let directory: StateDirectory
  let settings: PostgresSettings

  private let ending = AbandonedDatabase.movedEnding

  func run(isDryRun: Bool, reporting onProgress: @escaping (StoreMoveProgress) -> Void) throws -> StoreMoveReport {
    let file = DatabaseFile(path: directory.databasePath)
    guard (file.identity()?.bytesCount ?? 0) > 0 else {
      throw StoreMoveFault.source("there is no database at \(file.path), so there is nothing to move; is --state-dir the daemon's?")
    }
    let tables = try MoveTable.all()
    let database = isDryRun ? try file.connectReading() : try file.connect()
    defer { database.close() }
    let epoch = try checked(database, file)
    let connection = try PostgresConnection(settings, for: .writing)
    defer { connection.close() }
    let target = PostgresMoveEndpoint(connection)
    let state = try MoveFleet(settings).state(connection)
    try admit(state, epoch, target)
    if !isDryRun { try unpackAudit(database) }
    let rows = RowMover(tables: tables, source: SQLiteMoveEndpoint(database), target: target, onProgress: onProgress)
    let counts = try rows.counts()
    var report = StoreMoveReport(
      tables: counts, from: "SQLite, \(file.path)", to: "PostgreSQL, schema \(settings.schema)", aside: file.path + ending)
    if isDryRun { return report }
    if case .inUse = state {
    } else {
      let schema = PostgresSchema(settings: settings, schema: .current, product: FleetState.moving + epoch)
      _ = try schema.bring(connection, migrating: { _ in })
      try rows.copy(counts, Self.translated, lastCopied: { try target.last(of: $0) }) { rows, _, table in try target.write(rows, to: table)
      }
    }
    try rows.compare(counts, Self.translated) { row, table in table.name != MoveTable.numbers || Self.isCommon(row.cells[0].text ?? "") }
    try finish(target, database, tables)
    database.close()
    report.aside = try leave(file)
    return report
  }

  /// Checks that the SQLite database can be moved, and returns its epoch, by which a resumed move recognizes the store that it began with.
  private func checked(_ database: SQLiteConnection, _ file: DatabaseFile) throws -> String {
    switch try StoreSchema.kind(of: database) {
    case .empty, .foreign: throw StoreMoveFault.source("\(file.path) is not a database of gameconfd's")
    case .ours(let version) where version > StoreSchema.current.version:
      throw StoreMoveFault.source(
        "\(file.path) was written by a newer gameconfd (version \(version), this one knows \(StoreSchema.current.version)); use that version"
      )
    case .ours(let version) where version < StoreSchema.current.version:
      throw StoreMoveFault.source(
        "\(file.path) is of version \(version), and this gameconfd writes \(StoreSchema.current.version): start it once on SQLite, which brings it up to date, and stop it"
      )
    case .ours: break
    }
    if let finding = try database.texts("PRAGMA quick_check(1)").first, finding != "ok" {
      throw StoreMoveFault.source("\(file.path) is damaged (\(finding)); \(DatabaseOpening.advice)")
    }
    let words =
      try SchemaComparison(schema: .current).difference(database, version: StoreSchema.current.version)
      ?? DatabaseInspection(database: database).fault()
    if let words { throw StoreMoveFault.source("\(file.path) has been changed by another program: \(words); \(DatabaseOpening.advice)") }
    guard let epoch = try database.epoch() else {
      throw StoreMoveFault.source("\(file.path) was never served; start gameconfd on PostgreSQL without it")
    }
    return String(UInt64(bitPattern: epoch), radix: 16)
  }

  private func admit(_ state: FleetState, _ epoch: String, _ target: PostgresMoveEndpoint) throws {
    let drop = "name another with store: {schema: …}, or remove it with DROP SCHEMA \(settings.quotedSchema) CASCADE"
    switch state {
    case .absent, .beingMoved(from: epoch): return
    case .beingMoved:
      throw StoreMoveFault.target("the schema \(settings.schema) has an unfinished move of another store; \(drop)")
    case .movedAway: throw StoreMoveFault.target("the schema \(settings.schema) has a store that was moved to SQLite; \(drop)")
    case .inUse(let fleet):
      // An earlier run moved and compared the same store, and no daemon has served it since: only the old database was not renamed.
      let known = try target.integer("SELECT number FROM numbers WHERE name = $1", [.text(RevisionRows.epoch)])
      let isSame = known.map { String(UInt64(bitPattern: $0), radix: 16) } == epoch
      if isSame, try target.integer("SELECT count(*) FROM writers") == 0 { return }
      throw StoreMoveFault.target("the schema \(settings.schema) has the store of the fleet \(fleet) already; \(drop)")
    }
  }

  /// Unpacks the audit lines of large changes, which SQLite stores in packs, because PostgreSQL has a row for each line.
  private func unpackAudit(_ database: SQLiteConnection) throws {
    let transaction = WriteTransaction(database, floors: ReadTransaction.RevisionFloors())
    var last = Int64.min
    while let next = try transaction.unpackAudits(after: last) { last = next }
    if try database.integer("SELECT count(*) FROM audit_packs") ?? 0 > 0 {
      throw StoreMoveFault.source("some lines of the audit log are packed and cannot be read; “gameconfctl store check” names them")
    }
  }

  /// True if the row of this name in the table `numbers` has the same meaning in SQLite and in PostgreSQL.
  static func isCommon(_ name: String) -> Bool {
    !name.hasPrefix(ClockRows.hostSeen) && !PostgresGrammar.ownNumbers.contains { name.hasPrefix($0) }
      && name != PostgresGrammar.passedAt
  }

  private static func translated(_ row: MoveRow, _ table: MoveTable) -> MoveRow? {
    table.name != MoveTable.numbers || isCommon(row.cells[0].text ?? "") ? row : nil
  }

  /// Advances the database's sequences past the copied rows, and marks the schema as a complete store that daemons may serve.
  private func finish(_ target: PostgresMoveEndpoint, _ database: SQLiteConnection, _ tables: [MoveTable]) throws {
    var commands: [PostgresCommand] = []
    for table in tables {
      guard let number = table.number, table.name != PostgresGrammar.lines, table.name != PostgresGrammar.audit else { continue }
      var newest = "SELECT max(\(number)) AS number FROM \(table.quotedName)"
      if table.name == PostgresGrammar.players {
        // A new player must not get the number of a forgotten player whose history lines or bests remain.
        newest += " UNION ALL SELECT max(player) FROM forgotten_lines UNION ALL SELECT max(player) FROM forgotten_players"
      }
      commands.append(
        PostgresCommand(
          "SELECT setval(pg_get_serial_sequence('\(table.name)', '\(number)'), max(number)) FROM (\(newest)) AS newest HAVING max(number) > 0"
        ))
    }
    let sequence = try database.integer("SELECT seq FROM sqlite_sequence WHERE name = ?", [PostgresGrammar.audit]) ?? 0
    commands.append(
      PostgresCommand(
        "INSERT INTO numbers (name, number) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET number = excluded.number",
        [.text(PostgresGrammar.lastNumberName(PostgresGrammar.audit)), .integer(sequence)]))
    commands.append(PostgresGrammar.raiseBase)
    commands.append(PostgresCommand("UPDATE fleet SET product = $1 WHERE one = 1", [.text(PostgresSchema.product)], expects: 1))
    try target.transact(commands)
  }

  /// Renames the old database, so that no daemon opens it by accident.
  private func leave(_ file: DatabaseFile) throws -> String {
    guard let database = AbandonedDatabase(at: directory.path) else {
      throw StoreMoveFault.source("\(file.path) is gone; everything in it was moved")
    }
    return try database.leave(ending: ending)
  }
}

struct MoveFleet {
  let settings: PostgresSettings

  init(_ settings: PostgresSettings) { self.settings = settings }

  func state(_ connection: PostgresConnection) throws -> FleetState {
    let name = PostgresValue.text(settings.schema)
    let tables = try connection.round([
      PostgresCommand(
        """
        SELECT count(*), coalesce(sum(CASE WHEN relname = 'fleet' THEN 1 ELSE 0 END), 0) FROM pg_catalog.pg_class
        JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relkind IN ('r', 'p', 'v', 'm')
        """, [name])
    ]).last
    guard let tables, let count = tables.integer(0, 0), count > 0 else { return .absent }
    let foreign = StoreMoveFault.target(
      "the schema \(settings.schema) has tables that are not gameconfd's; name another one with store: {schema: …}")
    guard tables.integer(0, 1) == 1 else { throw foreign }
    let answer: PostgresResult?
    do {
      answer = try connection.round([PostgresCommand("SELECT product, id, format FROM \(settings.quotedSchema).fleet WHERE one = 1")]).last
    } catch {
      // The table `fleet` is another program's and has other columns.
      throw error.kind == .refused ? foreign : error
    }
    guard let answer, let row = answer.rows.first.map(Row.init), let product = row.optionalText(0), let id = row.optionalText(1) else {
      throw foreign
    }
    if let format = row.optionalInteger(2), format > StoreSchema.current.version {
      throw StoreMoveFault.target(
        "the database was brought to version \(format) by a newer gameconfd, this one knows \(StoreSchema.current.version); use that version"
      )
    }
    switch product {
    case PostgresSchema.product: return .inUse(fleet: id)
    case FleetState.moved: return .movedAway
    case _ where product.hasPrefix(FleetState.moving): return .beingMoved(from: String(product.dropFirst(FleetState.moving.count)))
    default: throw foreign
    }
  }
}
