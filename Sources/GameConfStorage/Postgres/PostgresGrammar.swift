// Statements as PostgreSQL is told them, each translated once, and those that only PostgreSQL is told.
import GameConfCore
import Synchronization

/// Translates statements and keeps what it translated; shared by every connection.
final class PostgresGrammar: Sendable {
  /// The table of lines is the one that every event adds to.
  static let lines = "player_lines"
  /// The audit log's numbers rise in the order of commits, without gaps: they come from a row that is locked last.
  static let audit = "audit"

  private let dialect: PostgresDialect
  private let known = Mutex<(reading: [String: PostgresStatement], writing: [String: PostgresStatement])>(([:], [:]))

  init(_ schema: Schema) { dialect = PostgresDialect(steps: schema.steps.flatMap { $0 }, numbering: [Self.lines, Self.audit]) }

  /// - Parameter isWriting: whether the transaction may write by what the statement reads.
  func statement(_ sql: String, isWriting: Bool) -> PostgresStatement {
    if let found = known.withLock({ isWriting ? $0.writing[sql] : $0.reading[sql] }) { return found }
    let statement = dialect.statement(sql, isWriting: isWriting)
    known.withLock { if isWriting { $0.writing[sql] = statement } else { $0.reading[sql] = statement } }
    return statement
  }

  /// Asks for numbers of rows to come.
  func numbers(_ count: Int, for table: String) -> PostgresCommand {
    PostgresCommand(
      """
      SELECT nextval(place) FROM (
        SELECT pg_get_serial_sequence('\(table)', '\(dialect.numberColumn(of: table) ?? "number")')::REGCLASS AS place OFFSET 0
      ) AS named, generate_series(1, $1::BIGINT)
      """,
      [.integer(Int64(count))])
  }

  /// Locks the row that has the last number of a table, which is made where there is none, and asks for it.
  func lastNumber(of table: String) -> PostgresCommand {
    PostgresCommand(
      "INSERT INTO numbers (name, number) VALUES ($1, 0) ON CONFLICT (name) DO UPDATE SET number = numbers.number RETURNING number",
      [.text(Self.lastNumberName(table))])
  }

  /// Writes that number.
  func setLastNumber(of table: String, _ number: Int64) -> PostgresCommand {
    PostgresCommand("UPDATE numbers SET number = $1 WHERE name = $2", [.integer(number), .text(Self.lastNumberName(table))], expects: 1)
  }

  private static func lastNumberName(_ table: String) -> String { "last_number:" + table }

  /// The numbers of an answer's first column.
  static func integers(_ answer: PostgresResult) -> [Int64] { (0..<answer.rowsCount).compactMap { answer.integer($0, 0) } }

  /// A player's newest lines by an index, which a server that others write to beside us keeps at little cost; see ``LineRows/newest``.
  static let newestLines = """
    WITH lines AS (
      SELECT player_lines.number, player_lines.player, prior, entry FROM players JOIN player_lines ON player_lines.player = players.number
      WHERE game = ?1 AND players.player = ?2 AND entry >= ?3 ORDER BY entry DESC LIMIT \(PlayerLimits.historyEntriesMax)
    )
    """
}
