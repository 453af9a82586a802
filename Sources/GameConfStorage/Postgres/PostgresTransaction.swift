// A transaction as the tables see it: what nobody waits for is kept back and sent with the next question, or with the commit.

/// A transaction over one connection; good for one thread.
///
/// Writes whose answer is known beforehand wait here. The next statement whose answer is wanted takes them along, all in one round trip, and
/// since the server runs them in order, it sees what they wrote.
final class PostgresTransaction: TableDatabase {
  /// A player's row as this transaction has it.
  struct RowVersion {
    var revision: Int64
    var head: Int64?
  }

  /// A place to go back to.
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
  /// The number of statements that change something were sent.
  private var sent = 0
  /// The number of times that the database was waited for.
  private(set) var waits = 0
  private var rowVersions: [Int64: RowVersion] = [:]
  /// The players whose row version was changed, in order.
  private var touched: [Int64] = []
  /// Numbers for lines to come.
  private var numbers: ArraySlice<Int64> = []
  /// The count of the numbers that the transaction was given.
  private var numbersGiven = 0
  /// The rows that are known before they are requested, and the scope of the transaction that runs.
  private var prefetched: PrefetchedRows
  private var writeScope = WriteScope.all
  /// The numbers of lists of leaderboards, which stay what they are.
  private(set) var boards: BoardNumbers
  private let boardsBefore: BoardNumbers
  /// The keys that were to be locked, and were not there.
  private var absent: Set<[PostgresValue]> = []
  /// The last numbers of tables that are numbered without gaps; their rows are locked.
  private var lastNumbers: [String: Int64] = [:]
  /// The first failure; nothing of the transaction can be kept then.
  private(set) var failure: DatabaseFailure?
  private(set) var changesCount = 0
  private(set) var lastInsertedRowID: Int64 = 0

  /// - Parameters:
  ///   - isWriting: whether it may write, so that what it decides by is locked as it is read.
  ///   - boards: the numbers of lists of leaderboards that are known.
  init(_ connection: PostgresConnection, _ grammar: PostgresGrammar, isWriting: Bool = false, boards: BoardNumbers = BoardNumbers()) {
    prefetched = PrefetchedRows(boards: boards)
    (self.boards, boardsBefore) = (boards, boards)
    self.connection = connection
    self.grammar = grammar
    self.isWriting = isWriting
  }

  /// Keeps a statement of ours back until the next is sent.
  func add(_ command: PostgresCommand) { waiting.append(command) }

  /// Sends what waits and these, in one round trip.
  /// - Returns: the answers to these.
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

  /// A point that a transaction may go back to.
  var mark: RollbackPoint { RollbackPoint(position: sent + waiting.count, touched: touched.count, lastNumbers: lastNumbers) }

  /// Drops what was written since.
  /// - Returns: false when a part of it was sent already: then only the server can undo it.
  func goBack(to mark: RollbackPoint) -> Bool {
    let written = sent + waiting.count - mark.position
    guard written <= waiting.count else { return false }
    waiting.removeLast(written)
    forgetRowVersions(since: mark)
    return true
  }

  /// A transaction was undone by the server: what was known of its players is not true any more.
  func forgetRowVersions(since mark: RollbackPoint) {
    for number in touched[min(mark.touched, touched.count)...] { rowVersions[number] = nil }
    boards = boardsBefore
    lastNumbers = mark.lastNumbers
    touched.removeLast(max(0, touched.count - mark.touched))
  }

  /// The writes at the end, beside those of transactions.
  var closing: [PostgresCommand] {
    lastNumbers.sorted { $0.key < $1.key }.map { grammar.setLastNumber(of: $0.key, $0.value) }
  }

  /// Notes a player's row that is locked.
  func note(_ number: Int64, _ rowVersion: RowVersion) { rowVersions[number] = rowVersion }

  /// The queries about players that go along with something else.
  func prefetching(_ scope: BatchScope) -> [PostgresCommand] { prefetched.questions(about: scope) }

  /// Takes the answers to that.
  func prefetch(_ given: ArraySlice<PostgresResult>, about scope: BatchScope, numbers: [PlayerID: Int64]) {
    prefetched.take(given, about: scope, numbers: numbers)
  }

  /// Another transaction begins.
  func begin(_ writeScope: WriteScope) { self.writeScope = writeScope }

  /// Takes numbers that were asked for along with something else.
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
    // The rows are the answer's, which must live for as long as they are read.
    return try withExtendedLifetime(answer) { try answer.rows.map(read) }
  }

  var writesManyRows: Bool { false }

  var countsLines: Bool { false }

  var ownSuffix: String { ":" + grammar.writer }

  /// By the server's clock, since every host reports the same time.
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

  func stands(_ place: PlayerRowPosition, at revision: Int64) -> Bool? {
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
        // Nothing can be locked where nothing is: what was decided from that is decided again.
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

  /// Drops what was prefetched.
  private func noteWrite() { if case .players(let ids) = writeScope { prefetched.forget(ids) } else { prefetched.forgetAll() } }

  func run(_ savepoint: Savepoint) {
    waiting.append(PostgresCommand(savepoint.sql))
    guard case .goBack = savepoint else { return }
    noteWrite()
    // A lock that was taken since is released with the rest, so what it guarded is read again.
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
      // What is added here may be looked for again.
      if table == PostgresGrammar.players { absent = [] }
      lastInsertedRowID = try number(for: table)
      waiting.append(try command(statement, arguments + [.integer(lastInsertedRowID)]))
      changesCount = 1
    case .certainChange:
      waiting.append(try command(statement, arguments, expects: 1))
      changesCount = 1
    case .answeringInsert:
      // What is added here may be looked for again.
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
