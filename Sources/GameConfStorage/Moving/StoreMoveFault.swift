// The errors, the progress and the result of a store's move between SQLite and PostgreSQL.

/// The reason why a store was not moved. Nothing is lost: the old store is unchanged and in force.
public enum StoreMoveFault: Error, Sendable, Hashable {
  /// The store cannot be moved: it does not exist, is in use, or has a row that the target cannot hold.
  case source(String)
  /// The target database cannot take the store, for example because it already has another one.
  case target(String)
  /// A database became unreachable or could not be written. A second run resumes the move.
  case brokenOff(String)

  /// The fault, and in most cases its remedy, as a sentence for the operator.
  public var message: String {
    switch self {
    case .source(let words), .target(let words), .brokenOff(let words): words
    }
  }
}

/// A progress report of a move, sent after each page of rows and each table.
public struct StoreMoveProgress: Sendable, Hashable {
  /// The phases of a move.
  public enum Step: String, Sendable, Hashable {
    case copying, comparing
  }

  /// The phase of the move. ``rows`` counts the rows that this phase has finished.
  public var step: Step
  /// The SQL name of the table in progress.
  public var table: String
  /// The number of rows of all tables that this phase has finished.
  public var rows: Int64
  /// The number of rows of all tables.
  public var rowsAll: Int64
}

/// The rows that were moved, or that a dry run would move.
public struct StoreMoveReport: Sendable, Hashable {
  /// A table with its number of rows.
  public struct Table: Sendable, Hashable {
    /// The SQL name of the table.
    public var name: String
    /// The number of rows that were moved.
    public var rows: Int64
  }

  /// The moved tables with their rows.
  public var tables: [Table]
  /// The old store: `SQLite` with its path, or `PostgreSQL` with its schema.
  public var from: String
  /// The new store, in the form of ``from``.
  public var to: String
  /// The new path of the old store's file, or its schema, as a part of a sentence.
  public var aside: String

  /// The number of moved rows in all tables.
  public var rows: Int64 { tables.reduce(0) { $0 + $1.rows } }
}

extension MoveRow {
  /// Throws if the row has a value that the target database would reject or change.
  func check(in table: MoveTable) throws(StoreMoveFault) { if let fault = fault(in: table) { throw .source(fault) } }
}
