// The two databases between which a store is moved, with the reads and writes that the move needs.

/// A database that rows are moved from or to; valid on one thread.
protocol MoveEndpoint: AnyObject {
  /// Returns at most `count` rows, in the order of the table's key.
  /// - Parameter last: The row after which the first returned row comes; nil to start with the table's first row.
  func rows(of table: MoveTable, after last: MoveRow?, count: Int) throws -> [MoveRow]
  /// Returns the last row in the order of the table's key; nil if the table is empty.
  func last(of table: MoveTable) throws -> MoveRow?
  func count(of table: MoveTable) throws -> Int64
  /// Writes rows in one transaction.
  func write(_ rows: [MoveRow], to table: MoveTable) throws
  /// Deletes every row and writes these, in one transaction.
  func replace(_ rows: [MoveRow], in table: MoveTable) throws
}

final class SQLiteMoveEndpoint: MoveEndpoint {
  let database: SQLiteConnection

  init(_ database: SQLiteConnection) { self.database = database }

  func rows(of table: MoveTable, after last: MoveRow?, count: Int) throws -> [MoveRow] {
    var statement = try database.cached(table.reading(isAfter: last != nil, count: count) { "?\($0)" })
    for cell in last?.key(of: table) ?? [] { cell.bind(to: &statement) }
    defer { statement.reset() }
    var rows: [MoveRow] = []
    while let row = try statement.next() { rows.append(row.moved(table)) }
    return rows
  }

  func last(of table: MoveTable) throws -> MoveRow? {
    let statement = try database.cached(table.readingLast)
    defer { statement.reset() }
    return try statement.next().map { $0.moved(table) }
  }

  func count(of table: MoveTable) throws -> Int64 { try database.integer("SELECT count(*) FROM \(table.quotedName)") ?? 0 }

  func write(_ rows: [MoveRow], to table: MoveTable) throws { try write(rows, to: table, beside: {}) }

  /// - Parameter body: Writes further rows in the same transaction, before these.
  func write(_ rows: [MoveRow], to table: MoveTable, beside body: () throws -> Void) throws {
    try database.execute("BEGIN IMMEDIATE")
    do {
      try body()
      for row in rows { try insert(row, into: table) }
      try database.execute("COMMIT")
    } catch {
      if database.isInsideTransaction { try? database.execute("ROLLBACK") }
      throw error
    }
  }

  /// Inserts a row within the caller's transaction.
  func insert(_ row: MoveRow, into table: MoveTable) throws {
    var statement = try database.cached(table.inserting { "?\($0)" })
    for cell in row.cells { cell.bind(to: &statement) }
    try statement.run()
  }

  func replace(_ rows: [MoveRow], in table: MoveTable) throws {
    try write(rows, to: table) { try database.execute("DELETE FROM \(table.quotedName)") }
  }
}

final class PostgresMoveEndpoint: MoveEndpoint {
  let connection: PostgresConnection

  init(_ connection: PostgresConnection) { self.connection = connection }

  func rows(of table: MoveTable, after last: MoveRow?, count: Int) throws -> [MoveRow] {
    let sql = table.reading(isAfter: last != nil, count: count) { "$\($0)" }
    let arguments = (last?.key(of: table) ?? []).map(\.postgres)
    guard let answer = try connection.round([PostgresCommand(sql, arguments)]).last else { return [] }
    return withExtendedLifetime(answer) { answer.rows.map { $0.moved(table) } }
  }

  func last(of table: MoveTable) throws -> MoveRow? {
    guard let answer = try connection.round([PostgresCommand(table.readingLast)]).last else { return nil }
    return withExtendedLifetime(answer) { answer.rows.first.map { $0.moved(table) } }
  }

  func count(of table: MoveTable) throws -> Int64 { try integer("SELECT count(*) FROM \(table.quotedName)") ?? 0 }

  func write(_ rows: [MoveRow], to table: MoveTable) throws { try transact(inserting(rows, table)) }

  func replace(_ rows: [MoveRow], in table: MoveTable) throws {
    try transact([PostgresCommand("DELETE FROM \(table.quotedName)")] + inserting(rows, table))
  }

  /// Returns the integer in the first column of the first row.
  func integer(_ sql: String, _ arguments: [PostgresValue] = []) throws(DatabaseFailure) -> Int64? {
    guard let answer = try connection.round([PostgresCommand(sql, arguments)]).last, answer.rowsCount > 0 else { return nil }
    return answer.integer(0, 0)
  }

  /// Runs statements in one transaction.
  func transact(_ commands: [PostgresCommand]) throws(DatabaseFailure) {
    do throws(DatabaseFailure) {
      _ = try connection.round([PostgresCommand("BEGIN")] + commands + [PostgresCommand("COMMIT")])
    } catch {
      _ = try? connection.round([PostgresCommand("ROLLBACK")])
      throw error
    }
  }

  private func inserting(_ rows: [MoveRow], _ table: MoveTable) -> [PostgresCommand] {
    let sql = table.inserting { "$\($0)" }
    return rows.map { PostgresCommand(sql, $0.cells.map(\.postgres), expects: 1) }
  }
}

extension StoredCell {
  fileprivate func bind(to statement: inout SQLiteStatement) {
    switch self {
    case .null: statement.bind(nil as Int64?)
    case .integer(let integer): statement.bind(integer)
    case .text(let bytes): statement.bind(text: bytes)
    case .blob(let bytes): statement.bind(blob: bytes)
    }
  }

  fileprivate var postgres: PostgresValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .text(let bytes): .utf8(bytes)
    case .blob(let bytes): .blob(bytes)
    }
  }
}
