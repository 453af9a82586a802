// A failure as a database reports it, and its meaning for the store.
import CSQLite
import Glibc

/// A failure of the database: its code and words, and what follows from them.
struct DatabaseFailure: Error, CustomStringConvertible {
  /// The consequence of a failure.
  enum Kind: Sendable, Hashable {
    /// The file is not what was written: it is looked at again, and then put aside.
    case damaged
    /// No space, on this disk or on the server's; passes by itself.
    case noSpace
    /// The disk is not writable, or the server takes no writes now: a standby, or one that is set so; passes by itself.
    case readOnly
    /// The library is missing, the settings name no server that can be reached, or its database is not one for this store.
    case unreachable
    /// The connection ended.
    case disconnected
    /// A commit does not come back. The server may have made it, and may wait for another server before it says so.
    case late
    /// Another transaction was first: what was decided must be decided again.
    case raced
    /// A newer session writes under this one's name.
    case fenced
    /// The server refuses every client for now: it starts, stops, or has too many connections.
    case busy
    /// The request is wrong: a value that the server does not take, a table that is not there.
    case refused
    /// Anything else: a lock held by another program, a disk that errs, a file that may not be opened.
    case failed
  }

  /// The code by which an engine distinguishes its errors.
  enum Code: Sendable, Hashable {
    /// SQLite's extended result code.
    case sqlite(Int32)
    /// The five characters of PostgreSQL; empty where the server said nothing.
    case postgres(String)
  }

  let kind: Kind
  /// The engine's words, or the advice that replaces them.
  let message: String
  /// The engine's code; nil for a failure that no engine reported.
  let code: Code?
  /// The message, with the engine's code where the words are the engine's.
  let description: String

  private init(_ kind: Kind, _ message: String, _ code: Code?, _ description: String? = nil) {
    self.kind = kind
    self.message = message
    self.code = code
    self.description = description ?? message
  }

  /// The failure of a part of the store, whatever it threw.
  init(_ error: any Error) {
    self =
      switch error {
      case let failure as DatabaseFailure: failure
      case let fault as StateFault: fault.failure
      default: .failing("\(error)")
      }
  }

  /// A row or a file that is not what was written, found by the code that reads it.
  static func damaged(_ words: String) -> DatabaseFailure { DatabaseFailure(.damaged, words.onOneLine, nil) }

  /// Any other failure, in a sentence.
  static func failing(_ words: String) -> DatabaseFailure { DatabaseFailure(.failed, words, nil) }

  /// The disk of the state directory is full.
  static let noSpace = DatabaseFailure(.noSpace, "no space is left", nil)
  /// The disk of the state directory is not writable.
  static let readOnly = DatabaseFailure(.readOnly, "the disk is read-only", nil)

  /// True if a row does not have the form that was written, in a database that is read without a fault.
  var isOfRow: Bool { kind == .damaged && code == nil }

  /// The error for callers.
  var storeError: StoreError {
    switch (kind, code) {
    case (.damaged, _): .unavailable("the database is damaged: \(message)")
    // It is the server's disk, not the one of the state directory: its own words say what is to be done.
    case (.noSpace, .postgres): .serverDiskFull(description)
    case (.noSpace, _): .noSpace
    case (.readOnly, .postgres): .failed("the database refuses writes: \(description)")
    case (.readOnly, _): .readOnly
    default: .failed(description)
    }
  }
}

extension String {
  /// The text on one line: what SQLite says of a schema or of damage has line breaks, and goes into rows, status and errors of one line.
  var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

extension DatabaseFailure {
  /// The failure of a call of SQLite.
  /// - Parameters:
  ///   - code: SQLite's extended result code.
  ///   - systemCode: The error of the operating system; 0 where there is none.
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

  /// The failure that a connection of SQLite has just had.
  init(sqlite code: Int32, of connection: OpaquePointer?) {
    let message = (connection.map(sqlite3_errmsg) ?? sqlite3_errstr(code)).map { String(cString: $0) } ?? ""
    let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
    self.init(sqlite: code, message, systemCode: isOfSystem ? connection.map(sqlite3_system_errno) ?? 0 : 0)
  }

  /// SQLite's code without what extends it; nil for a failure that SQLite did not report.
  var primaryCode: Int32? { if case .sqlite(let code) = code { code & 0xff } else { nil } }

  /// The meaning of an error of the operating system, and the advice about it.
  /// - Parameter path: the file it is about, where that is known.
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
  /// A failure of PostgreSQL, its library or a connection to it.
  /// - Parameter state: The code by which the server distinguishes errors; empty where it said nothing.
  init(_ kind: Kind, _ message: String, state: String = "") {
    // The server's words may have several lines; a description has one.
    let message = message.split(whereSeparator: \.isNewline).map { line in
      String(line.drop { $0.isWhitespace }.map { $0.isWhitespace ? " " : $0 })
    }.joined(separator: "; ")
    self.init(kind, message, .postgres(state), state.isEmpty ? nil : "\(message) (PostgreSQL \(state))")
  }

  /// The server's error, by its code.
  init(state: String, message: String) {
    let advice = state == "42P05" || state == "26000" ? "\n" + Self.poolerAdvice : ""
    self.init(Self.kind(of: state), message + advice, state: state)
  }

  /// The reason why a prepared statement exists already or no longer exists: another client had the connection.
  private static let poolerAdvice =
    "a pooler gives the connection to another client after each transaction; set prepared: false and listen: false under store: in gameconfd.yaml, or pool whole sessions"

  /// The code of PostgreSQL; empty where the server said nothing.
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
  /// The fault as a failure of the database that lies in the directory.
  var failure: DatabaseFailure {
    switch code {
    case .noSpace: .noSpace
    case .readOnly: .readOnly
    default: .failing("\(path) \(message)")
    }
  }
}
