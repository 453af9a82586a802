// The move from a PostgreSQL schema to the SQLite database of a state directory.
import GameConfCore
import Glibc

struct MoveToSQLite {
  let directory: StateDirectory
  let settings: PostgresSettings

  /// The time since a host last wrote its row in `hosts`, within which the host counts as serving: a minute.
  private static let hostSeenMilliseconds = 60_000

  private var path: String { directory.databasePath + ".moving" }

  func run(isDryRun: Bool, reporting onProgress: @escaping (StoreMoveProgress) -> Void) throws -> StoreMoveReport {
    let file = DatabaseFile(path: directory.databasePath)
    guard (file.identity()?.bytesCount ?? 0) == 0 else {
      throw StoreMoveFault.target("there is a database at \(file.path) already; move it away, or name another folder with --state-dir")
    }
    let tables = try MoveTable.all()
    let connection = try PostgresConnection(settings, for: .writing)
    defer { connection.close() }
    let state = try MoveFleet(settings).state(connection)
    let source = PostgresMoveEndpoint(connection)
    if state == .movedAway { return try placeWhatWasMoved(source, tables, file, isDryRun: isDryRun) }
    try admit(state, source)
    let fence = HostFence(source)
    try fence.raise()
    defer { _ = try? connection.round([PostgresCommand("ROLLBACK")]) }
    let counts = try tables.map { StoreMoveReport.Table(name: $0.name, rows: try source.count(of: $0)) }
    let report = report(counts, file)
    if isDryRun { return report }
    try checkSpace(source, file)
    let epoch = try epoch(source)
    let database = try opened(file, epoch)
    defer { database.close() }
    let target = SQLiteMoveEndpoint(database)
    let translation = try LineRenumbering(source, database)
    let rows = RowMover(tables: tables, source: source, target: target, onProgress: onProgress)
    try rows.copy(counts, translation.translated) { table in
      table.name == PostgresGrammar.lines ? try translation.lastCopied(table) : try target.last(of: table)
    } write: { written, read, table in
      if table.name == PostgresGrammar.lines {
        try translation.copy(read, table, to: target)
      } else {
        try target.write(written, to: table)
      }
    }
    try rows.compare(counts, translation.translated) { _, _ in true }
    try number(database, source)
    if let fault = try DatabaseInspection(database: database).fault() { throw StoreMoveFault.source("the store has \(fault)") }
    try fence.leave(settings)
    try place(database, file)
    return report
  }

  private func report(_ counts: [StoreMoveReport.Table], _ file: DatabaseFile) -> StoreMoveReport {
    StoreMoveReport(
      tables: counts, from: "PostgreSQL, schema \(settings.schema)", to: "SQLite, \(file.path)",
      aside: "the schema \(settings.schema), which no gameconfd serves any more")
  }

  private func admit(_ state: FleetState, _ source: PostgresMoveEndpoint) throws {
    switch state {
    case .absent: throw StoreMoveFault.source("there is no store in the schema \(settings.schema), so there is nothing to move")
    case .beingMoved:
      throw StoreMoveFault.source("a move into the schema \(settings.schema) is unfinished: it is not a complete store")
    case .movedAway, .inUse: break
    }
    let format = try source.integer("SELECT format FROM fleet WHERE one = 1") ?? 0
    guard format == StoreSchema.current.version else {
      throw StoreMoveFault.source(
        "the database is of version \(format), and this gameconfd writes \(StoreSchema.current.version): start one on it once, and stop it")
    }
    let hosts = try source.connection.round([
      PostgresCommand(
        "SELECT name FROM hosts WHERE seen_ms > (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT - $1::BIGINT ORDER BY name",
        [.integer(Int64(Self.hostSeenMilliseconds))])
    ]).last
    let names = (hosts?.rows ?? []).compactMap { Row($0).optionalText(0) }
    guard names.isEmpty else {
      throw StoreMoveFault.source(
        "hosts of the fleet were seen within the last minute: \(names.joined(separator: ", ")); stop gameconfd there, and begin a minute later"
      )
    }
  }

  private func epoch(_ source: PostgresMoveEndpoint) throws -> Int64 {
    guard let epoch = try source.integer("SELECT number FROM numbers WHERE name = $1", [.text(RevisionRows.epoch)]) else {
      throw StoreMoveFault.source("the schema \(settings.schema) has no epoch: it is not a complete store")
    }
    return epoch
  }

  private func checkSpace(_ source: PostgresMoveEndpoint, _ file: DatabaseFile) throws {
    let bytes = try source.integer(
      """
      SELECT coalesce(sum(pg_table_size(pg_class.oid)), 0)::BIGINT FROM pg_catalog.pg_class
      JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relkind = 'r'
      """, [.text(settings.schema)])
    if let bytes, let free = file.bytesFree, free < UInt64(max(0, bytes)) {
      throw StoreMoveFault.target("\(file.folder) has \(free >> 20) MiB free, and the store takes about \(bytes >> 20)")
    }
  }

  /// Opens the target database, new or from an interrupted move.
  private func opened(_ file: DatabaseFile, _ epoch: Int64) throws -> SQLiteConnection {
    let moving = DatabaseFile(path: path)
    if moving.identity() == nil { try moving.create() }
    let database = try moving.connect()
    do {
      try database.execute("PRAGMA journal_mode = WAL")
      switch try StoreSchema.kind(of: database) {
      case .empty:
        try StoreSchema.current.migrate(database, from: 0)
      case .ours(let version) where version == StoreSchema.current.version: break
      case .ours, .foreign: throw StoreMoveFault.target("\(path) does not belong to this gameconfd; remove it, and begin again")
      }
      try LineRenumbering.prepare(database, epoch)
      let begun = try database.row("SELECT epoch FROM moving")?.anyInteger(0)
      guard begun == epoch else {
        throw StoreMoveFault.target("\(path) has an unfinished move of another store; remove it, and begin again")
      }
      return database
    } catch {
      database.close()
      throw error
    }
  }

  /// Advances the sequence of audit lines past the copied ones, and stores the highest player revision of all hosts as the store's.
  private func number(_ database: SQLiteConnection, _ source: PostgresMoveEndpoint) throws {
    let last = try source.integer(
      "SELECT number FROM numbers WHERE name = $1", [.text(PostgresGrammar.lastNumberName(PostgresGrammar.audit))])
    let playerMax = try source.integer("SELECT coalesce(max(player_max), 0) FROM writers") ?? 0
    try database.execute("BEGIN IMMEDIATE; DELETE FROM sqlite_sequence WHERE name = '\(PostgresGrammar.audit)'")
    try database.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [PostgresGrammar.audit, last ?? 0])
    try database.run(
      "INSERT INTO numbers (name, number) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET number = max(number, ?2)",
      [RevisionRows.playerMax, playerMax])
    try database.execute("COMMIT")
  }

  /// Renames the finished database to the path that a daemon opens.
  private func place(_ database: SQLiteConnection, _ file: DatabaseFile) throws {
    try LineRenumbering.clear(database)
    try database.emptyLog()
    database.close()
    var status = stat()
    // The daemon may run as another user than the move. Under systemd, the state directory is a link to a folder that the daemon's user
    // owns.
    if geteuid() == 0, stat(file.folder, &status) == 0 { chown(path, status.st_uid, status.st_gid) }
    guard rename(path, file.path) == 0 else { throw Files.fault(errno, path, "cannot be renamed") }
    try Files.syncDirectory(of: file.path)
  }

  /// Completes a move that was committed in PostgreSQL but interrupted before the new database was renamed.
  private func placeWhatWasMoved(
    _ source: PostgresMoveEndpoint, _ tables: [MoveTable], _ file: DatabaseFile, isDryRun: Bool
  ) throws -> StoreMoveReport {
    let moving = DatabaseFile(path: path)
    guard moving.identity() != nil else {
      throw StoreMoveFault.source("the store in the schema \(settings.schema) was moved to SQLite already")
    }
    let database = try moving.connect()
    defer { database.close() }
    guard try database.epoch() == (try epoch(source)) else {
      throw StoreMoveFault.target("\(path) is not the store that was moved out of the schema \(settings.schema)")
    }
    let report = report(try tables.map { StoreMoveReport.Table(name: $0.name, rows: try SQLiteMoveEndpoint(database).count(of: $0)) }, file)
    if !isDryRun { try place(database, file) }
    return report
  }
}

/// Renumbers players' history lines without gaps, because a single host's store counts lines by the difference of their numbers.
///
/// The newest line keeps its number, and each earlier one has the next lower number. A client that follows the stream from an old number
/// misses no line: at least as many lines are above that number as before. It may receive some lines twice.
final class LineRenumbering {
  private let database: SQLiteConnection
  private let first: Int64

  /// Creates the tables that map line numbers and identify the move.
  static func prepare(_ database: SQLiteConnection, _ epoch: Int64) throws {
    guard try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'moving'") == 0 else { return }
    try database.execute(
      """
      BEGIN IMMEDIATE; CREATE TABLE moving_lines (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
      CREATE TABLE moving (epoch INTEGER NOT NULL); INSERT INTO moving (epoch) VALUES (\(epoch)); COMMIT
      """)
  }

  /// Drops the tables that ``prepare(_:_:)`` created.
  static func clear(_ database: SQLiteConnection) throws {
    try database.execute("BEGIN IMMEDIATE; DROP TABLE IF EXISTS moving_lines; DROP TABLE IF EXISTS moving; COMMIT")
  }

  init(_ source: PostgresMoveEndpoint, _ database: SQLiteConnection) throws {
    self.database = database
    let newest = try source.integer("SELECT coalesce(max(number), 0) FROM player_lines") ?? 0
    first = newest - (try source.integer("SELECT count(*) FROM player_lines") ?? 0) + 1
  }

  /// Returns the source row of the line that was copied last, with its key only; nil if no line was copied yet.
  func lastCopied(_ table: MoveTable) throws -> MoveRow? {
    guard let old = try database.integer("SELECT max(old) FROM moving_lines") else { return nil }
    // The caller only reads the row's key.
    return MoveRow(cells: table.columns.indices.map { table.key.contains($0) ? .integer(old) : .null })
  }

  /// Copies history lines with their new numbers, and records each old number with the new one.
  func copy(_ lines: [MoveRow], _ table: MoveTable, to target: SQLiteMoveEndpoint) throws {
    var next = try database.integer("SELECT max(new) FROM moving_lines").map { $0 + 1 } ?? first
    try database.execute("SAVEPOINT lines")
    do {
      for line in lines {
        try database.run("INSERT INTO moving_lines (old, new) VALUES (?, ?)", [line.key(of: table).first?.integer, next])
        next += 1
      }
      for line in lines {
        guard let row = try translated(line, table) else { continue }
        try target.insert(row, into: table)
      }
      try database.execute("RELEASE lines")
    } catch {
      try? database.execute("ROLLBACK TO lines; RELEASE lines")
      throw error
    }
  }

  /// Returns a row as SQLite has it; nil for a row that only PostgreSQL has.
  func translated(_ row: MoveRow, _ table: MoveTable) throws -> MoveRow? {
    var row = row
    switch table.name {
    case MoveTable.numbers: return try number(row)
    case PostgresGrammar.lines:
      // These columns have line numbers. The number of a line that retention has removed becomes null.
      for name in ["number", "prior", "event_prior"] {
        if let place = table.place(of: name) { row.cells[place] = try new(row.cells[place]) }
      }
    case PostgresGrammar.players:
      if let head = table.place(of: "head") { row.cells[head] = try new(row.cells[head]) }
      try renumber(&row, table)
    case "forgotten_lines":
      guard let head = table.place(of: "head") else { return row }
      row.cells[head] = try new(row.cells[head])
      try renumber(&row, table)
      let isEmpty = table.place(of: "events").map { [StoredCell.null, .blob([])].contains(row.cells[$0]) } ?? true
      if row.cells[head] == .null {
        if isEmpty { return nil }
        row.cells[head] = .integer(0)
      }
    default: break
    }
    return row
  }

  /// Renumbers the heads of a player's linked lists of history lines, one list for each event. If they cannot be decoded, they are copied
  /// unchanged and reported when they are read.
  private func renumber(_ row: inout MoveRow, _ table: MoveTable) throws {
    guard let place = table.place(of: "events"), case .blob(let bytes) = row.cells[place], var events = try? EventChains(bytes: bytes)
    else {
      return
    }
    try events.replaceHeads { try new(.integer($0)).integer }
    row.cells[place] = .blob(events.bytes)
  }

  private func new(_ cell: StoredCell) throws -> StoredCell {
    guard let old = cell.integer else { return cell }
    return try database.integer("SELECT new FROM moving_lines WHERE old = ?", [old]).map(StoredCell.integer) ?? .null
  }

  private func number(_ row: MoveRow) throws -> MoveRow? {
    guard let name = row.cells.first?.text, MoveToPostgres.isCommon(name) else { return nil }
    guard [StreamRows.tailName, PlayerLineRows.passedName].contains(name), let old = row.cells[1].integer else { return row }
    // These two positions are line numbers, and the lines have new numbers now.
    let passed = try database.integer("SELECT max(new) FROM moving_lines WHERE old <= ?", [old])
    return MoveRow(cells: [row.cells[0], .integer(passed ?? first - 1)])
  }
}
