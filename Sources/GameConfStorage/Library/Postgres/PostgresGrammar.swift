// SQL statements that only PostgreSQL runs.

/// The PostgreSQL statements of one daemon, shared by its connections.
final class PostgresGrammar: Sendable {
  /// The name of the table of players' history lines, to which every event adds a row.
  static let lines = "player_lines"
  /// The name of the audit log's table. Its ids rise in the order of commits, without gaps, because they come from a counter row that is
  /// locked last.
  static let audit = "audit"
  /// The name of the table of players. The database assigns the number of a row before the row is written.
  static let players = "players"

  /// This daemon's name in the table `writers`.
  let writer: String

  init(writer: String = "") { self.writer = writer }

  /// The name of the offset that is added to transaction ids, so that line numbers still rise after the database was restored on another
  /// server.
  private static let base = "line_base"
  private static let presentBase = "coalesce((SELECT number FROM numbers WHERE name = '\(base)'), 0)"

  /// Returns the query for the numbers of the next history lines. A number is the transaction's id, with the line's ordinal in the low
  /// bits. All lines below the lowest running transaction are therefore complete, and a reader in the order of numbers misses no line.
  /// - Parameter given: The count of numbers that the transaction has already got.
  func numbers(_ count: Int, after given: Int) -> PostgresCommand {
    PostgresCommand(
      """
      SELECT ((txid_current() + \(Self.presentBase)) << \(Self.placeBits)) + place FROM generate_series($1::BIGINT, $2::BIGINT) AS given (place)
      ORDER BY place
      """,
      [.integer(Int64(given + 1)), .integer(Int64(given + count))])
  }

  /// The SQL expression for the number of the next player's row.
  static let nextPlayerNumber = "nextval(pg_get_serial_sequence('players', 'number'))"

  private static let placeBits = 16
  /// The most history lines that a transaction can add.
  static let linesMax = 1 << placeBits - 1

  /// The SQL condition that a history line has a lower number than every running transaction can assign.
  static let linesBound = " AND number < ((txid_snapshot_xmin(txid_current_snapshot()) + \(presentBase)) << \(placeBits))"

  /// Raises the offset of line numbers if existing lines have higher numbers than the next transaction would assign.
  ///
  /// The statement's snapshot says which transaction is the next. The connecting host's own transaction may have begun before another host
  /// committed newer lines. If the offset were raised for those, readers could pass lines of transactions that still run.
  static let raiseBase = PostgresCommand(
    """
    INSERT INTO numbers (name, number) SELECT '\(base)', (max(number) >> \(placeBits)) - \(nextTransaction) + 1 FROM player_lines
    HAVING (max(number) >> \(placeBits)) >= \(nextTransaction) + \(presentBase) ON CONFLICT (name) DO UPDATE SET number = excluded.number
    """)

  private static let nextTransaction = "txid_snapshot_xmax(txid_current_snapshot())"

  /// Returns the statement that locks the counter row of a table, creates the row if needed, and reads the last number.
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

  /// The name of a stored instant by the server's clock. The time that has passed for retention is counted up to this instant.
  static let passedAt = "passed_at_ms"

  /// The name prefixes of the rows in the table `numbers` that only a store in PostgreSQL has.
  static let ownNumbers = [base, lastNumberPrefix]

  /// Returns the integers in the first column of an answer.
  static func integers(_ answer: PostgresResult) -> [Int64] { (0..<answer.rowsCount).compactMap { answer.integer($0, 0) } }
}
