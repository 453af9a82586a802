// A failure as SQLite tells it.
import CSQLite

/// What a call of SQLite's answered in place of a result.
struct SQLiteError: Error, CustomStringConvertible {
  /// SQLite's extended result code.
  let code: Int32
  let message: String

  /// The code without what extends it.
  var primaryCode: Int32 { code & 0xff }

  var description: String { "\(message) (SQLite \(code))" }

  init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  /// The failure that a connection has just had.
  init(code: Int32, of connection: OpaquePointer?) {
    self.init(code: code, message: (connection.map(sqlite3_errmsg) ?? sqlite3_errstr(code)).map { String(cString: $0) } ?? "")
  }
}
