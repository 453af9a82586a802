// The operations that the tables' code needs from a database, so that the same code works on SQLite and PostgreSQL.

/// A database within a transaction, as the tables' code uses it.
protocol TableDatabase: AnyObject {
  /// The number of rows that the last statement changed.
  var changesCount: Int { get }
  /// The row number that the database assigned to the last inserted row.
  var lastInsertedRowID: Int64 { get }

  /// True if multi-row statements are used. Otherwise each row is a statement, and all of them are sent in one batch.
  var writesManyRows: Bool { get }

  /// Returns every row of a query.
  func rows(_ statement: Statement, _ arguments: SQLiteArguments) throws -> [Row]
  /// Returns the first row of a query.
  func row(_ statement: Statement, _ arguments: SQLiteArguments) throws -> Row?
  func run(_ statement: Statement, _ arguments: SQLiteArguments) throws
  /// Runs a statement on the hot path. The closure binds the parameters directly, without an array of arguments.
  func run(_ statement: Statement, binding bind: (inout SQLiteStatement) -> Void) throws
  /// Returns a value decoded from each row of a query on the hot path.
  func read<Read>(
    _ statement: Statement, binding bind: (inout SQLiteStatement) -> Void, each read: (RawRow) throws -> Read
  ) throws -> [Read]
  /// Sets, releases or rolls back to a savepoint.
  func run(_ savepoint: Savepoint) throws

  /// True if the lines of players' histories are numbered without gaps, so that differences of numbers count lines.
  var countsLines: Bool { get }
  /// The suffix of the names in the table `numbers` that belong to this daemon alone; empty for SQLite.
  var ownSuffix: String { get }
  /// Returns the milliseconds that passed since the last call. SQLite uses the daemon's own measurement. PostgreSQL uses its server's
  /// clock, because several daemons call this.
  /// - Parameter milliseconds: The time that this daemon observed.
  func timePassed(_ milliseconds: Int64) throws -> Int64
  /// True if a player's row still has this position and revision; nil if the database does not know without reading the row.
  func isCurrent(_ place: PlayerRowPosition, at revision: Int64) -> Bool?
  /// Records that this transaction has written a player's row, for later calls of ``isCurrent(_:at:)``.
  func moved(_ place: PlayerRowPosition, to revision: Int64)
}

/// A savepoint operation within a transaction.
enum Savepoint: Sendable, Hashable {
  case set(String)
  case release(String)
  case goBack(String)

  /// The SQL of the operation, which SQLite and PostgreSQL share.
  var sql: String {
    switch self {
    case .set(let name): "SAVEPOINT " + name
    case .release(let name): "RELEASE " + name
    case .goBack(let name): "ROLLBACK TO " + name
    }
  }
}

extension TableDatabase {
  func run(_ statement: Statement) throws { try run(statement, []) }

  /// Returns the integer in the first column of the first row.
  func integer(_ statement: Statement, _ arguments: SQLiteArguments = []) throws -> Int64? {
    try row(statement, arguments)?.optionalInteger(0)
  }
}

extension SQLiteConnection: TableDatabase {
  func rows(_ statement: Statement, _ arguments: SQLiteArguments) throws -> [Row] {
    var statement = try cached(statement)
    return try statement.rows(arguments)
  }

  func row(_ statement: Statement, _ arguments: SQLiteArguments) throws -> Row? {
    var statement = try cached(statement)
    return try statement.row(arguments)
  }

  func run(_ statement: Statement, _ arguments: SQLiteArguments) throws {
    var statement = try cached(statement)
    try statement.run(arguments)
  }

  func run(_ statement: Statement, binding bind: (inout SQLiteStatement) -> Void) throws {
    var statement = try cached(statement)
    bind(&statement)
    try statement.run()
  }

  func read<Read>(
    _ statement: Statement, binding bind: (inout SQLiteStatement) -> Void, each read: (RawRow) throws -> Read
  ) throws -> [Read] {
    var statement = try cached(statement)
    return try statement.read(binding: bind, each: read)
  }

  func run(_ savepoint: Savepoint) throws { try run(savepoint.sql) }

  var writesManyRows: Bool { true }

  var countsLines: Bool { true }

  var ownSuffix: String { "" }

  func timePassed(_ milliseconds: Int64) -> Int64 { milliseconds }

  func isCurrent(_ place: PlayerRowPosition, at revision: Int64) -> Bool? { nil }

  func moved(_ place: PlayerRowPosition, to revision: Int64) {}
}
