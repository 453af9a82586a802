// The operations that the tables' code needs of a database: the same code reads and writes rows in SQLite and in PostgreSQL.

/// A database within a transaction, as tables see it.
protocol TableDatabase: AnyObject {
  /// The number of rows that the last statement changed.
  var changesCount: Int { get }
  /// The number that the database gave to the row inserted last.
  var lastInsertedRowID: Int64 { get }

  /// True if one statement may write many rows; elsewhere each row is a statement, and all of them are sent at once.
  var writesManyRows: Bool { get }

  /// Every row of a query.
  func rows(_ statement: Statement, _ arguments: SQLiteArguments) throws -> [Row]
  /// The first row of a query.
  func row(_ statement: Statement, _ arguments: SQLiteArguments) throws -> Row?
  /// Runs a statement.
  func run(_ statement: Statement, _ arguments: SQLiteArguments) throws
  /// Runs a statement of the hot path.
  func run(_ statement: Statement, binding bind: (inout SQLiteStatement) -> Void) throws
  /// Reads a value from each row of a query of the hot path.
  func read<Read>(
    _ statement: Statement, binding bind: (inout SQLiteStatement) -> Void, each read: (RawRow) throws -> Read
  ) throws -> [Read]
  /// Sets, releases or goes back to a place within the transaction.
  func run(_ savepoint: Savepoint) throws

  /// True if lines are numbered one after the other, so that numbers count them.
  var countsLines: Bool { get }
  /// The suffix of the names of numbers that are this daemon's own.
  var ownSuffix: String { get }
  /// The time that was seen passing since the last call.
  /// - Parameter milliseconds: how much this daemon saw.
  func timePassed(_ milliseconds: Int64) throws -> Int64
  /// True if a player's row has this place and revision; nil where only the row itself can say.
  func stands(_ place: PlayerRowPosition, at revision: Int64) -> Bool?
  /// Notes that this transaction has written a player's row.
  func moved(_ place: PlayerRowPosition, to revision: Int64)
}

/// A place within a transaction to which it can go back.
enum Savepoint: Sendable, Hashable {
  case set(String)
  case release(String)
  case goBack(String)

  /// The statement, as both databases take it.
  var sql: String {
    switch self {
    case .set(let name): "SAVEPOINT " + name
    case .release(let name): "RELEASE " + name
    case .goBack(let name): "ROLLBACK TO " + name
    }
  }
}

extension TableDatabase {
  /// Runs a statement without arguments.
  func run(_ statement: Statement) throws { try run(statement, []) }

  /// The integer in the first column of the first row.
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

  func stands(_ place: PlayerRowPosition, at revision: Int64) -> Bool? { nil }

  func moved(_ place: PlayerRowPosition, to revision: Int64) {}
}
