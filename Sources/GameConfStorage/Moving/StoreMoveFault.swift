// Why a store is not moved, and how far a move has come.

/// The reason why a store was not moved. Nothing is lost: what was to be moved is as it was, and is in force.
public enum StoreMoveFault: Error, Sendable, Hashable {
  /// The store that is to be moved cannot be: it is not there, is used, or holds what cannot be taken along.
  case source(String)
  /// Where it is to be moved does not take it.
  case target(String)
  /// One of the two went away, or could not be written; begun again, the move goes on from there.
  case brokenOff(String)

  /// What is wrong and what to do.
  public var message: String {
    switch self {
    case .source(let words), .target(let words), .brokenOff(let words): words
    }
  }
}

/// How far a move has come.
public struct StoreMoveProgress: Sendable, Hashable {
  /// What is done with the rows.
  public enum Step: String, Sendable, Hashable {
    case copying, comparing
  }

  /// What is done.
  public var step: Step
  /// The table.
  public var table: String
  /// The number of rows of all that are done in this step.
  public var rows: Int64
  /// How many there are in all.
  public var rowsAll: Int64
}

/// What was moved, or would be.
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
  /// Where the store was.
  public var from: String
  /// Where it is.
  public var to: String
  /// Where the store that was moved lies from now on, in a sentence's part.
  public var aside: String

  /// All rows.
  public var rows: Int64 { tables.reduce(0) { $0 + $1.rows } }
}
