// Every column of every table: what it holds, and within which range.

/// A table as gameconfd reads and writes it.
struct StoredTable: Sendable {
  /// The kinds of a column.
  enum Column: Sendable {
    case number(StoredNumber)
    /// A number, or null.
    case optional(StoredNumber)
    case text
    case blob

    /// The kind of its number; nil where it holds none.
    var number: StoredNumber? {
      switch self {
      case .number(let number), .optional(let number): number
      case .text, .blob: nil
      }
    }

    /// The type that the schema declares for it.
    var type: String {
      switch self {
      case .number, .optional: "INTEGER"
      case .text: "TEXT"
      case .blob: "BLOB"
      }
    }
  }

  /// The owner of a row.
  enum Owner: Sendable {
    /// The whole store's: a row that cannot be read is a fault of the database.
    case store
    /// One player's, or one line's: a text that cannot be read is that row's alone.
    case row
  }

  let name: String
  let owner: Owner
  let columns: [(name: String, column: Column)]

  init(_ name: String, of owner: Owner = .store, _ columns: KeyValuePairs<String, Column>) {
    self.name = name
    self.owner = owner
    self.columns = columns.map { ($0.key, $0.value) }
  }

  func column(_ name: String) -> Column? { columns.first { $0.name == name }?.column }

  static func named(_ name: String) -> StoredTable? { all.first { $0.name == name } }
}
