// A connection to PostgreSQL over libpq, in pipeline mode: many statements are sent together and answered in order.
import CPostgres
import Glibc

/// A connection to PostgreSQL. It is unchecked `Sendable`, because one thread uses it at a time.
///
/// ```swift
/// let connection = try PostgresConnection(settings, for: .writing)
/// let answers = try connection.round([PostgresCommand("BEGIN"), PostgresCommand("SELECT revision FROM game_revisions")])
/// connection.close()
/// ```
final class PostgresConnection: @unchecked Sendable {
  /// The purpose of a connection, shown in the server's list of connections.
  enum PostgresPurpose: String, Sendable {
    case writing, reading, following
  }

  private static let connectSeconds = 5
  private static let tcpUserTimeoutMilliseconds = 5_000
  private static let idleInTransactionMilliseconds = 30_000
  private static let scratchBytesMax = 1 << 20
  private static let preparedMax = 1_000

  private let handle: OpaquePointer
  private let settings: PostgresSettings
  /// The names of the statements that are prepared on this connection, by their SQL. The SQL is gameconfd's own, and there is little of it.
  private var prepared: [String: String] = [:]
  private var preparedCount = 0
  private var scratch: [UInt8] = []
  private var isOpen = true
  /// True between BEGIN and the end of the transaction.
  private var isInTransaction = false
  /// The timeout of an answer in milliseconds; negative for no timeout. An overdue commit fails as `.late`, any other statement as
  /// `.disconnected`.
  var patienceMilliseconds: Int32 = -1
  /// True if each part of an answer that arrives restarts the timeout: a large answer takes long, but a hanging server sends nothing.
  var restartsTimeout = false
  /// True if a commit returns only when the server's synchronous standbys have it. False for a write on which no acknowledged change
  /// depends, so that it does not wait for a missing standby. A later commit that waits covers the write too.
  var waitsForStandbys = true
  private var deadline: ContinuousClock.Instant?
  /// True while the answer to a commit is pending.
  private var isCommitting = false

  /// Connects, and checks that the server can hold the store's tables.
  init(_ settings: PostgresSettings, for purpose: PostgresPurpose) throws(DatabaseFailure) {
    self.settings = settings
    if let fault = cpostgres_load() { throw DatabaseFailure(.unreachable, String(cString: fault)) }
    // For libpq a later option overrides an earlier one, so the connection string overrides only the options that are listed before it.
    let options: [(String, String)] = [
      ("connect_timeout", "\(Self.connectSeconds)"), ("tcp_user_timeout", "\(Self.tcpUserTimeoutMilliseconds)"), ("keepalives_idle", "10"),
      ("keepalives_interval", "5"),
      ("application_name", "gameconfd \(purpose.rawValue)"), ("dbname", settings.connection), ("client_encoding", "UTF8"),
      ("target_session_attrs", "read-write"),
    ]
    let connected = Self.withStrings(options.map(\.0)) { keywords in
      Self.withStrings(options.map(\.1)) { cpostgres_PQconnectdbParams(keywords, $0, 1) }
    }
    guard let connected else { throw DatabaseFailure(.unreachable, "no memory for a connection") }
    handle = connected
    cpostgres_silence(connected)
    guard cpostgres_PQstatus(connected) == CPOSTGRES_CONNECTION_OK else {
      let error = DatabaseFailure(.unreachable, Self.message(of: connected))
      cpostgres_PQfinish(connected)
      isOpen = false
      throw error
    }
    do throws(DatabaseFailure) { try greet() } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  private func greet() throws(DatabaseFailure) {
    let version = Int(cpostgres_PQserverVersion(handle))
    guard version >= PostgresSettings.serverVersionMin else {
      throw DatabaseFailure(
        .unreachable, "the server is of version \(version / 10_000); \(PostgresSettings.serverVersionMin / 10_000) or newer is needed")
    }
    let encoding = cpostgres_PQparameterStatus(handle, "server_encoding").map { String(cString: $0) } ?? "unknown"
    guard encoding == "UTF8" else {
      throw DatabaseFailure(
        .unreachable, "the database has the encoding \(encoding); gameconfd needs one with UTF8 (CREATE DATABASE … ENCODING 'UTF8')")
    }
    guard cpostgres_PQsetnonblocking(handle, 1) == 0, cpostgres_PQenterPipelineMode(handle) == 1 else {
      throw DatabaseFailure(.disconnected, Self.message(of: handle))
    }
    if settings.prepares { _ = try round(preparation(isLocal: false) + [Self.byKey]) }
  }

  /// Disables sequential scans, because all queries here look up rows by key. A statement that is prepared while a table is small is
  /// planned as a scan. It keeps that plan while the table grows, until the server analyzes the table again. A server without the setting
  /// uses other plans.
  private static let byKey = PostgresCommand(
    "SELECT CASE WHEN current_setting('enable_seqscan', true) IS NOT NULL THEN set_config('enable_seqscan', 'off', false) END")

  /// Disables just-in-time compilation, which costs more than running these short statements.
  private static func withoutCompiling(isLocal: Bool) -> PostgresCommand {
    PostgresCommand("SELECT CASE WHEN current_setting('jit', true) IS NOT NULL THEN set_config('jit', 'off', \(isLocal)) END")
  }

  /// Disables waiting for synchronous standbys in one transaction. Servers without the setting have no such standbys.
  private static let withoutStandbys = PostgresCommand(
    "SELECT CASE WHEN current_setting('synchronous_commit', true) IS NOT NULL THEN set_config('synchronous_commit', 'local', true) END")

  private func preparation(isLocal: Bool) -> [PostgresCommand] {
    let set = isLocal ? "SET LOCAL" : "SET"
    let standbys = isLocal && !waitsForStandbys ? [Self.withoutStandbys] : []
    return standbys + [
      PostgresCommand("\(set) search_path TO \(settings.quotedSchema)"),
      PostgresCommand("\(set) idle_in_transaction_session_timeout TO \(Self.idleInTransactionMilliseconds)"),
      PostgresCommand("\(set) standard_conforming_strings TO on"), Self.withoutCompiling(isLocal: isLocal),
    ]
  }

  /// The server's version, such as `16.4`.
  var serverVersion: String {
    let version = Int(cpostgres_PQserverVersion(handle))
    return "\(version / 10_000).\(version % 10_000)"
  }

  /// The socket to poll for notifications.
  var descriptor: Int32 { cpostgres_PQsocket(handle) }

  /// Sends statements together and waits for all answers.
  /// - Throws: The error of the first statement that fails, after which the server runs no further statement. If a statement changed
  ///   another number of rows than ``PostgresCommand/expects``, a failure of the kind ``PostgresCommand/unexpected``, after all statements
  ///   have run.
  func round(_ commands: [PostgresCommand]) throws(DatabaseFailure) -> [PostgresResult] {
    let isBeginning = commands.first?.sql.hasPrefix("BEGIN") == true
    let isEnding = commands.contains { ["COMMIT", "ROLLBACK"].contains($0.sql) }
    defer { if isEnding { isInTransaction = false } else if isBeginning { isInTransaction = true } }
    if isInTransaction || isEnding && !isBeginning { return try send(commands) }
    if settings.prepares {
      if waitsForStandbys { return try send(commands) }
      // Statements that are sent together are one implicit transaction, so disabling the wait for standbys applies to all of them.
      let place = isBeginning ? 1 : 0
      var answers = try send(commands.prefix(place) + [Self.withoutStandbys] + commands.dropFirst(place))
      answers.remove(at: place)
      return answers
    }
    // Behind a connection pooler, session settings would reach another client, so they are set per transaction. A pooled
    // transaction ends with `END`: an overdue answer to `COMMIT` fails as `.late`, and to any other statement as `.disconnected`.
    let preparation = preparation(isLocal: true)
    if isBeginning { return Self.without(preparation.count, try send([commands[0]] + preparation + commands.dropFirst())) }
    do throws(DatabaseFailure) {
      let answers = try send([PostgresCommand("BEGIN")] + preparation + commands + [PostgresCommand("END")])
      return Array(answers.dropFirst(preparation.count + 1).dropLast())
    } catch {
      if error.kind != .disconnected { _ = try? send([PostgresCommand("ROLLBACK")]) }
      throw error
    }
  }

  private static func without(_ count: Int, _ answers: [PostgresResult]) -> [PostgresResult] {
    Array(answers.prefix(1) + answers.dropFirst(count + 1))
  }

  private func send(_ commands: [PostgresCommand]) throws(DatabaseFailure) -> [PostgresResult] {
    guard isOpen else { throw DatabaseFailure(.disconnected, "the connection is closed") }
    isCommitting = commands.contains { $0.sql == "COMMIT" }
    deadline = patienceMilliseconds < 0 ? nil : .now + .milliseconds(Int(patienceMilliseconds))
    var sent: [PendingReply] = []
    for (number, command) in commands.enumerated() { try send(command, number, &sent) }
    guard cpostgres_PQpipelineSync(handle) == 1 else { throw lost() }
    try flush()
    return try receive(sent, commands)
  }

  /// Returns the payloads of the notifications received so far, without waiting.
  func announcements() throws(DatabaseFailure) -> [String] {
    guard cpostgres_PQconsumeInput(handle) == 1 else { throw lost() }
    var payloads: [String] = []
    while let notify = cpostgres_PQnotifies(handle) {
      payloads.append(notify.pointee.extra.map { String(cString: $0) } ?? "")
      cpostgres_PQfreemem(notify)
    }
    return payloads
  }

  /// True if the server has sent something or has closed the connection.
  var hasAnswered: Bool {
    guard isOpen else { return true }
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) != 0
  }

  /// Closes the connection; the server rolls back an open transaction.
  func close() {
    guard isOpen else { return }
    isOpen = false
    cpostgres_PQfinish(handle)
  }

  /// A reply that the server still owes: to the preparation of a statement, or to a statement, by its number in the round trip.
  private enum PendingReply {
    case preparation(String)
    case statement(Int)
  }

  private func send(_ command: PostgresCommand, _ number: Int, _ sent: inout [PendingReply]) throws(DatabaseFailure) {
    let name: String
    if let known = prepared[command.sql] {
      name = known
    } else if !settings.prepares || command.isOfAllColumns {
      let isSent = withParameters(command.arguments) { count, values, lengths, formats in
        cpostgres_PQsendQueryParams(handle, command.sql, count, nil, values, lengths, formats, 1)
      }
      guard isSent == 1 else { throw lost() }
      return sent.append(.statement(number))
    } else {
      preparedCount += 1
      name = "g\(preparedCount)"
      guard prepared.count < Self.preparedMax else { throw DatabaseFailure(.failed, "too many statements are prepared") }
      prepared[command.sql] = name
      guard cpostgres_PQsendPrepare(handle, name, command.sql, 0, nil) == 1 else { throw lost() }
      sent.append(.preparation(command.sql))
    }
    let isSent = withParameters(command.arguments) { count, values, lengths, formats in
      cpostgres_PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
    }
    guard isSent == 1 else { throw lost() }
    sent.append(.statement(number))
  }

  /// Encodes the parameters of a statement for libpq. Numbers and lists become text, whose type the server infers. Texts and bytes are sent
  /// in binary form.
  private func withParameters<Answer>(
    _ arguments: [PostgresValue],
    _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Answer
  ) -> Answer {
    scratch.removeAll(keepingCapacity: scratch.capacity <= Self.scratchBytesMax)
    var starts: [Int?] = []
    var lengths: [Int32] = []
    var formats: [Int32] = []
    for argument in arguments {
      let start = scratch.count
      switch argument {
      case .null: break
      case .integer(let integer): scratch.append(contentsOf: String(integer).utf8)
      case .text(let text): scratch.append(contentsOf: text.utf8)
      case .utf8(let bytes), .blob(let bytes): scratch.append(contentsOf: bytes)
      case .texts(let texts): scratch.append(contentsOf: PostgresValue.literal(texts).utf8)
      }
      if case .null = argument { starts.append(nil) } else { starts.append(start) }
      lengths.append(Int32(scratch.count - start))
      switch argument {
      case .integer, .texts: formats.append(0)
      default: formats.append(1)
      }
      scratch.append(0)
    }
    return scratch.withUnsafeBytes { bytes in
      let base = bytes.assumingMemoryBound(to: CChar.self).baseAddress
      let values: [UnsafePointer<CChar>?] = starts.map { start in start.flatMap { start in base.map { $0 + start } } }
      return body(Int32(arguments.count), values, lengths, formats)
    }
  }

  /// Sends the buffered statements, and reads answers meanwhile. Otherwise both sides could block: the server stops reading while its
  /// answers are not read.
  private func flush() throws(DatabaseFailure) {
    while true {
      switch cpostgres_PQflush(handle) {
      case 0: return
      case 1: break
      default: throw lost()
      }
      try wait(for: Int16(POLLIN | POLLOUT))
      guard cpostgres_PQconsumeInput(handle) == 1 else { throw lost() }
    }
  }

  private func wait(for events: Int16) throws(DatabaseFailure) {
    var polled = pollfd(fd: descriptor, events: events, revents: 0)
    while true {
      switch poll(&polled, 1, millisecondsLeft) {
      case 0 where isCommitting:
        throw DatabaseFailure(
          .late, "a commit has not come back for \(patienceMilliseconds) ms; if a synchronous standby is gone, the server waits for it")
      case 0: throw DatabaseFailure(.disconnected, "the server has not answered for \(patienceMilliseconds) ms")
      case 1...:
        if restartsTimeout, deadline != nil { deadline = .now + .milliseconds(Int(patienceMilliseconds)) }
        return
      default: if errno != EINTR { throw DatabaseFailure(.disconnected, String(cString: strerror(errno))) }
      }
    }
  }

  private var millisecondsLeft: Int32 {
    guard let deadline else { return -1 }
    let left = ContinuousClock.now.duration(to: deadline).components
    return max(0, Int32(clamping: left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000))
  }

  private func next() throws(DatabaseFailure) -> OpaquePointer? {
    while cpostgres_PQisBusy(handle) == 1 {
      try wait(for: Int16(POLLIN))
      guard cpostgres_PQconsumeInput(handle) == 1 else { throw lost() }
    }
    return cpostgres_PQgetResult(handle)
  }

  private func receive(_ sent: [PendingReply], _ commands: [PostgresCommand]) throws(DatabaseFailure) -> [PostgresResult] {
    var results: [PostgresResult] = []
    results.reserveCapacity(commands.count)
    var first: DatabaseFailure?
    for expected in sent {
      guard let answer = try next() else { throw lost() }
      let status = cpostgres_PQresultStatus(answer)
      let isGood = status == CPOSTGRES_COMMAND_OK || status == CPOSTGRES_TUPLES_OK
      if !isGood, first == nil { first = Self.error(of: answer) }
      switch expected {
      case .preparation(let sql):
        if !isGood { prepared[sql] = nil }
        cpostgres_PQclear(answer)
      case .statement(let number):
        let result = PostgresResult(answer)
        if isGood, first == nil {
          results.append(result)
          if let expects = commands[number].expects, result.changesCount != expects {
            first = DatabaseFailure(commands[number].unexpected, "a row was changed by another host")
          }
        }
      }
      while let rest = try next() { cpostgres_PQclear(rest) }
      // The server closed the session, so no further answer arrives.
      guard cpostgres_PQstatus(handle) == CPOSTGRES_CONNECTION_OK else { throw first.map { ended($0) } ?? lost() }
    }
    guard let end = try next() else { throw lost() }
    let isSynchronized = cpostgres_PQresultStatus(end) == CPOSTGRES_PIPELINE_SYNC
    cpostgres_PQclear(end)
    guard isSynchronized else { throw lost() }
    if let first { throw first }
    return results
  }

  private func lost() -> DatabaseFailure {
    let words = Self.message(of: handle)
    return DatabaseFailure(.disconnected, words.isEmpty ? "the connection ended" : words)
  }

  private func ended(_ error: DatabaseFailure) -> DatabaseFailure { DatabaseFailure(.disconnected, error.message, state: error.state) }

  private static func error(of result: OpaquePointer) -> DatabaseFailure {
    let state = cpostgres_PQresultErrorField(result, Int32(CPOSTGRES_SQLSTATE)).map { String(cString: $0) } ?? ""
    let words = cpostgres_PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
    return state.isEmpty
      ? DatabaseFailure(.disconnected, words.isEmpty ? "the connection ended" : words) : DatabaseFailure(state: state, message: words)
  }

  private static func message(of connection: OpaquePointer) -> String {
    cpostgres_PQerrorMessage(connection).map { String(cString: $0) } ?? ""
  }

  /// Calls a function with the texts as a null-terminated array of C strings.
  private static func withStrings<Answer>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Answer) -> Answer {
    let pointers = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: texts.count + 1)
    for (at, text) in texts.enumerated() { (pointers + at).initialize(to: strdup(text).map { UnsafePointer($0) }) }
    (pointers + texts.count).initialize(to: nil)
    defer {
      for at in texts.indices { free(UnsafeMutablePointer(mutating: pointers[at])) }
      pointers.deallocate()
    }
    return body(pointers)
  }
}
