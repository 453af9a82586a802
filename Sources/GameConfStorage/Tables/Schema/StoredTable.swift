// The type and the range of every column of every table.

/// A table in the form that gameconfd reads and writes.
struct StoredTable: Sendable {
  enum Column: Sendable {
    case number(StoredNumber)
    case optional(StoredNumber)
    case text
    case blob

    /// The kind of number in the column; nil for a text or a blob.
    var number: StoredNumber? {
      switch self {
      case .number(let number), .optional(let number): number
      case .text, .blob: nil
      }
    }

    /// The column's declared type in the schema.
    var type: String {
      switch self {
      case .number, .optional: "INTEGER"
      case .text: "TEXT"
      case .blob: "BLOB"
      }
    }
  }

  /// The part of the store that is unreadable because of an unreadable row.
  enum RowDamageScope: Sendable {
    /// The whole store: an unreadable row is a fault of the database.
    case store
    /// One player or one line: malformed text only makes that row unreadable.
    case row
  }

  let name: String
  let owner: RowDamageScope
  let columns: [(name: String, column: Column)]

  init(_ name: String, of owner: RowDamageScope = .store, _ columns: KeyValuePairs<String, Column>) {
    self.name = name
    self.owner = owner
    self.columns = columns.map { ($0.key, $0.value) }
  }

  func column(_ name: String) -> Column? { columns.first { $0.name == name }?.column }

  static func named(_ name: String) -> StoredTable? { all.first { $0.name == name } }
}
