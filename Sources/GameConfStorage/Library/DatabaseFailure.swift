// A failure reported by a database, and its meaning for the store.
import CSQLite
import Glibc

/// A failure of the database: its code, its message, and its consequence.
struct DatabaseFailure: Error, CustomStringConvertible {
  /// The consequence of a failure.
  enum Kind: Sendable, Hashable {
    /// The file has invalid contents. It is checked again, and renamed if the damage is confirmed.
    case damaged
    /// No space is left on this disk or on the server's; it may become free.
    case noSpace
    /// The disk is not writable, or the server takes no writes now: a standby, or one configured so. It may become writable.
    case readOnly
    /// The library is missing, no configured server is reachable, or the database is not one for this store.
    case unreachable
    case disconnected
    /// The answer to a commit is overdue. The server may have committed, and may be waiting for another server.
    case late
    /// Another transaction changed the rows first, so the decision must be made again.
    case raced
    /// A newer session writes under this one's name.
    case fenced
    /// The server refuses all clients for now: it is starting, stopping, or has too many connections.
    case busy
    /// The request is invalid: a value that the server rejects, or a missing table.
    case refused
    /// Any other failure: a lock held by another program, a disk error, a file that cannot be opened.
    case failed
  }

  /// The code of an error in its engine's numbering.
  enum Code: Sendable, Hashable {
    /// SQLite's extended result code.
    case sqlite(Int32)
    /// PostgreSQL's SQLSTATE, five characters; empty if the server sent none.
    case postgres(String)
  }

  let kind: Kind
  /// The engine's message, or the advice that replaces it.
  let message: String
  /// The engine's code; nil for a failure that no engine reported.
  let code: Code?
  /// The message; with the engine's code if the message is the engine's.
  let description: String

  private init(_ kind: Kind, _ message: String, _ code: Code?, _ description: String? = nil) {
    self.kind = kind
    self.message = message
    self.code = code
    self.description = description ?? message
  }

  /// Wraps any error that a part of the store threw.
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

  /// Returns any other failure, with its message as a sentence.
  static func failing(_ words: String) -> DatabaseFailure { DatabaseFailure(.failed, words, nil) }

  /// The disk of the state directory is full.
  static let noSpace = DatabaseFailure(.noSpace, "no space is left", nil)
  /// The disk of the state directory is not writable.
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
  /// The text on one line. SQLite's messages about schemas and damage have line breaks, but rows, status and errors have one line.
  var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

extension DatabaseFailure {
  /// Creates the failure of a call to SQLite.
  /// - Parameters:
  ///   - code: SQLite's extended result code.
  ///   - systemCode: The error of the operating system; 0 if there is none.
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

  /// Creates the last failure of a SQLite connection.
  init(sqlite code: Int32, of connection: OpaquePointer?) {
    let message = (connection.map(sqlite3_errmsg) ?? sqlite3_errstr(code)).map { String(cString: $0) } ?? ""
    let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
    self.init(sqlite: code, message, systemCode: isOfSystem ? connection.map(sqlite3_system_errno) ?? 0 : 0)
  }

  /// SQLite's primary result code; nil for a failure that SQLite did not report.
  var primaryCode: Int32? { if case .sqlite(let code) = code { code & 0xff } else { nil } }

  /// Returns the meaning of an error of the operating system, with advice.
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
  /// Creates a failure of PostgreSQL, its library or a connection to it.
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

  /// The cause of duplicate or missing prepared statements: a pooler gave the connection to another client.
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
