// The transaction type through which use cases read the tables' rows.
import GameConfCore

/// The read operations of a database transaction, and the base class of ``WriteTransaction``. An instance is valid on one thread until the
/// transaction ends.
///
/// An extension in the file of each table's rows, such as `OverrideRows.swift`, adds the reads of that table.
package class ReadTransaction {
  let database: any TableDatabase
  let floors: RevisionFloors
  private let notes: (UnreadableRow) -> Void
  /// The first failure of the database within this transaction; nil if there was no failure. A transaction with a failure is rolled back.
  private(set) var failure: DatabaseFailure?

  /// The lower bounds of revisions. A row with a lower revision is read as if it had the bound, so that a served revision is not assigned
  /// again.
  struct RevisionFloors: Sendable {
    var revisions: [String: Int64] = [:]
    var players: Int64 = 0
  }

  /// - Parameter notes: Called with each unreadable row.
  init(_ database: any TableDatabase, floors: RevisionFloors, noting notes: @escaping (UnreadableRow) -> Void = { _ in }) {
    self.database = database
    self.floors = floors
    self.notes = notes
  }

  func rows(_ statement: Statement, _ arguments: SQLiteArguments = []) throws(StoreError) -> [Row] {
    try attempting { try database.rows(statement, arguments) }
  }

  /// Returns the first row of a query.
  func row(_ statement: Statement, _ arguments: SQLiteArguments = []) throws(StoreError) -> Row? {
    try attempting { try database.row(statement, arguments) }
  }

  /// Runs a statement.
  /// - Returns: The number of changed rows.
  @discardableResult
  func run(_ statement: Statement, _ arguments: SQLiteArguments = []) throws(StoreError) -> Int {
    try attempting {
      try database.run(statement, arguments)
      return database.changesCount
    }
  }

  /// Sets, releases or rolls back to a savepoint.
  func run(_ savepoint: Savepoint) throws(StoreError) { try attempting { try database.run(savepoint) } }

  /// Runs a statement on the hot path. The closure binds the parameters directly, without an array of arguments.
  /// - Parameter bind: Binds each parameter, in order.
  /// - Returns: The number of changed rows.
  @discardableResult
  func runRaw(_ statement: Statement, _ bind: (inout SQLiteStatement) -> Void) throws(StoreError) -> Int {
    try attempting {
      try database.run(statement, binding: bind)
      return database.changesCount
    }
  }

  /// Returns a decoded value for each row of a query on the hot path.
  /// - Parameters:
  ///   - bind: Binds each parameter, in order.
  ///   - read: Decodes each row.
  func rawRows<Read>(
    _ statement: Statement, _ bind: (inout SQLiteStatement) -> Void, _ read: (RawRow) throws -> Read
  ) throws(StoreError) -> [Read] {
    try attempting { try database.read(statement, binding: bind, each: read) }
  }

  /// Decodes a row that belongs to one player, override or other object. If the row is malformed, only that object is unreadable, and the
  /// transaction can continue.
  /// - Parameter row: The name of the row for reports.
  func reading<Answer>(_ row: @autoclosure () -> UnreadableRow, _ body: () throws -> Answer) throws(StoreError) -> Answer {
    let result = try attempting { () throws -> Result<Answer, DamagedRow> in
      do { return .success(try body()) } catch let failure as DatabaseFailure where failure.isOfRow {
        return .failure(DamagedRow(words: failure.message))
      }
    }
    switch result {
    case .success(let answer): return answer
    case .failure(let unread):
      var row = row()
      row.words = unread.words
      notes(row)
      throw .unreadable(row)
    }
  }

  /// Decodes one of several rows as ``reading(_:_:)`` does, and returns nil if the row is unreadable.
  func readable<Answer>(_ row: @autoclosure () -> UnreadableRow, _ body: () throws -> Answer) throws(StoreError) -> Answer? {
    do throws(StoreError) { return try reading(row(), body) } catch {
      guard case .unreadable = error else { throw error }
      return nil
    }
  }

  private struct DamagedRow: Error {
    let words: String
  }

  /// Runs database operations, and records their first failure so that the transaction is rolled back. A malformed row counts as damage of
  /// the database.
  func attempting<Answer>(_ body: () throws -> Answer) throws(StoreError) -> Answer {
    do { return try body() } catch {
      let found = DatabaseFailure(error)
      failure = failure ?? found
      throw found.storeError
    }
  }
}

extension Value {
  var stored: String { JSONWriter.text(self) }
}
