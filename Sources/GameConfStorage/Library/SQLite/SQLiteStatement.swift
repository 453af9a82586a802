// A prepared statement: its parameters and its steps.
import CSQLite

/// A prepared statement of SQLite, or a recorder of parameters for PostgreSQL.
struct SQLiteStatement {
  private let handle: OpaquePointer?
  private var position: Int32 = 0
  /// The recorded parameters for PostgreSQL; empty if the parameters are bound to an SQLite statement.
  private(set) var recorded: [PostgresValue] = []
  /// SQLITE_TRANSIENT, which makes SQLite copy a value during the call; the C header's `(sqlite3_destructor_type)-1`.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ handle: OpaquePointer) { self.handle = handle }

  /// Creates a statement that only records its parameters, for PostgreSQL.
  init() { handle = nil }

  mutating func bind(_ text: String) {
    guard let handle else { return recorded.append(.text(text)) }
    var text = text
    position += 1
    text.withUTF8 { utf8 in
      // An empty text may have a null address, which would bind null.
      if utf8.isEmpty { return _ = sqlite3_bind_text(handle, position, "", 0, Self.copied) }
      utf8.withMemoryRebound(to: CChar.self) { _ = sqlite3_bind_text(handle, position, $0.baseAddress, Int32($0.count), Self.copied) }
    }
  }

  /// Binds UTF-8 text to the next parameter; nil binds null.
  mutating func bind(text: [UInt8]?) {
    guard let handle else { return recorded.append(text.map(PostgresValue.utf8) ?? .null) }
    position += 1
    guard let text else {
      sqlite3_bind_null(handle, position)
      return
    }
    text.withUnsafeBytes {
      _ = sqlite3_bind_text(handle, position, $0.assumingMemoryBound(to: CChar.self).baseAddress, Int32($0.count), Self.copied)
    }
  }

  /// Binds UTF-8 text that stays valid until the statement has run, without a copy; nil binds null.
  mutating func bind(lasting text: UnsafeRawBufferPointer?) {
    guard let handle else { return recorded.append(text.map { .utf8(Array($0)) } ?? .null) }
    position += 1
    guard let text else {
      sqlite3_bind_null(handle, position)
      return
    }
    // An empty text may have a null address, which would bind null.
    guard !text.isEmpty else { return _ = sqlite3_bind_text(handle, position, "", 0, Self.copied) }
    _ = sqlite3_bind_text(handle, position, text.assumingMemoryBound(to: CChar.self).baseAddress, Int32(text.count), nil)
  }

  /// Binds bytes to the next parameter; nil binds null.
  mutating func bind(blob: [UInt8]?) {
    guard let handle else { return recorded.append(blob.map(PostgresValue.blob) ?? .null) }
    position += 1
    guard let blob else {
      sqlite3_bind_null(handle, position)
      return
    }
    blob.withUnsafeBytes { _ = sqlite3_bind_blob(handle, position, $0.baseAddress, Int32($0.count), Self.copied) }
  }

  /// Binds an integer to the next parameter; nil binds null.
  mutating func bind(_ integer: Int64?) {
    guard let handle else { return recorded.append(integer.map(PostgresValue.integer) ?? .null) }
    position += 1
    if let integer { sqlite3_bind_int64(handle, position, integer) } else { sqlite3_bind_null(handle, position) }
  }

  /// Binds a text to the next parameter; nil binds null.
  mutating func bind(optional text: String?) { if let text { bind(text) } else { bind(nil as Int64?) } }

  mutating func bind(all arguments: SQLiteArguments) throws(DatabaseFailure) {
    guard let handle else {
      for argument in arguments { if let argument { argument.bind(to: &self) } else { recorded.append(.null) } }
      return
    }
    guard Int32(arguments.count) == sqlite3_bind_parameter_count(handle) else {
      throw DatabaseFailure(sqlite: SQLITE_MISUSE, "\(arguments.count) arguments for \(sqlite3_bind_parameter_count(handle)) parameters")
    }
    for argument in arguments {
      if let argument { argument.bind(to: &self) } else { bind(nil as Int64?) }
    }
  }

  /// Steps to the next row; nil after the last.
  func next() throws(DatabaseFailure) -> RawRow? {
    guard let handle else { return nil }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return RawRow(handle)
    case SQLITE_DONE: return nil
    case let code: throw DatabaseFailure(sqlite: code, of: sqlite3_db_handle(handle))
    }
  }

  /// Resets the statement and clears its bindings.
  func reset() {
    guard let handle else { return }
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func run() throws(DatabaseFailure) {
    defer { reset() }
    while try next() != nil {}
  }

  /// Binds the arguments and runs the statement to its end.
  mutating func run(_ arguments: SQLiteArguments) throws(DatabaseFailure) {
    try bind(all: arguments)
    try run()
  }

  /// Returns copies of all rows of the query.
  mutating func rows(_ arguments: SQLiteArguments) throws(DatabaseFailure) -> [Row] {
    try bind(all: arguments)
    defer { reset() }
    var rows: [Row] = []
    while let row = try next() { rows.append(Row(row)) }
    return rows
  }

  /// Returns a copy of the first row.
  mutating func row(_ arguments: SQLiteArguments) throws(DatabaseFailure) -> Row? {
    try bind(all: arguments)
    defer { reset() }
    return try next().map(Row.init)
  }

  mutating func read<Read>(binding bind: (inout SQLiteStatement) -> Void, each read: (RawRow) throws -> Read) throws -> [Read] {
    bind(&self)
    defer { reset() }
    var found: [Read] = []
    while let row = try next() { found.append(try read(row)) }
    return found
  }
}

/// The arguments of a statement, in order; nil is null.
typealias SQLiteArguments = [(any SQLiteArgument)?]

/// A type whose values can be bound to a parameter of a prepared statement.
protocol SQLiteArgument {
  func bind(to statement: inout SQLiteStatement)
}

extension String: SQLiteArgument {
  func bind(to statement: inout SQLiteStatement) { statement.bind(self) }
}

extension Int64: SQLiteArgument {
  func bind(to statement: inout SQLiteStatement) { statement.bind(self) }
}

extension Int: SQLiteArgument {
  func bind(to statement: inout SQLiteStatement) { statement.bind(Int64(self)) }
}

extension Int32: SQLiteArgument {
  func bind(to statement: inout SQLiteStatement) { statement.bind(Int64(self)) }
}

extension UInt32: SQLiteArgument {
  func bind(to statement: inout SQLiteStatement) { statement.bind(Int64(self)) }
}

extension Bool: SQLiteArgument {
  func bind(to statement: inout SQLiteStatement) { statement.bind(self ? 1 : 0) }
}
