// Reading and writing rows: every access to the database goes through here.
import GameConfCore

/// The reads of a transaction: a connection within it, good for one thread, until the transaction ends.
///
/// The reads of a table are beside its rows, in an extension.
package class ReadTransaction {
  let database: any TableDatabase
  let floors: Floors
  private let notes: (UnreadableRow) -> Void
  /// The first failure of the database within this transaction; nothing of it is committed then.
  private(set) var failure: DatabaseFailure?

  /// The numbers that revisions never fall below, whatever the rows say.
  struct Floors: Sendable {
    var revisions: [String: Int64] = [:]
    var players: Int64 = 0
  }

  /// - Parameter notes: called with each row that cannot be read.
  init(_ database: any TableDatabase, floors: Floors, noting notes: @escaping (UnreadableRow) -> Void = { _ in }) {
    self.database = database
    self.floors = floors
    self.notes = notes
  }

  /// Rows of a query.
  func rows(_ statement: Statement, _ arguments: SQLiteArguments = []) throws(StoreError) -> [Row] {
    try attempting { try database.rows(statement, arguments) }
  }

  /// The first row of a query.
  func row(_ statement: Statement, _ arguments: SQLiteArguments = []) throws(StoreError) -> Row? {
    try attempting { try database.row(statement, arguments) }
  }

  /// Runs a statement.
  /// - Returns: how many rows it changed.
  @discardableResult
  func run(_ statement: Statement, _ arguments: SQLiteArguments = []) throws(StoreError) -> Int {
    try attempting {
      try database.run(statement, arguments)
      return database.changesCount
    }
  }

  /// Sets, releases or goes back to a place within the transaction.
  func run(_ savepoint: Savepoint) throws(StoreError) { try attempting { try database.run(savepoint) } }

  /// Runs a statement of the hot path.
  /// - Parameter bind: gives each parameter its value, in order.
  /// - Returns: how many rows it changed.
  @discardableResult
  func runRaw(_ statement: Statement, _ bind: (inout SQLiteStatement) -> Void) throws(StoreError) -> Int {
    try attempting {
      try database.run(statement, binding: bind)
      return database.changesCount
    }
  }

  /// The rows of a query of the hot path.
  /// - Parameters:
  ///   - bind: gives each parameter its value, in order.
  ///   - read: what is made of each row.
  func rawRows<Read>(
    _ statement: Statement, _ bind: (inout SQLiteStatement) -> Void, _ read: (RawRow) throws -> Read
  ) throws(StoreError) -> [Read] {
    try attempting { try database.read(statement, binding: bind, each: read) }
  }

  /// Reads a row that is one player's, one override's or the like: where it has not the form that was written, it alone cannot be read.
  /// - Parameter row: what the row is.
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

  /// The same where others of its kind are read too: nil for one that cannot be read.
  func readable<Answer>(_ row: @autoclosure () -> UnreadableRow, _ body: () throws -> Answer) throws(StoreError) -> Answer? {
    do throws(StoreError) { return try reading(row(), body) } catch {
      guard case .unreadable = error else { throw error }
      return nil
    }
  }

  private struct DamagedRow: Error {
    let words: String
  }

  /// Reads out of a row; what is not there as it was written means a damaged file.
  func attempting<Answer>(_ body: () throws -> Answer) throws(StoreError) -> Answer {
    do { return try body() } catch {
      let found = DatabaseFailure(error)
      failure = failure ?? found
      throw found.storeError
    }
  }
}

extension Value {
  /// The value's JSON, as it is stored.
  var stored: String { JSONWriter.text(self) }
}
