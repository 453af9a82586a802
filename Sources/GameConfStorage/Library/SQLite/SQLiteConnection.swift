// A connection to a database over the system's SQLite, with the statements it has prepared.
import CSQLite
import GameConfCore
import Synchronization

/// One connection; unchecked, since one thread uses it at a time, and only ``interrupt()`` is called by others meanwhile.
///
/// ```swift
/// let connection = try SQLiteConnection(path: path, for: .writing)
/// try connection.execute("CREATE TABLE numbers (name TEXT, number INTEGER)")
/// try connection.execute("INSERT INTO numbers VALUES (?, ?)", ["a", 5])
/// let number = try connection.integer("SELECT number FROM numbers")
/// connection.close()
/// ```
final class SQLiteConnection: @unchecked Sendable {
  enum Purpose {
    case reading
    /// Reads a file that no log lies beside and nobody writes: no file is made for it.
    case looking
    /// Makes the file where there is none.
    case writing
    /// Writes a file that is there.
    case writingPresent
  }

  private static let busyMilliseconds: Int32 = 1_000
  private static let backupPages: Int32 = 256

  private static let isSetUp = csqlite_count_no_memory() == SQLITE_OK

  private let handle: OpaquePointer
  /// Statements of the tables' code, by their indices.
  private var constants: [OpaquePointer?] = []
  /// Others, by their text; the texts are ours and few.
  private var prepared: [String: OpaquePointer] = [:]
  private let isOpen = Mutex(true)

  /// Opens a database, and reads its beginning: a file that is none is refused here.
  init(path: String, for purpose: Purpose) throws(DatabaseFailure) {
    // A connection needs no locks of its own: one thread uses it at a time.
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
    // What a foreign file's schema says is not run, and a mistyped name is an error instead of a text.
    for option in [SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML] { _ = csqlite_set(opened, option, 0) }
    _ = try integer("SELECT count(*) FROM sqlite_schema")
  }

  deinit { close() }

  /// The number of rows that the last statement changed.
  var changesCount: Int { Int(sqlite3_changes(handle)) }

  /// The number of rows that were changed since the connection was opened.
  var totalChangesCount: Int { Int(sqlite3_total_changes(handle)) }

  var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// True if the file could be opened for reading only, whatever it was opened for.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  var isInsideTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// A statement of the tables' code, prepared when it is first used.
  func cached(_ statement: Statement) throws(DatabaseFailure) -> SQLiteStatement {
    let index = statement.index
    if index < constants.count, let known = constants[index] { return SQLiteStatement(known) }
    let made = try prepare(statement.sqlite)
    if index >= constants.count { constants += Array(repeating: nil, count: index + 1 - constants.count) }
    constants[index] = made
    return SQLiteStatement(made)
  }

  /// A statement that is kept prepared.
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

  /// Runs a statement that is kept prepared.
  func run(_ sql: String, _ arguments: SQLiteArguments = []) throws(DatabaseFailure) {
    var statement = try cached(sql)
    try statement.run(arguments)
  }

  /// Runs statements that are not kept, one after the other.
  func execute(_ sql: String) throws(DatabaseFailure) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseFailure(sqlite: code, of: handle) }
  }

  /// Every row of a query.
  func rows(_ sql: String, _ arguments: SQLiteArguments = []) throws(DatabaseFailure) -> [Row] {
    var statement = try cached(sql)
    return try statement.rows(arguments)
  }

  /// The first row of a query.
  func row(_ sql: String, _ arguments: SQLiteArguments = []) throws(DatabaseFailure) -> Row? {
    var statement = try cached(sql)
    return try statement.row(arguments)
  }

  /// Returns the values made of each row of a query.
  func read<Read>(_ sql: String, each read: (RawRow) throws -> Read) throws -> [Read] {
    var statement = try cached(sql)
    return try statement.read(binding: { _ in }, each: read)
  }

  /// The integer in the first column of the first row.
  func integer(_ sql: String, _ arguments: SQLiteArguments = []) throws(DatabaseFailure) -> Int64? {
    try row(sql, arguments)?.optionalInteger(0)
  }

  /// The texts in the first column.
  func texts(_ sql: String, _ arguments: SQLiteArguments = []) throws(DatabaseFailure) -> [String] {
    try rows(sql, arguments).compactMap { $0.optionalText(0) }
  }

  /// Takes the write-ahead log into the database and cuts it to nothing, where nobody reads.
  func emptyLog() throws(DatabaseFailure) {
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseFailure(sqlite: code, of: handle) }
  }

  /// Takes the write-ahead log into the database, as far as nobody reads what was there before; others read and write meanwhile.
  func takeLog() throws(DatabaseFailure) {
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseFailure(sqlite: code, of: handle) }
  }

  /// Gives back the memory of pages that nobody reads or writes at the moment.
  func releaseMemory() { sqlite3_db_release_memory(handle) }

  /// The number of bytes of pages it keeps.
  var cacheBytes: Int {
    var (now, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &now, &highest, 0)
    return Int(now)
  }

  /// Copies everything, as it is now, over what another connection's database holds.
  /// - Parameter mayGoOn: asked before each piece of a mebibyte or so.
  func backup(to target: SQLiteConnection, whileTrue mayGoOn: () -> Bool = { true }) throws(DatabaseFailure) {
    // A reader's transaction keeps what others write meanwhile out of the copy; without it the copy would begin anew each time.
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

  /// Breaks off what runs, from any thread.
  func interrupt() { isOpen.withLock { if $0 { sqlite3_interrupt(handle) } } }

  /// Ends the connection; nothing may be asked of it afterwards.
  /// - Parameter leavingLog: whether the write-ahead log stays as it is, also when this is the last connection.
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
