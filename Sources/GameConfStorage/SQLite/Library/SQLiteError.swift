// A failure as SQLite reports it.
import CSQLite

/// An error of a call of SQLite.
struct SQLiteError: Error, CustomStringConvertible {
  /// SQLite's extended result code.
  let code: Int32
  let message: String
  /// The error of the operating system; 0 where it was not asked, or was asked too long ago to say.
  private(set) var systemCode: Int32

  /// The code without what extends it.
  var primaryCode: Int32 { code & 0xff }

  var description: String { "\(message) (SQLite \(code))" }

  init(code: Int32, message: String, systemCode: Int32 = 0) {
    self.code = code
    self.message = message
    self.systemCode = systemCode
  }

  /// The failure that a connection has just had.
  init(code: Int32, of connection: OpaquePointer?) {
    self.init(code: code, message: (connection.map(sqlite3_errmsg) ?? sqlite3_errstr(code)).map { String(cString: $0) } ?? "")
    if let connection, [SQLITE_IOERR, SQLITE_CANTOPEN].contains(primaryCode) { systemCode = sqlite3_system_errno(connection) }
  }
}
