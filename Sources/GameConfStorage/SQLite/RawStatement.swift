// Statements of the hot path, bound and stepped through SQLite itself.
import GRDB
import GRDBSQLite
import GameConfCore
import GameConfEngine

/// A prepared statement of GRDB's cache that is run without GRDB's rows and lists of arguments, which cost more than a small statement does.
struct RawStatement {
  private let handle: SQLiteStatement
  private var position: Int32 = 0
  /// What SQLite copies before a call returns; the C header's `(sqlite3_destructor_type)-1`.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  fileprivate init(_ statement: Statement) { handle = statement.sqliteStatement }

  /// Gives the next parameter a text.
  mutating func bind(_ text: String) {
    var text = text
    position += 1
    text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { _ = sqlite3_bind_text(handle, position, $0.baseAddress, Int32($0.count), Self.copied) }
    }
  }

  /// Gives the next parameter a text in UTF-8; nil binds null.
  mutating func bind(text: [UInt8]?) {
    position += 1
    guard let text else {
      sqlite3_bind_null(handle, position)
      return
    }
    text.withUnsafeBytes {
      _ = sqlite3_bind_text(handle, position, $0.assumingMemoryBound(to: CChar.self).baseAddress, Int32($0.count), Self.copied)
    }
  }

  /// Gives the next parameter bytes; nil binds null.
  mutating func bind(blob: [UInt8]?) {
    position += 1
    guard let blob else {
      sqlite3_bind_null(handle, position)
      return
    }
    blob.withUnsafeBytes { _ = sqlite3_bind_blob(handle, position, $0.baseAddress, Int32($0.count), Self.copied) }
  }

  /// Gives the next parameter an integer; nil binds null.
  mutating func bind(_ integer: Int64?) {
    position += 1
    if let integer { sqlite3_bind_int64(handle, position, integer) } else { sqlite3_bind_null(handle, position) }
  }

  /// Runs to the end.
  fileprivate func run(_ each: (RawRow) throws -> Void) throws {
    defer { sqlite3_reset(handle) }
    var code = sqlite3_step(handle)
    while code == SQLITE_ROW {
      try each(RawRow(handle: handle))
      code = sqlite3_step(handle)
    }
    guard code == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
    }
  }
}

/// The row a statement stands on; good until it goes on.
struct RawRow {
  fileprivate let handle: SQLiteStatement

  /// The integer in a column; a damaged row has none where one was written.
  func integer(_ column: Int32) throws(Trouble) -> Int64 {
    guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { throw .damaged("a number is missing in column \(column)") }
    return sqlite3_column_int64(handle, column)
  }

  /// The text in a column.
  func text(_ column: Int32) throws(Trouble) -> String {
    guard let bytes = bytes(column) else { throw .damaged("a text is missing in column \(column)") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes of a text or blob in a column; nil where that is null.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
    if sqlite3_column_type(handle, column) == SQLITE_NULL { return nil }
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// The value whose JSON is in a column; nil where that is null.
  func value(_ column: Int32) throws(Trouble) -> Value? {
    // Not `? nil :`, where nil is a value's own null.
    guard let bytes = bytes(column) else { return nil }
    return try Row.value(bytes)
  }
}

extension SQLiteView {
  /// Runs a statement of the hot path.
  /// - Parameter bind: gives each parameter its value, in order.
  /// - Returns: how many rows it changed.
  @discardableResult
  func runRaw(_ sql: String, _ bind: (inout RawStatement) -> Void) throws(StoreError) -> Int {
    try attempting {
      var statement = RawStatement(try database.cachedStatement(sql: sql))
      bind(&statement)
      try statement.run { _ in }
      return database.changesCount
    }
  }

  /// The rows of a query of the hot path.
  /// - Parameters:
  ///   - bind: gives each parameter its value, in order.
  ///   - read: what is made of each row.
  func rawRows<Read>(
    _ sql: String, _ bind: (inout RawStatement) -> Void, _ read: (RawRow) throws -> Read
  ) throws(StoreError) -> [Read] {
    try attempting {
      var statement = RawStatement(try database.cachedStatement(sql: sql))
      bind(&statement)
      var found: [Read] = []
      try statement.run { row in found.append(try read(row)) }
      return found
    }
  }
}
