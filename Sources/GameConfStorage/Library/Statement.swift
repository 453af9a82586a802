// The statements of the tables' code, each with its text in both databases and what PostgreSQL must know of it.
import Synchronization

/// A statement of the tables' code: a constant, which every connection prepares once.
///
/// ```swift
/// static let number = Statement(.query, "SELECT number FROM players WHERE game = ? AND player = ?", locks: .player)
/// static let removal = Statement(.change, "DELETE FROM scenarios WHERE id = ?")
/// ```
///
/// One text serves both databases where both take it; where they differ, both texts are given. In PostgreSQL's, `?` and `?1` are `$1`; `FOR UPDATE OF …`
/// and `RETURNING …` are added by the hints. Nothing else is rewritten.
final class Statement: Sendable {
  /// The part of the answer that a transaction over PostgreSQL knows beforehand, so that it need not wait for it.
  enum Kind: Sendable, Hashable {
    /// Its rows are wanted.
    case query
    /// It adds one row, or replaces one.
    case insert
    /// As `insert`; where it changes no row, another transaction was first.
    case decisiveInsert
    /// It adds one row of a table whose numbers gameconfd gives in PostgreSQL: the number is the last parameter there.
    case numberedInsert(table: String)
    /// It adds one row, which the database gives a number in this column.
    case answeringInsert(number: String)
    /// It changes any number of rows, and the number of them is wanted.
    case change
    /// It changes any number of rows, and the number of them is not wanted.
    case uncountedChange
    /// It changes one row; where it does not, another transaction was first.
    case certainChange
  }

  /// The row that a query locks in a transaction that may write: what is decided from the row is decided under its lock.
  enum Lock: String, Sendable {
    case player = "players"
    case game = "game_revisions"
    /// No row, though the query reads one of these tables.
    case noRow
  }

  /// A query whose answer may be known before it is sent; see ``PrefetchedRows``.
  enum PrefetchedKind: Sendable, Hashable {
    case player, place, number, revision, revisionBeside, boardRow, boardNumber
  }

  private static let count = Atomic(0)

  /// The statement's place among all, by which connections find what they prepared of it.
  let index: Int
  let kind: Kind
  let sqlite: String
  /// Nil where only SQLite is given the statement.
  let postgres: String?
  /// As ``postgres``, with the lock.
  let postgresLocking: String?
  /// Nil where the statement reads neither players nor games' revisions.
  let locks: Lock?
  let prefetched: PrefetchedKind?
  /// True if a transaction that may write locks a row by it.
  let isLocking: Bool

  /// A statement that both databases take.
  convenience init(_ kind: Kind, _ sql: String, locks: Lock? = nil, prefetched: PrefetchedKind? = nil) {
    self.init(kind, sqlite: sql, postgres: sql, locks: locks, prefetched: prefetched)
  }

  /// A statement that each database takes in its own words.
  /// - Parameter postgres: nil where only SQLite is given it.
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

  /// The text with PostgreSQL's parameters: the first `?` is `$1`, and so is each `?1`.
  private static func numbered(_ sql: String) -> String {
    var parts = sql.split(separator: "?", omittingEmptySubsequences: false)[...]
    var text = String(parts.popFirst() ?? "")
    for (place, part) in parts.enumerated() { text += (part.first?.isNumber == true ? "$" : "$\(place + 1)") + part }
    return text
  }
}
