// What the tables' code asks of a database: the same code reads and writes rows in SQLite and in PostgreSQL.
import GameConfEngine

/// A database within a transaction, as tables see it. The words of a query are SQLite's; where the database is another, it translates them.
protocol TableDatabase: AnyObject {
  /// How many rows the last statement changed.
  var changesCount: Int { get }
  /// The number that the database gave to the row inserted last.
  var lastInsertedRowID: Int64 { get }

  /// Whether one statement may write many rows; elsewhere each row is a statement, and all of them are sent at once.
  var writesManyRows: Bool { get }

  /// Every row of a query.
  func rows(_ sql: String, _ arguments: SQLiteArguments) throws -> [Row]
  /// The first row of a query.
  func row(_ sql: String, _ arguments: SQLiteArguments) throws -> Row?
  /// Runs a statement.
  func run(_ sql: String, _ arguments: SQLiteArguments) throws
  /// Runs a statement of which nobody asks how many rows it changed, so that a database that is far away need not be waited for.
  func runUncounted(_ sql: String, _ arguments: SQLiteArguments) throws
  /// Runs a statement of the hot path.
  /// - Parameter isCertain: whether it is known that it changes exactly one row.
  func run(_ sql: String, isCertain: Bool, binding bind: (inout SQLiteStatement) -> Void) throws
  /// What is made of each row of a query of the hot path.
  func read<Read>(_ sql: String, binding bind: (inout SQLiteStatement) -> Void, each read: (RawRow) throws -> Read) throws -> [Read]

  /// The words that begin a query over a player's newest lines; see ``LineRows``.
  var newestLines: String { get }
  /// What the numbers of lines must be below beside, so that no line with a lower number comes later; see ``StreamRows``.
  var linesBound: String { get }
  /// Whether lines are numbered one after the other, so that numbers tell how many there are.
  var countsLines: Bool { get }
  /// What is added to the names of numbers that are this daemon's own.
  var ownSuffix: String { get }
  /// How much time was seen passing since this was last asked.
  /// - Parameter milliseconds: how much this daemon saw.
  func timePassed(_ milliseconds: Int64) throws -> Int64
  /// Whether a player's row has this place and revision; nil where only the row itself can tell.
  func stands(_ place: PlayerPlace, at revision: Int64) -> Bool?
  /// Notes that this transaction has written a player's row.
  func moved(_ place: PlayerPlace, to revision: Int64)
}

extension TableDatabase {
  /// Runs a statement without arguments.
  func run(_ sql: String) throws { try run(sql, []) }

  /// The integer in the first column of the first row.
  func integer(_ sql: String, _ arguments: SQLiteArguments = []) throws -> Int64? { try row(sql, arguments)?.optionalInteger(0) }
}

extension SQLiteConnection: TableDatabase {
  func runUncounted(_ sql: String, _ arguments: SQLiteArguments) throws { try run(sql, arguments) }

  func run(_ sql: String, isCertain: Bool, binding bind: (inout SQLiteStatement) -> Void) throws {
    var statement = try cached(sql)
    bind(&statement)
    try statement.run()
  }

  func read<Read>(_ sql: String, binding bind: (inout SQLiteStatement) -> Void, each read: (RawRow) throws -> Read) throws -> [Read] {
    var statement = try cached(sql)
    bind(&statement)
    defer { statement.reset() }
    var found: [Read] = []
    while let row = try statement.next() { found.append(try read(row)) }
    return found
  }

  var writesManyRows: Bool { true }

  var newestLines: String { LineRows.newest }

  var linesBound: String { "" }

  var countsLines: Bool { true }

  var ownSuffix: String { "" }

  func timePassed(_ milliseconds: Int64) -> Int64 { milliseconds }

  func stands(_ place: PlayerPlace, at revision: Int64) -> Bool? { nil }

  func moved(_ place: PlayerPlace, to revision: Int64) {}
}
