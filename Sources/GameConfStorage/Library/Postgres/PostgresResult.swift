// The result of a statement: rows with binary columns, or the number of changed rows.
import CPostgres

/// A statement's result in libpq's memory, which is freed with the object. It is unchecked `Sendable`, because it is immutable.
final class PostgresResult: @unchecked Sendable {
  /// The OIDs of the types in the store's tables and queries.
  private enum ColumnType {
    static let boolean: UInt32 = 16
    static let bytes: UInt32 = 17
    static let integers: Set<UInt32> = [20, 21, 23]
    static let texts: Set<UInt32> = [19, 25, 705, 1042, 1043]
    static let numeric: UInt32 = 1700
  }

  private let handle: OpaquePointer
  private let types: [UInt32]
  let columnsCount: Int32
  let rowsCount: Int32
  /// The number of rows that the statement changed.
  let changesCount: Int

  init(_ handle: OpaquePointer) {
    self.handle = handle
    columnsCount = cpostgres_PQnfields(handle)
    rowsCount = cpostgres_PQntuples(handle)
    types = (0..<columnsCount).map { cpostgres_PQftype(handle, $0) }
    changesCount = cpostgres_PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0
  }

  deinit { cpostgres_PQclear(handle) }

  /// Every row; valid while this object lives.
  var rows: [RawRow] { (0..<rowsCount).map { RawRow(self, $0) } }

  func name(_ column: Int32) -> String { cpostgres_PQfname(handle, column).map { String(cString: $0) } ?? "\(column)" }

  func isText(_ column: Int32) -> Bool { ColumnType.texts.contains(types[Int(column)]) }

  /// Returns a value's bytes in the server's binary format; nil for null.
  func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer? {
    if cpostgres_PQgetisnull(handle, row, column) == 1 { return nil }
    return UnsafeRawBufferPointer(
      start: cpostgres_PQgetvalue(handle, row, column), count: Int(cpostgres_PQgetlength(handle, row, column)))
  }

  /// Returns an integer, an integral numeric, or a boolean as 1 or 0; nil for null and for a result without columns.
  func integer(_ row: Int32, _ column: Int32) -> Int64? {
    guard types.indices.contains(Int(column)) else { return nil }
    let type = types[Int(column)]
    guard let bytes = bytes(row, column) else { return nil }
    if type == ColumnType.boolean { return bytes.first.map(Int64.init) }
    if ColumnType.integers.contains(type) {
      guard let first = bytes.first else { return nil }
      return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }
    return type == ColumnType.numeric ? Self.integer(numeric: bytes) : nil
  }

  /// Decodes PostgreSQL's binary form of a `numeric` without a fraction: the number of base-10,000 digits, the first digit's weight, the
  /// sign, the display scale, the digits.
  static func integer(numeric bytes: some RandomAccessCollection<UInt8>) -> Int64? {
    let words = stride(from: 0, to: bytes.count - 1, by: 2).map { at in
      let start = bytes.index(bytes.startIndex, offsetBy: at)
      return UInt16(bytes[start]) << 8 | UInt16(bytes[bytes.index(after: start)])
    }
    guard words.count >= 4, words.count == 4 + Int(words[0]), words[2] == 0 || words[2] == 0x4000 else { return nil }
    let power = Int(Int16(bitPattern: words[1]))
    guard Int(words[0]) <= power + 1 else { return nil }
    var number: Int64 = 0
    for place in 0..<max(power + 1, 0) {
      let digit = place < Int(words[0]) ? Int64(words[4 + place]) : 0
      let (scaled, isOver) = number.multipliedReportingOverflow(by: 10_000)
      let (next, isOverToo) = scaled.subtractingReportingOverflow(digit)
      if isOver || isOverToo { return nil }
      number = next
    }
    // The number is accumulated as a negative one, because `Int64.min` has no positive counterpart.
    if words[2] == 0x4000 { return number }
    return number == .min ? nil : -number
  }
}

/// Adjacent rows of a result.
struct PostgresRows {
  let result: PostgresResult
  let places: Range<Int32>

  /// - Parameter places: The range of the rows; nil for all rows of the result.
  init(_ result: PostgresResult, _ places: Range<Int32>? = nil) {
    self.result = result
    self.places = places ?? 0..<result.rowsCount
  }

  var isEmpty: Bool { places.isEmpty }

  /// Every row; valid while the result lives.
  var rows: [RawRow] { places.map { RawRow(result, $0) } }
}
