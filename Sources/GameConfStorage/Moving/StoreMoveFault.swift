// The reasons why a store is not moved, and the progress of a move.

/// The reason why a store was not moved. Nothing is lost: what was to be moved is as it was, and is in force.
public enum StoreMoveFault: Error, Sendable, Hashable {
  /// The store that is to be moved cannot be: it is not there, is used, or holds what cannot be taken along.
  case source(String)
  /// The target does not take it.
  case target(String)
  /// One of the two went away, or could not be written; begun again, the move goes on from there.
  case brokenOff(String)

  /// The fault, and the remedy.
  public var message: String {
    switch self {
    case .source(let words), .target(let words), .brokenOff(let words): words
    }
  }
}

/// The progress of a move.
public struct StoreMoveProgress: Sendable, Hashable {
  /// The steps with the rows.
  public enum Step: String, Sendable, Hashable {
    case copying, comparing
  }

  /// The present step.
  public var step: Step
  /// The table.
  public var table: String
  /// The number of rows of all that are done in this step.
  public var rows: Int64
  /// The number of rows in all.
  public var rowsAll: Int64
}

/// The rows that were moved, or would be.
public struct StoreMoveReport: Sendable, Hashable {
  /// A table and how many rows it has.
  public struct Table: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The number of rows that were moved.
    public var rows: Int64
  }

  /// Every table.
  public var tables: [Table]
  /// The former place of the store.
  public var from: String
  /// The present place of the store.
  public var to: String
  /// The place of the old store from now on, as a part of a sentence.
  public var aside: String

  /// All rows.
  public var rows: Int64 { tables.reduce(0) { $0 + $1.rows } }
}

extension MoveRow {
  /// Refuses what the other database would not take, or would take as something else.
  func check(in table: MoveTable) throws(StoreMoveFault) { if let fault = fault(in: table) { throw .source(fault) } }
}
