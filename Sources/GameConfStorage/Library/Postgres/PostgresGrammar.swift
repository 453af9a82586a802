// Statements that only PostgreSQL is given.

/// Statements of one daemon; shared by every connection.
final class PostgresGrammar: Sendable {
  /// The table of lines is the one that every event adds to.
  static let lines = "player_lines"
  /// The audit log's numbers rise in the order of commits, without gaps: they come from a row that is locked last.
  static let audit = "audit"
  /// The players' rows are numbered by the database, which gives the number before the row is written.
  static let players = "players"

  /// The name by which this daemon is known.
  let writer: String

  init(writer: String = "") { self.writer = writer }

  /// The name of the number that is added to transactions' numbers, so that they rise also where a database was brought back on another server.
  private static let base = "line_base"
  private static let presentBase = "coalesce((SELECT number FROM numbers WHERE name = '\(base)'), 0)"

  /// Asks for numbers of lines to come: the transaction's own number, and behind it which of its lines it is. What is below the lowest transaction
  /// that is under way is then complete, for who reads lines in order.
  /// - Parameter given: how many the transaction was given already.
  func numbers(_ count: Int, after given: Int) -> PostgresCommand {
    PostgresCommand(
      """
      SELECT ((txid_current() + \(Self.presentBase)) << \(Self.placeBits)) + place FROM generate_series($1::BIGINT, $2::BIGINT) AS given (place)
      ORDER BY place
      """,
      [.integer(Int64(given + 1)), .integer(Int64(given + count))])
  }

  /// Gives the next player's row its number.
  static let nextPlayerNumber = "nextval(pg_get_serial_sequence('players', 'number'))"

  private static let placeBits = 16
  /// The number of lines that a transaction can add.
  static let linesMax = 1 << placeBits - 1

  /// No transaction below this is under way.
  static let linesBound = " AND number < ((txid_snapshot_xmin(txid_current_snapshot()) + \(presentBase)) << \(placeBits))"

  /// Raises what is added, where lines have higher numbers than the next transaction would give.
  static let raiseBase = PostgresCommand(
    """
    INSERT INTO numbers (name, number) SELECT '\(base)', (max(number) >> \(placeBits)) - txid_current() + 1 FROM player_lines
    HAVING (max(number) >> \(placeBits)) >= txid_current() + \(presentBase) ON CONFLICT (name) DO UPDATE SET number = excluded.number
    """)

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

  static func lastNumberName(_ table: String) -> String { lastNumberPrefix + table }
  private static let lastNumberPrefix = "last_number:"

  /// The name of the number that has the server's time when time was last counted.
  static let passedAt = "passed_at_ms"

  /// The prefixes of the names of numbers that only PostgreSQL has.
  static let ownNumbers = [base, lastNumberPrefix]

  /// The numbers of an answer's first column.
  static func integers(_ answer: PostgresResult) -> [Int64] { (0..<answer.rowsCount).compactMap { answer.integer($0, 0) } }
}
