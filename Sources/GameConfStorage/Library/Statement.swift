// The store's SQL statements as constants, each with its text for both databases and the facts that a PostgreSQL transaction needs.
import Synchronization

/// An SQL statement on the store's tables: a constant that each database connection prepares once.
///
/// ```swift
/// static let number = Statement(.query, "SELECT number FROM players WHERE game = ? AND player = ?", locks: .player)
/// static let removal = Statement(.change, "DELETE FROM scenarios WHERE id = ?")
/// ```
///
/// One text serves SQLite and PostgreSQL where their SQL is equal; otherwise each has its own text. In PostgreSQL's text, a parameter `?`
/// or `?1` becomes `$1`. The statement's kind appends `RETURNING …`, and its lock appends `FOR UPDATE OF …`. Nothing else is rewritten.
final class Statement: Sendable {
  /// The effect of a statement, from which a PostgreSQL transaction predicts the server's answer. The transaction then need not wait for
  /// the answer.
  enum Kind: Sendable, Hashable {
    /// Reads rows, for which the transaction waits.
    case query
    /// Adds or replaces one row.
    case insert
    /// Adds or replaces one row. If the server reports no changed row, another transaction wrote the row first, and the batch must run
    /// again.
    case decisiveInsert
    /// Adds one row to a table with numbered rows. In PostgreSQL, gameconfd assigns the row's number, which is the statement's last
    /// parameter.
    case numberedInsert(table: String)
    /// Adds one row, and waits for the number that the database assigns to the row in this column.
    case answeringInsert(number: String)
    /// Changes any number of rows, and the caller waits for the number of changed rows.
    case change
    /// Changes any number of rows, and the caller does not need the number of changed rows.
    case uncountedChange
    /// Changes one row. If the server reports no changed row, another transaction changed the row first, and the batch must run again.
    case certainChange
  }

  /// The row that a query locks in a transaction that may write, so that a decision based on the row stays valid.
  enum Lock: String, Sendable {
    case player = "players"
    case game = "game_revisions"
    /// No lock, although the query reads the table `players` or `game_revisions`.
    case noRow
  }

  /// The kinds of query whose answers a PostgreSQL transaction may have read in advance; see ``PrefetchedRows``.
  enum PrefetchedKind: Sendable, Hashable {
    case player, place, number, revision, revisionBeside, boardRow, boardNumber
  }

  private static let count = Atomic(0)

  /// The position of the statement's prepared form in the array that each SQLite connection has.
  let index: Int
  let kind: Kind
  let sqlite: String
  /// The text for PostgreSQL; nil if only SQLite runs the statement.
  let postgres: String?
  /// The text for PostgreSQL with the lock of ``locks``. A transaction that may write uses this text.
  let postgresLocking: String?
  /// The row that the statement locks; nil if the statement reads neither players nor games' revisions.
  let locks: Lock?
  let prefetched: PrefetchedKind?
  /// True if the statement locks a row when a transaction that may write runs it.
  let isLocking: Bool

  /// Creates a statement with one text for SQLite and PostgreSQL.
  convenience init(_ kind: Kind, _ sql: String, locks: Lock? = nil, prefetched: PrefetchedKind? = nil) {
    self.init(kind, sqlite: sql, postgres: sql, locks: locks, prefetched: prefetched)
  }

  /// Creates a statement with a text for SQLite and another for PostgreSQL.
  /// - Parameter postgres: The text for PostgreSQL; nil if only SQLite runs the statement.
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
