// Statements that only PostgreSQL gets.

/// The PostgreSQL statements of one daemon, shared by its connections.
final class PostgresGrammar: Sendable {
  /// The table of history lines, to which every event adds.
  static let lines = "player_lines"
  /// The audit log. Its ids rise in the order of commits, without gaps, because they come from a counter row that is locked last.
  static let audit = "audit"
  /// The table of players. The database assigns the number of a row before the row is written.
  static let players = "players"

  /// This daemon's name among the writers.
  let writer: String

  init(writer: String = "") { self.writer = writer }

  /// The name of the offset added to transaction ids, so that line numbers rise after the database was restored on another server.
  private static let base = "line_base"
  private static let presentBase = "coalesce((SELECT number FROM numbers WHERE name = '\(base)'), 0)"

  /// Returns the query of numbers for the next lines: the transaction's id with the line's ordinal in the low bits. All lines below the
  /// lowest running transaction are therefore complete, so a reader in order misses none.
  /// - Parameter given: The number of lines that the transaction has already numbered.
  func numbers(_ count: Int, after given: Int) -> PostgresCommand {
    PostgresCommand(
      """
      SELECT ((txid_current() + \(Self.presentBase)) << \(Self.placeBits)) + place FROM generate_series($1::BIGINT, $2::BIGINT) AS given (place)
      ORDER BY place
      """,
      [.integer(Int64(given + 1)), .integer(Int64(given + count))])
  }

  /// Returns the number for the next player's row.
  static let nextPlayerNumber = "nextval(pg_get_serial_sequence('players', 'number'))"

  private static let placeBits = 16
  /// The most lines that a transaction can add.
  static let linesMax = 1 << placeBits - 1

  /// The condition that a line is below all running transactions.
  static let linesBound = " AND number < ((txid_snapshot_xmin(txid_current_snapshot()) + \(presentBase)) << \(placeBits))"

  /// Raises the offset if existing lines have higher numbers than the next transaction would assign.
  static let raiseBase = PostgresCommand(
    """
    INSERT INTO numbers (name, number) SELECT '\(base)', (max(number) >> \(placeBits)) - txid_current() + 1 FROM player_lines
    HAVING (max(number) >> \(placeBits)) >= txid_current() + \(presentBase) ON CONFLICT (name) DO UPDATE SET number = excluded.number
    """)

  /// Locks the counter row of a table, creates it if needed, and returns the last number.
  func lastNumber(of table: String) -> PostgresCommand {
    PostgresCommand(
      "INSERT INTO numbers (name, number) VALUES ($1, 0) ON CONFLICT (name) DO UPDATE SET number = numbers.number RETURNING number",
      [.text(Self.lastNumberName(table))])
  }

  func setLastNumber(of table: String, _ number: Int64) -> PostgresCommand {
    PostgresCommand("UPDATE numbers SET number = $1 WHERE name = $2", [.integer(number), .text(Self.lastNumberName(table))], expects: 1)
  }

  static func lastNumberName(_ table: String) -> String { lastNumberPrefix + table }
  private static let lastNumberPrefix = "last_number:"

  /// The name of the server time up to which elapsed time was counted.
  static let passedAt = "passed_at_ms"

  /// The prefixes of the names of numbers that only PostgreSQL has.
  static let ownNumbers = [base, lastNumberPrefix]

  /// Returns the integers in the first column of an answer.
  static func integers(_ answer: PostgresResult) -> [Int64] { (0..<answer.rowsCount).compactMap { answer.integer($0, 0) } }
}
