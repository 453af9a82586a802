// The rows of a query: the current row of a statement, and copies.
import CSQLite
import GameConfCore

/// The current row of a query in SQLite or PostgreSQL; valid until the query advances.
///
/// It reads columns in place, because a copy would slow down the statements of each event. ``Row`` is the copy for callers that hold rows
/// while they run other statements, or the same one again. The two types make the compiler check the two lifetimes.
struct RawRow: NumberRow {
  private enum RowSource {
    case sqlite(OpaquePointer)
    case postgres(PostgresResult, Int32)
  }

  private let source: RowSource

  init(_ handle: OpaquePointer) { source = .sqlite(handle) }

  init(_ result: PostgresResult, _ row: Int32) { source = .postgres(result, row) }

  var columnsCount: Int32 {
    switch source {
    case .sqlite(let handle): sqlite3_column_count(handle)
    case .postgres(let result, _): result.columnsCount
    }
  }

  /// Returns the integer in a column, of any 64 bits, without a check of its range. For scores and digests, which are never added without
  /// an overflow check.
  func anyInteger(_ column: Int32) -> Int64? {
    switch source {
    case .sqlite(let handle): sqlite3_column_type(handle, column) == SQLITE_INTEGER ? sqlite3_column_int64(handle, column) : nil
    case .postgres(let result, let row): result.integer(row, column)
    }
  }

  /// Returns the text in a column. Throws `.damaged` if the column is null.
  func text(_ column: Int32) throws(DatabaseFailure) -> String {
    guard let bytes = bytes(column) else { throw .damaged("a text is missing in column \(column)") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the bytes of a text or blob in a column; nil for null.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
    switch source {
    case .sqlite(let handle):
      if sqlite3_column_type(handle, column) == SQLITE_NULL { return nil }
      let start = sqlite3_column_blob(handle, column)
      return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    case .postgres(let result, let row): return result.bytes(row, column)
    }
  }

  /// Returns the value whose JSON is in a column; nil for null.
  func value(_ column: Int32) throws(DatabaseFailure) -> Value? {
    // Not a ternary, in which `nil` would be inferred as a `Value`, the null of JSON, instead of as no value.
    guard let bytes = bytes(column) else { return nil }
    return try Row.value(bytes)
  }

  /// Every column by its name. Numbers and texts are unchanged, and bytes that are not text become `{"hex": "…"}`.
  var stored: ObjectValue {
    ObjectValue(
      (0..<columnsCount).map { column in
        switch source {
        case .sqlite(let handle):
          let name = sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "\(column)"
          return (name, storedCell(handle, column))
        case .postgres(let result, let row): return (result.name(column), storedCell(result, row, column))
        }
      })
  }

  private func storedCell(_ handle: OpaquePointer, _ column: Int32) -> Value {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .double(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: if let text = bytes(column).flatMap({ String(validating: $0, as: UTF8.self) }) { return .string(text) }
    default: break
    }
    return hexadecimal(column)
  }

  private func storedCell(_ result: PostgresResult, _ row: Int32, _ column: Int32) -> Value {
    guard let bytes = result.bytes(row, column) else { return .null }
    if let integer = result.integer(row, column) { return .integer(integer) }
    if result.isText(column), let text = String(validating: bytes, as: UTF8.self) { return .string(text) }
    return hexadecimal(column)
  }

  private func hexadecimal(_ column: Int32) -> Value {
    let digits = (bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return .object(["hex": .string(digits.joined())])
  }

  /// Returns the content of a column. A floating-point number, which no table has, is returned as bytes.
  func storedCell(_ column: Int32) -> StoredCell {
    guard let bytes = bytes(column) else { return .null }
    switch source {
    case .sqlite(let handle):
      switch sqlite3_column_type(handle, column) {
      case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
      case SQLITE_TEXT: return .text(Array(bytes))
      default: return .blob(Array(bytes))
      }
    case .postgres(let result, let row):
      if let integer = result.integer(row, column) { return .integer(integer) }
      return result.isText(column) ? .text(Array(bytes)) : .blob(Array(bytes))
    }
  }

  fileprivate func cell(_ column: Int32) -> Row.CopiedCell {
    switch source {
    case .sqlite(let handle):
      switch sqlite3_column_type(handle, column) {
      case SQLITE_NULL: return .null
      case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
      case SQLITE_TEXT: return .text(String(decoding: bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0), as: UTF8.self))
      default: return .other
      }
    case .postgres(let result, let row):
      guard let bytes = result.bytes(row, column) else { return .null }
      if let integer = result.integer(row, column) { return .integer(integer) }
      return result.isText(column) ? .text(String(decoding: bytes, as: UTF8.self)) : .other
    }
  }
}

/// A copy of a row of numbers and texts, which stays valid when the query advances.
struct Row: NumberRow {
  fileprivate enum CopiedCell {
    case null
    case integer(Int64)
    case text(String)
    /// A floating-point number or bytes, which no copied row contains.
    case other
  }

  private let cells: [CopiedCell]

  init(_ row: RawRow) { cells = (0..<row.columnsCount).map(row.cell) }

  func text(_ column: Int) throws(DatabaseFailure) -> String {
    guard let value = optionalText(column) else { throw .damaged("a text is missing in column \(column)") }
    return value
  }

  func anyInteger(_ column: Int) -> Int64? {
    if case .integer(let integer) = cells[column] { integer } else { nil }
  }

  func optionalText(_ column: Int) -> String? {
    if case .text(let text) = cells[column] { text } else { nil }
  }

  func value(_ column: Int) throws(DatabaseFailure) -> Value {
    var text = try text(column)
    return try text.withUTF8 { utf8 in Result { () throws(DatabaseFailure) in try Self.value(UnsafeRawBufferPointer(utf8)) } }.get()
  }

  func optionalValue(_ column: Int) throws(DatabaseFailure) -> Value? {
    // Not a ternary, in which `nil` would be inferred as a `Value`, the null of JSON, instead of as no value.
    guard optionalText(column) != nil else { return nil }
    return try value(column)
  }

  static func value(_ json: UnsafeRawBufferPointer) throws(DatabaseFailure) -> Value {
    var limits = JSONLimits()
    limits.depthMax = 96
    limits.bytesMax = 1 << 28
    do throws(JSONError) { return try JSONReader.value(from: json, limits: limits) } catch {
      throw .damaged("a stored value is not JSON: \(error.message)")
    }
  }
}

/// A copy of the value in one column of a row.
enum StoredCell: Sendable, Hashable {
  case null
  case integer(Int64)
  case text([UInt8])
  case blob([UInt8])

  var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }

  var text: String? { if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }
}
