// The tables that a move between databases copies: every table of the schema.

/// A table that a move to another database copies, with its columns in the order in which the move reads them.
struct MoveTable: Sendable {
  enum MoveColumnKind: Sendable {
    case integer, text, blob
  }

  struct Column: Sendable {
    var name: String
    var kind: MoveColumnKind
    /// The kind of number in the column; nil for a column without numbers.
    var number: StoredNumber?
  }

  /// The name of the table of named numbers. It is small, and SQLite and PostgreSQL each have names of their own in it.
  static let numbers = "numbers"

  let name: String
  let columns: [Column]
  /// The indices of the primary key's columns, in the key's order.
  let key: [Int]
  /// The name of the primary key's column if the key is a single integer column; nil for any other primary key.
  let number: String?

  /// Returns every table of the current schema: the table of history lines first, the others by name.
  static func all() throws -> [MoveTable] {
    let database = try SQLiteConnection(path: ":memory:", for: .writing)
    defer { database.close() }
    try StoreSchema.current.migrate(database, from: 0)
    let names = try database.texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    let tables = try names.map { try MoveTable($0, in: database) }
    return tables.filter { $0.name == PostgresGrammar.lines } + tables.filter { $0.name != PostgresGrammar.lines }
  }

  private init(_ name: String, in database: SQLiteConnection) throws {
    self.name = name
    var (columns, key, number): ([Column], [(place: Int64, column: Int)], String?) = ([], [], nil)
    for row in try database.rows("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", [name]) {
      let (column, type, place) = (try row.text(0), try row.text(1), try row.integer(2))
      guard let kind = ["INTEGER": MoveColumnKind.integer, "TEXT": .text, "BLOB": .blob][type] else {
        throw DatabaseFailure.failing("a move does not know what \(name).\(column) holds: \(type)")
      }
      if place > 0 { key.append((place, columns.count)) }
      columns.append(Column(name: column, kind: kind, number: StoredTable.named(name)?.column(column)?.number))
    }
    key.sort { $0.place < $1.place }
    if key.count == 1, columns[key[0].column].kind == .integer { number = columns[key[0].column].name }
    guard !key.isEmpty else { throw DatabaseFailure.failing("a move finds no row of \(name) again: it has no key") }
    (self.columns, self.key, self.number) = (columns, key.map(\.column), number)
  }

  /// Quotes an identifier for both databases, so that reserved words are valid names.
  static func quoted(_ name: String) -> String { "\"" + name + "\"" }

  var quotedName: String { Self.quoted(name) }

  private func list(_ names: [String]) -> String { names.map(Self.quoted).joined(separator: ", ") }

  private var keyNames: String { list(key.map { columns[$0].name }) }

  var columnNames: String { list(columns.map(\.name)) }

  /// Returns the query of a page of rows in the key's order.
  /// - Parameters:
  ///   - isAfter: True if the page begins after a key, whose values are the first parameters.
  ///   - parameter: Returns the placeholder of the nth parameter.
  func reading(isAfter: Bool, count: Int, parameter: (Int) -> String) -> String {
    let places = key.indices.map { parameter($0 + 1) }.joined(separator: ", ")
    let condition = isAfter ? " WHERE (\(keyNames)) > (\(places))" : ""
    return "SELECT \(columnNames) FROM \(quotedName)\(condition) ORDER BY \(keyNames) LIMIT \(count)"
  }

  /// The query of the last row in the key's order.
  var readingLast: String {
    let newestFirst = key.map { Self.quoted(columns[$0].name) + " DESC" }.joined(separator: ", ")
    return "SELECT \(columnNames) FROM \(quotedName) ORDER BY \(newestFirst) LIMIT 1"
  }

  /// Returns the INSERT statement of a row. The closure returns the placeholder of the nth parameter.
  func inserting(parameter: (Int) -> String) -> String {
    "INSERT INTO \(quotedName) (\(columnNames)) VALUES (\(columns.indices.map { parameter($0 + 1) }.joined(separator: ", ")))"
  }

  func place(of column: String) -> Int? { columns.firstIndex { $0.name == column } }
}

/// A row that a move copies, with its cells in the order of the table's columns.
struct MoveRow: Sendable, Hashable {
  var cells: [StoredCell]

  func key(of table: MoveTable) -> [StoredCell] { table.key.map { cells[$0] } }

  /// Returns the table's name and the row's key, for messages.
  func name(in table: MoveTable) -> String {
    let parts = table.key.map { place -> String in
      switch cells[place] {
      case .null: "null"
      case .integer(let integer): "\(integer)"
      case .text(let bytes), .blob(let bytes):
        "'\(String(decoding: bytes.prefix(60), as: UTF8.self).map { $0.isNewline ? " " : $0 }.map(String.init).joined())'"
      }
    }
    return "\(table.name) (\(parts.joined(separator: ", ")))"
  }

  /// Describes the first cell whose value gameconfd never writes there; nil if every cell is valid.
  func fault(in table: MoveTable) -> String? {
    let row = "the row \(name(in: table))"
    for (cell, column) in zip(cells, table.columns) {
      switch (cell, column.kind) {
      case (.null, _), (.blob, .blob): continue
      case (.integer(let integer), .integer):
        guard let range = number(in: column, of: table)?.range, !range.contains(integer) else { continue }
        return "\(row) has \(integer) in “\(column.name)”, where \(range.lowerBound) to \(range.upperBound) is allowed"
      case (.text(let bytes), .text):
        if bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil {
          return "\(row) has a text in “\(column.name)” that is not UTF-8, or has a NUL in it"
        }
      default: return "\(row) has a value in “\(column.name)” that gameconfd did not write"
      }
    }
    return nil
  }

  /// Returns the kind of a number in this row; in the table of named numbers it depends on the name.
  private func number(in column: MoveTable.Column, of table: MoveTable) -> StoredNumber? {
    guard table.name == MoveTable.numbers else { return column.number }
    return cells.first?.text.flatMap(StoredNumber.named)
  }
}

extension RawRow {
  func moved(_ table: MoveTable) -> MoveRow { MoveRow(cells: table.columns.indices.map { storedCell(Int32($0)) }) }
}
