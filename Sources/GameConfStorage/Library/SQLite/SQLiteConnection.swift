// A connection to a database over the system's SQLite, with its prepared statements.
import CSQLite
import GameConfCore
import Synchronization

/// A connection to SQLite. It is unchecked `Sendable`, because one thread uses it at a time, and other threads only call ``interrupt()``.
///
/// ```swift
/// let connection = try SQLiteConnection(path: path, for: .writing)
/// try connection.execute("CREATE TABLE numbers (name TEXT, number INTEGER)")
/// try connection.execute("INSERT INTO numbers VALUES (?, ?)", ["a", 5])
/// let number = try connection.integer("SELECT number FROM numbers")
/// connection.close()
/// ```
final class SQLiteConnection: @unchecked Sendable {
  enum SQLiteOpenMode {
    case reading
    /// Reads a database that has no write-ahead log and to which no process writes (`immutable=1`). SQLite creates no file beside it.
    case looking
    /// Creates the file if it does not exist.
    case writing
    /// Writes to an existing file.
    case writingPresent
  }

  private static let busyMilliseconds: Int32 = 1_000
  private static let backupPages: Int32 = 256

  private static let isSetUp = csqlite_count_no_memory() == SQLITE_OK

  private let handle: OpaquePointer
  /// The prepared forms of the constants of ``Statement``, by ``Statement/index``.
  private var constants: [OpaquePointer?] = []
  /// Other prepared statements, by their SQL. The cache has no limit, because the SQL is gameconfd's own and there is little of it.
  private var prepared: [String: OpaquePointer] = [:]
  private let isOpen = Mutex(true)

  /// Opens a database and reads its schema, which fails for a file that is not a database.
  init(path: String, for purpose: SQLiteOpenMode) throws(DatabaseFailure) {
    // SQLite's own mutex is disabled (`SQLITE_OPEN_NOMUTEX`), because one thread uses the connection at a time.
    let access =
      switch purpose {
      case .reading: SQLITE_OPEN_READONLY
      case .looking: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .writingPresent: SQLITE_OPEN_READWRITE
      }
    var opened: OpaquePointer?
    _ = Self.isSetUp
    let name = purpose == .looking ? "file:" + PercentEncoding.encode(path) + "?immutable=1" : path
    let code = sqlite3_open_v2(name, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let opened else {
      let error = DatabaseFailure(sqlite: code, of: opened)
      sqlite3_close(opened)
      throw error
    }
    handle = opened
    sqlite3_busy_timeout(opened, Self.busyMilliseconds)
    // With these options off, functions in an untrusted schema are not called, and a misspelled column name is an error instead of a
    // string.
    for option in [SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML] { _ = csqlite_set(opened, option, 0) }
    _ = try integer("SELECT count(*) FROM sqlite_schema")
  }

  deinit { close() }

  /// The number of rows that the last statement changed.
  var changesCount: Int { Int(sqlite3_changes(handle)) }

  /// The number of rows that were changed since the connection was opened.
  var totalChangesCount: Int { Int(sqlite3_total_changes(handle)) }

  var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// True if the file could only be opened for reading, although writing was requested.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  var isInsideTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Returns the prepared form of a ``Statement``, which is prepared at its first use.
  func cached(_ statement: Statement) throws(DatabaseFailure) -> SQLiteStatement {
    let index = statement.index
    if index < constants.count, let known = constants[index] { return SQLiteStatement(known) }
    let made = try prepare(statement.sqlite)
    if index >= constants.count { constants += Array(repeating: nil, count: index + 1 - constants.count) }
    constants[index] = made
    return SQLiteStatement(made)
  }

  func cached(_ sql: String) throws(DatabaseFailure) -> SQLiteStatement {
    if let known = prepared[sql] { return SQLiteStatement(known) }
    let made = try prepare(sql)
    prepared[sql] = made
    return SQLiteStatement(made)
  }

  private func prepare(_ sql: String) throws(DatabaseFailure) -> OpaquePointer {
    var sql = sql
    var statement: OpaquePointer?
    let code = sql.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) {
        sqlite3_prepare_v3(handle, $0.baseAddress, Int32($0.count), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
      }
    }
    guard code == SQLITE_OK, let statement else { throw DatabaseFailure(sqlite: code, of: handle) }
    return statement
  }

  /// Runs a statement to its end. Its prepared form is cached by its SQL text.
  func run(_ sql: String, _ arguments: SQLiteArguments = []) throws(DatabaseFailure) {
    var statement = try cached(sql)
    try statement.run(arguments)
  }

  /// Runs SQL without caching the statements.
  func execute(_ sql: String) throws(DatabaseFailure) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseFailure(sqlite: code, of: handle) }
  }

  /// Returns every row of a query.
  func rows(_ sql: String, _ arguments: SQLiteArguments = []) throws(DatabaseFailure) -> [Row] {
    var statement = try cached(sql)
    return try statement.rows(arguments)
  }

  /// Returns the first row of a query.
  func row(_ sql: String, _ arguments: SQLiteArguments = []) throws(DatabaseFailure) -> Row? {
    var statement = try cached(sql)
    return try statement.row(arguments)
  }

  /// Returns a decoded value for each row of a query.
  func read<Read>(_ sql: String, each read: (RawRow) throws -> Read) throws -> [Read] {
    var statement = try cached(sql)
    return try statement.read(binding: { _ in }, each: read)
  }

  /// Returns the integer in the first column of the first row.
  func integer(_ sql: String, _ arguments: SQLiteArguments = []) throws(DatabaseFailure) -> Int64? {
    try row(sql, arguments)?.optionalInteger(0)
  }

  /// Returns the texts in the first column.
  func texts(_ sql: String, _ arguments: SQLiteArguments = []) throws(DatabaseFailure) -> [String] {
    try rows(sql, arguments).compactMap { $0.optionalText(0) }
  }

  /// Checkpoints the write-ahead log and truncates it; fails if a reader needs the log.
  func emptyLog() throws(DatabaseFailure) {
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseFailure(sqlite: code, of: handle) }
  }

  /// Checkpoints as much of the write-ahead log as readers permit, without blocking readers or the writer.
  func takeLog() throws(DatabaseFailure) {
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseFailure(sqlite: code, of: handle) }
  }

  /// Frees the memory of cached pages that are not in use.
  func releaseMemory() { sqlite3_db_release_memory(handle) }

  var cacheBytes: Int {
    var (now, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &now, &highest, 0)
    return Int(now)
  }

  /// Copies a snapshot of the database over another connection's database.
  /// - Parameter mayGoOn: Called before each step of about a mebibyte; false cancels the copy.
  func backup(to target: SQLiteConnection, whileTrue mayGoOn: () -> Bool = { true }) throws(DatabaseFailure) {
    // A read transaction gives the copy one snapshot. Without it, each write by another connection would restart the copy.
    try execute("BEGIN; SELECT count(*) FROM sqlite_schema")
    defer { try? execute("COMMIT") }
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw DatabaseFailure(sqlite: sqlite3_extended_errcode(target.handle), of: target.handle)
    }
    var code = SQLITE_OK
    while code == SQLITE_OK { code = mayGoOn() ? sqlite3_backup_step(backup, Self.backupPages) : SQLITE_INTERRUPT }
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw DatabaseFailure(sqlite: code, String(cString: sqlite3_errstr(code))) }
    guard end == SQLITE_OK else { throw DatabaseFailure(sqlite: end, of: target.handle) }
  }

  /// Interrupts the running statement, from any thread.
  func interrupt() { isOpen.withLock { if $0 { sqlite3_interrupt(handle) } } }

  /// Closes the connection, which must not be used afterwards.
  /// - Parameter leavingLog: True to leave the write-ahead log as it is, even if this is the last connection.
  func close(leavingLog: Bool = false) {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    if leavingLog { _ = csqlite_set(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
    for statement in Array(prepared.values) + constants.compactMap(\.self) { sqlite3_finalize(statement) }
    (prepared, constants) = ([:], [])
    sqlite3_close_v2(handle)
  }
}
