// The statements of the tables' code, each with its SQL for both databases and the facts that PostgreSQL needs.
import Synchronization

/// A statement of the tables' code: a constant that every connection prepares once.
///
/// ```swift
/// static let number = Statement(.query, "SELECT number FROM players WHERE game = ? AND player = ?", locks: .player)
/// static let removal = Statement(.change, "DELETE FROM scenarios WHERE id = ?")
/// ```
///
/// One text serves both databases where their SQL is equal; otherwise each has its own. In PostgreSQL's text, `?` and `?1` are written
/// `$1`, and the kind and the lock add `RETURNING …` and `FOR UPDATE OF …`. Nothing else is rewritten.
final class Statement: Sendable {
  /// The effect of a statement. A transaction over PostgreSQL uses it to predict the answer, so that it need not wait for it.
  enum Kind: Sendable, Hashable {
    /// Returns rows.
    case query
    /// Adds or replaces one row.
    case insert
    /// Like `insert`; if it changes no row, another transaction was first.
    case decisiveInsert
    /// Adds one row to a table whose numbers gameconfd assigns in PostgreSQL; the number is the last parameter there.
    case numberedInsert(table: String)
    /// Adds one row, to which the database assigns a number in this column.
    case answeringInsert(number: String)
    /// Changes any number of rows, and the caller needs that number.
    case change
    /// Changes any number of rows, and the caller does not need that number.
    case uncountedChange
    /// Changes one row; if it changes none, another transaction was first.
    case certainChange
  }

  /// The row that a query locks in a transaction that may write, so that a decision based on the row stays valid.
  enum Lock: String, Sendable {
    case player = "players"
    case game = "game_revisions"
    /// No row, although the query reads one of these tables.
    case noRow
  }

  /// A query whose answer may have been prefetched; see ``PrefetchedRows``.
  enum PrefetchedKind: Sendable, Hashable {
    case player, place, number, revision, revisionBeside, boardRow, boardNumber
  }

  private static let count = Atomic(0)

  /// The statement's index, by which connections find their prepared form of it.
  let index: Int
  let kind: Kind
  let sqlite: String
  /// The PostgreSQL text; nil if only SQLite gets the statement.
  let postgres: String?
  /// The PostgreSQL text with the row lock.
  let postgresLocking: String?
  /// The locked row; nil if the statement reads neither players nor games' revisions.
  let locks: Lock?
  let prefetched: PrefetchedKind?
  /// True if a transaction that may write locks a row with it.
  let isLocking: Bool

  /// Creates a statement with one text for both databases.
  convenience init(_ kind: Kind, _ sql: String, locks: Lock? = nil, prefetched: PrefetchedKind? = nil) {
    self.init(kind, sqlite: sql, postgres: sql, locks: locks, prefetched: prefetched)
  }

  /// Creates a statement with a text for each database.
  /// - Parameter postgres: The text for PostgreSQL; nil if only SQLite gets the statement.
  init(_ kind: Kind, sqlite: String, postgres: String?, locks: Lock? = nil, prefetched: PrefetchedKind? = nil) {
    index = Self.count.add(1, ordering: .relaxed).oldValue
    self.kind = kind
    self.sqlite = sqlite
    self.locks = locks
    self.prefetched = prefetched
    var numbered = postgres.map(Self.numbered)
    if case .answeringInsert(let number) = kind { numbered = numbered.map { $0 + " RETURNING " + number } }
    self.postgres = numbered
    isLocking = locks == .player || locks == .game
    let lock = isLocking ? locks.map { " FOR UPDATE OF " + $0.rawValue } : nil
    postgresLocking = numbered.map { $0 + (lock ?? "") }
  }

  /// Converts the parameters to PostgreSQL's form: the first `?` and each `?1` become `$1`.
  private static func numbered(_ sql: String) -> String {
    var parts = sql.split(separator: "?", omittingEmptySubsequences: false)[...]
    var text = String(parts.popFirst() ?? "")
    for (place, part) in parts.enumerated() { text += (part.first?.isNumber == true ? "$" : "$\(place + 1)") + part }
    return text
  }
}
