// A PostgreSQL transaction. Writes with predictable answers are buffered, and sent with the next query or the commit.

/// A PostgreSQL transaction over one connection; valid on one thread.
///
/// Writes with predictable answers are buffered. The next statement whose answer is needed sends them along in one round trip. The server
/// runs the statements in order, so that statement sees the buffered writes.
final class PostgresTransaction: TableDatabase {
  /// The revision of a player's row, and the number of the player's newest history line, as of this transaction.
  struct RowVersion {
    var revision: Int64
    var head: Int64?
  }

  /// A position in the order of the transaction's writes, to which they can be rolled back.
  struct RollbackPoint {
    fileprivate var position: Int
    fileprivate var touched: Int
    fileprivate var lastNumbers: [String: Int64]
  }

  private static let numbersAtOnce = 256

  let connection: PostgresConnection
  private let grammar: PostgresGrammar
  private let isWriting: Bool
  private var waiting: [PostgresCommand] = []
  /// The number of changing statements that were sent to the server.
  private var sent = 0
  /// The number of round trips to the server.
  private(set) var waits = 0
  private var rowVersions: [Int64: RowVersion] = [:]
  /// The row numbers of the players whose row versions this transaction changed, in order.
  private var touched: [Int64] = []
  /// The unused numbers for the next history lines.
  private var numbers: ArraySlice<Int64> = []
  /// The count of line numbers that the transaction has got from the server.
  private var numbersGiven = 0
  /// The prefetched rows, which are used for queries about the players in ``writeScope``, the scope of the batch's current transaction.
  private var prefetched: PrefetchedRows
  private var writeScope = WriteScope.all
  /// The cached row numbers of leaderboard lists, which never change.
  private(set) var boards: BoardNumberCache
  private let boardsBefore: BoardNumberCache
  /// The arguments of queries that were to lock a row but found no row.
  private var absent: Set<[PostgresValue]> = []
  /// The last numbers of tables that are numbered without gaps; their counter rows are locked.
  private var lastNumbers: [String: Int64] = [:]
  /// The first failure, after which the transaction can only be rolled back.
  private(set) var failure: DatabaseFailure?
  private(set) var changesCount = 0
  private(set) var lastInsertedRowID: Int64 = 0

  /// - Parameters:
  ///   - isWriting: True if the transaction may write, so that it locks the rows that it reads for decisions.
  ///   - boards: The cached row numbers of leaderboard lists.
  init(_ connection: PostgresConnection, _ grammar: PostgresGrammar, isWriting: Bool = false, boards: BoardNumberCache = BoardNumberCache())
  {
    prefetched = PrefetchedRows(boards: boards)
    (self.boards, boardsBefore) = (boards, boards)
    self.connection = connection
    self.grammar = grammar
    self.isWriting = isWriting
  }

  /// Buffers a statement until the next round trip.
  func add(_ command: PostgresCommand) { waiting.append(command) }

  /// Sends the buffered statements and these in one round trip.
  /// - Returns: The results of `commands`, without those of the buffered statements.
  func round(_ commands: [PostgresCommand]) throws(DatabaseFailure) -> [PostgresResult] {
    let all = waiting + commands
    sent += waiting.count
    waits += 1
    waiting = []
    do throws(DatabaseFailure) { return Array(try connection.round(all).suffix(commands.count)) } catch {
      failure = failure ?? error
      throw error
    }
  }

  /// The present position, to which ``goBack(to:)`` can roll back.
  var mark: RollbackPoint { RollbackPoint(position: sent + waiting.count, touched: touched.count, lastNumbers: lastNumbers) }

  /// Drops the writes that were buffered since a position.
  /// - Returns: False if some were sent already, so that only the server can roll them back.
  func goBack(to mark: RollbackPoint) -> Bool {
    let written = sent + waiting.count - mark.position
    guard written <= waiting.count else { return false }
    waiting.removeLast(written)
    forgetRowVersions(since: mark)
    return true
  }

  /// Forgets the row versions that were changed since a position, because the writes are rolled back.
  func forgetRowVersions(since mark: RollbackPoint) {
    for number in touched[min(mark.touched, touched.count)...] { rowVersions[number] = nil }
    boards = boardsBefore
    lastNumbers = mark.lastNumbers
    touched.removeLast(max(0, touched.count - mark.touched))
  }

  /// The statements to send with the commit: updates of the counter rows from which gapless numbers come.
  var closing: [PostgresCommand] {
    lastNumbers.sorted { $0.key < $1.key }.map { grammar.setLastNumber(of: $0.key, $0.value) }
  }

  /// Records the version of a locked player's row.
  func note(_ number: Int64, _ rowVersion: RowVersion) { rowVersions[number] = rowVersion }

  /// Returns the queries that prefetch rows of players.
  func prefetching(_ scope: BatchScope) -> [PostgresCommand] { prefetched.questions(about: scope) }

  /// Stores the results of the queries of ``prefetching(_:)``.
  func prefetch(_ given: ArraySlice<PostgresResult>, about scope: BatchScope, numbers: [PlayerID: Int64]) {
    prefetched.take(given, about: scope, numbers: numbers)
  }

  /// Begins the next transaction of the batch.
  func begin(_ writeScope: WriteScope) { self.writeScope = writeScope }

  /// Adds numbers for history lines, which were queried together with other statements.
  func take(_ given: [Int64]) {
    numbers += given
    numbersGiven += given.count
  }

  func rows(_ statement: Statement, _ arguments: SQLiteArguments) throws -> [Row] {
    try ask(statement, Self.values(arguments)).rows.map(Row.init)
  }

  func row(_ statement: Statement, _ arguments: SQLiteArguments) throws -> Row? {
    try ask(statement, Self.values(arguments)).rows.first.map(Row.init)
  }

  func run(_ statement: Statement, _ arguments: SQLiteArguments) throws { try run(statement, Self.values(arguments)) }

  func run(_ statement: Statement, binding bind: (inout SQLiteStatement) -> Void) throws {
    var list = SQLiteStatement()
    bind(&list)
    try run(statement, list.recorded)
  }

  func read<Read>(
    _ statement: Statement, binding bind: (inout SQLiteStatement) -> Void, each read: (RawRow) throws -> Read
  ) throws -> [Read] {
    var list = SQLiteStatement()
    bind(&list)
    let answer = try ask(statement, list.recorded)
    // The rows point into the result, so it must stay alive while they are read.
    return try withExtendedLifetime(answer) { try answer.rows.map(read) }
  }

  var writesManyRows: Bool { false }

  var countsLines: Bool { false }

  var ownSuffix: String { ":" + grammar.writer }

  /// Measures by the server's clock, because each host of a fleet reports the same passage of time, which must be counted only once.
  func timePassed(_ milliseconds: Int64) throws -> Int64 {
    let answers = try round([
      PostgresCommand("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT"),
      PostgresCommand("SELECT number FROM numbers WHERE name = $1 FOR UPDATE", [.text(PostgresGrammar.passedAt)]),
    ])
    guard let now = answers.first?.integer(0, 0) else { throw DatabaseFailure(.failed, "the database does not report its time") }
    let last = answers.last.flatMap { $0.rowsCount == 1 ? $0.integer(0, 0) : nil }
    _ = try round([
      PostgresCommand(
        "INSERT INTO numbers (name, number) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET number = excluded.number",
        [.text(PostgresGrammar.passedAt), .integer(now)])
    ])
    sent += 1
    return last.map { max(0, min(now - $0, StoreLimits.timeStepMilliseconds)) } ?? milliseconds
  }

  func isCurrent(_ place: PlayerRowPosition, at revision: Int64) -> Bool? {
    rowVersions[place.number].map { $0.revision == revision && $0.head == place.head }
  }

  func moved(_ place: PlayerRowPosition, to revision: Int64) {
    touched.append(place.number)
    rowVersions[place.number] = RowVersion(revision: revision, head: place.head)
  }

  private func ask(_ statement: Statement, _ arguments: [PostgresValue]) throws(DatabaseFailure) -> PostgresRows {
    if statement.prefetched == .boardNumber, let known = boards.number(arguments) { return known }
    let answer: PostgresRows
    if case .players(let ids) = writeScope, let known = prefetched.answer(statement, arguments, about: ids) {
      answer = known
    } else {
      guard let last = try round([try command(statement, arguments)]).last else { throw DatabaseFailure(.failed, "a query has no answer") }
      answer = PostgresRows(last)
      if statement.prefetched == .boardNumber { boards.take(answer, to: arguments) }
      if statement.prefetched == .boardRow { boards.note(arguments) }
    }
    if isWriting, statement.isLocking {
      if answer.isEmpty {
        absent.insert(arguments)
      } else if absent.contains(arguments) {
        // A missing row cannot be locked, so another host may have added the row since: the batch must decide again.
        failure = DatabaseFailure(.raced, "a row was added by another host")
        throw DatabaseFailure(.raced, "a row was added by another host")
      }
    }
    return answer
  }

  private func command(
    _ statement: Statement, _ arguments: [PostgresValue], expects: Int? = nil
  ) throws(DatabaseFailure) -> PostgresCommand {
    guard let sql = isWriting ? statement.postgresLocking : statement.postgres else {
      throw DatabaseFailure(.failed, "only SQLite has the statement “\(statement.sqlite.prefix(60))”")
    }
    return PostgresCommand(sql, arguments, expects: expects)
  }

  /// Drops the prefetched rows of the players in the scope, because a write may change them.
  private func noteWrite() { if case .players(let ids) = writeScope { prefetched.forget(ids) } else { prefetched.forgetAll() } }

  func run(_ savepoint: Savepoint) {
    waiting.append(PostgresCommand(savepoint.sql))
    guard case .goBack = savepoint else { return }
    noteWrite()
    // Rolling back to a savepoint releases the locks that were taken after it, so the rows under these locks are read again.
    (rowVersions, lastNumbers, boards) = ([:], [:], boardsBefore)
  }

  private func run(_ statement: Statement, _ arguments: [PostgresValue]) throws {
    noteWrite()
    switch statement.kind {
    case .insert:
      waiting.append(try command(statement, arguments))
      changesCount = 1
    case .uncountedChange: waiting.append(try command(statement, arguments))
    case .decisiveInsert:
      absent = []
      waiting.append(try command(statement, arguments, expects: 1))
      changesCount = 1
    case .numberedInsert(let table):
      // A query that did not find the added row may find it now, without another host having written it.
      if table == PostgresGrammar.players { absent = [] }
      lastInsertedRowID = try number(for: table)
      waiting.append(try command(statement, arguments + [.integer(lastInsertedRowID)]))
      changesCount = 1
    case .certainChange:
      waiting.append(try command(statement, arguments, expects: 1))
      changesCount = 1
    case .answeringInsert:
      // A query that did not find the added row may find it now, without another host having written it.
      absent = []
      let answer = try round([try command(statement, arguments)])
      sent += 1
      guard let number = answer.last?.integer(0, 0) else { throw DatabaseFailure(.failed, "a new row has no number") }
      lastInsertedRowID = number
      changesCount = 1
    case .change, .query:
      let answer = try round([try command(statement, arguments)])
      sent += 1
      changesCount = answer.last?.changesCount ?? 0
    }
  }

  private func number(for table: String) throws(DatabaseFailure) -> Int64 {
    if table == PostgresGrammar.audit { return try numberWithoutGap(for: table) }
    if table == PostgresGrammar.players { return try playerNumber() }
    if let number = numbers.popFirst() { return number }
    guard numbersGiven + Self.numbersAtOnce <= PostgresGrammar.linesMax else {
      throw DatabaseFailure(.failed, "too many lines in one transaction")
    }
    take(try round([grammar.numbers(Self.numbersAtOnce, after: numbersGiven)]).last.map(PostgresGrammar.integers) ?? [])
    guard let number = numbers.popFirst() else { throw DatabaseFailure(.failed, "the database gives no numbers for \(table)") }
    return number
  }

  private func playerNumber() throws(DatabaseFailure) -> Int64 {
    if case .players(let ids) = writeScope, let number = prefetched.newNumber(of: ids) { return number }
    guard let number = try round([PostgresCommand("SELECT " + PostgresGrammar.nextPlayerNumber)]).last?.integer(0, 0) else {
      throw DatabaseFailure(.failed, "the database gives no number for a player")
    }
    return number
  }

  private func numberWithoutGap(for table: String) throws(DatabaseFailure) -> Int64 {
    var last = lastNumbers[table]
    if last == nil { last = try round([grammar.lastNumber(of: table)]).last?.integer(0, 0) }
    guard let last else { throw DatabaseFailure(.failed, "the database does not report the last number of \(table)") }
    lastNumbers[table] = last + 1
    return last + 1
  }

  private static func values(_ arguments: SQLiteArguments) -> [PostgresValue] {
    var list = SQLiteStatement()
    for argument in arguments { if let argument { argument.bind(to: &list) } else { list.bind(nil as Int64?) } }
    return list.recorded
  }
}
