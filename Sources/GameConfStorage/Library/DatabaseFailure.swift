// A failure reported by a database, and its meaning for the store.
import CSQLite
import Glibc

/// An error of SQLite, of PostgreSQL or of the host's file system, with its consequence for the store.
struct DatabaseFailure: Error, CustomStringConvertible {
  /// The class of a failure, which decides how the store reacts.
  enum Kind: Sendable, Hashable {
    /// The database file or a row in it has invalid contents. The store checks a damaged file a second time, and renames it if the damage
    /// is confirmed.
    case damaged
    /// No space is left on this host's disk or on the database server's. A later write may find space again.
    case noSpace
    /// The disk is not writable, or the PostgreSQL server refuses writes: it is a standby, or is configured as read-only. A later write may
    /// succeed.
    case readOnly
    /// The library libpq is missing, no configured server is reachable, or the database cannot have this store: the server is too old, or
    /// the tables belong to another program, another fleet or a newer gameconfd.
    case unreachable
    case disconnected
    /// The answer to a `COMMIT` is overdue. The server may have committed already, or may wait for a synchronous standby.
    case late
    /// A conflict of transactions: another one changed the same rows first, so this one must read and decide again.
    case raced
    /// Another session has taken this writer's row in the table `writers`, or a move of the store has ended all sessions. This session's
    /// batches are refused.
    case fenced
    /// The server refuses all clients for now: it is starting, stopping, or has too many connections.
    case busy
    /// The SQL statement is invalid: the server rejects a value, or a table is missing.
    case refused
    /// Any other failure: a lock held by another program, a disk error, a file that cannot be opened.
    case failed
  }

  /// The error code of the database engine.
  enum Code: Sendable, Hashable {
    /// SQLite's extended result code.
    case sqlite(Int32)
    /// PostgreSQL's SQLSTATE, five characters; empty if the server sent none.
    case postgres(String)
  }

  let kind: Kind
  /// The database engine's message, or the advice to the operator that replaces it.
  let message: String
  /// The database engine's error code; nil for a failure that neither SQLite nor PostgreSQL reported.
  let code: Code?
  /// The message, followed by the engine's code unless advice replaced the engine's message.
  let description: String

  private init(_ kind: Kind, _ message: String, _ code: Code?, _ description: String? = nil) {
    self.kind = kind
    self.message = message
    self.code = code
    self.description = description ?? message
  }

  /// Converts any error of the store. A ``StateFault`` is converted by its code, and an error of an unknown type becomes ``Kind/failed``.
  init(_ error: any Error) {
    self =
      switch error {
      case let failure as DatabaseFailure: failure
      case let fault as StateFault: fault.failure
      default: .failing("\(error)")
      }
  }

  /// Returns the failure for a row or a file that cannot be decoded.
  static func damaged(_ words: String) -> DatabaseFailure { DatabaseFailure(.damaged, words.onOneLine, nil) }

  /// Returns a failure of the kind ``Kind/failed`` with this message, and without a code.
  static func failing(_ words: String) -> DatabaseFailure { DatabaseFailure(.failed, words, nil) }

  /// The failure of a write when the disk of the state directory is full.
  static let noSpace = DatabaseFailure(.noSpace, "no space is left", nil)
  /// The failure of a write when the disk of the state directory is not writable.
  static let readOnly = DatabaseFailure(.readOnly, "the disk is read-only", nil)

  /// True if one row is malformed in an otherwise readable database.
  var isOfRow: Bool { kind == .damaged && code == nil }

  var storeError: StoreError {
    switch (kind, code) {
    case (.damaged, _): .unavailable("the database is damaged: \(message)")
    // The full disk is the server's, not the state directory's, so the server's message says what to do.
    case (.noSpace, .postgres): .serverDiskFull(description)
    case (.noSpace, _): .noSpace
    case (.readOnly, .postgres): .failed("the database refuses writes: \(description)")
    case (.readOnly, _): .readOnly
    default: .failed(description)
    }
  }
}

extension String {
  /// The text with its line breaks replaced by spaces. SQLite's messages about schemas and damage can have several lines, but a message of
  /// the store has one.
  var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

extension DatabaseFailure {
  /// Creates the failure of a call to SQLite.
  /// - Parameters:
  ///   - code: SQLite's extended result code.
  ///   - systemCode: The `errno` of the failed system call; 0 if there is none.
  init(sqlite code: Int32, _ message: String, systemCode: Int32 = 0) {
    func failure(_ kind: Kind, _ message: String, _ description: String? = nil) -> DatabaseFailure {
      DatabaseFailure(kind, message, .sqlite(code), description)
    }
    let message = message.onOneLine
    let words = "\(message) (SQLite \(code))"
    self =
      switch code & 0xff {
      case SQLITE_CORRUPT, SQLITE_NOTADB: failure(.damaged, message, words)
      case SQLITE_FULL: failure(.noSpace, message, words)
      case SQLITE_READONLY, SQLITE_PERM: failure(.readOnly, message, words)
      case SQLITE_IOERR, SQLITE_CANTOPEN:
        Self.ofSystem(systemCode).map { failure($0.kind, $0.message) } ?? failure(.failed, message, words)
      case SQLITE_BUSY: failure(.failed, "another program holds the database; end it (fuser names it)")
      default: failure(.failed, message, words)
      }
  }

  /// Creates the failure of the last call on a SQLite connection, with the connection's message.
  init(sqlite code: Int32, of connection: OpaquePointer?) {
    let message = (connection.map(sqlite3_errmsg) ?? sqlite3_errstr(code)).map { String(cString: $0) } ?? ""
    let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
    self.init(sqlite: code, message, systemCode: isOfSystem ? connection.map(sqlite3_system_errno) ?? 0 : 0)
  }

  /// SQLite's primary result code; nil for a failure that SQLite did not report.
  var primaryCode: Int32? { if case .sqlite(let code) = code { code & 0xff } else { nil } }

  /// Returns the failure for an `errno` value of a file operation, with advice to the operator; nil for a value without known advice.
  /// - Parameter path: The file of the error, if known.
  static func ofSystem(_ code: Int32, _ path: String = "a file of the database") -> DatabaseFailure? {
    let words = String(cString: strerror(code))
    switch code {
    case ENOSPC, EDQUOT: return .noSpace
    case EROFS: return .readOnly
    case EACCES, EPERM:
      return .failing("\(path) may not be read and written (\(words)); give it and its folder back to the user of gameconfd (chown)")
    case EIO, ENXIO, ESTALE, ETIMEDOUT:
      return .failing("the disk reports errors at \(path) (\(words)); check the disk, the kernel's log says more")
    case EMFILE, ENFILE: return .failing("too many files are open (\(words)); raise the limit")
    case ENOENT, ENOTDIR, ENOTCONN, ENODEV: return .failing("\(path) or its folder cannot be reached (\(words)); is its disk mounted?")
    default: return nil
    }
  }
}

extension DatabaseFailure {
  /// Creates a failure of the PostgreSQL server, of libpq, or of a connection.
  /// - Parameter state: The SQLSTATE; empty if the server sent none.
  init(_ kind: Kind, _ message: String, state: String = "") {
    // The server's message may have several lines; a description has one.
    let message = message.split(whereSeparator: \.isNewline).map { line in
      String(line.drop { $0.isWhitespace }.map { $0.isWhitespace ? " " : $0 })
    }.joined(separator: "; ")
    self.init(kind, message, .postgres(state), state.isEmpty ? nil : "\(message) (PostgreSQL \(state))")
  }

  /// Creates the failure of a server error from its SQLSTATE.
  init(state: String, message: String) {
    let advice = state == "42P05" || state == "26000" ? "\n" + Self.poolerAdvice : ""
    self.init(Self.kind(of: state), message + advice, state: state)
  }

  /// The advice for SQLSTATE 42P05 and 26000, a duplicate and a missing prepared statement: a connection pooler gave the connection to
  /// another client.
  private static let poolerAdvice =
    "a pooler gives the connection to another client after each transaction; set prepared: false and listen: false under store: in gameconfd.yaml, or pool whole sessions"

  /// The SQLSTATE; empty if the server sent none.
  var state: String { if case .postgres(let state) = code { state } else { "" } }

  private static func kind(of state: String) -> Kind {
    switch state {
    case "40001", "40P01", "23505", "55P03": .raced
    case "53100": .noSpace
    case "25006": .readOnly
    case "57P01", "57P02", "57P03", "57P05", "53300": .busy
    case _ where state.hasPrefix("08"): .disconnected
    case _ where ["22", "23", "42", "26", "0A"].contains(state.prefix(2)): .refused
    default: .failed
    }
  }
}

extension StateFault {
  var failure: DatabaseFailure {
    switch code {
    case .noSpace: .noSpace
    case .readOnly: .readOnly
    default: .failing("\(path) \(message)")
    }
  }
}
