// The meaning of a database's failures for the store.
import CSQLite
import GameConfEngine
import Glibc

/// A failure of the database, by what follows from it.
enum DatabaseFailure: Error {
  /// The file is not what was written: it is looked at again, and then put aside.
  case damaged(String)
  /// No space; passes by itself.
  case noSpace
  /// No space on the disk of a database server, in its words; passes by itself.
  case serverDiskFull(String)
  /// Its disk is not writable; passes by itself.
  case readOnly
  /// Anything else: a lock held by another program, a disk that errs, a file that may not be opened.
  case failing(String)

  init(_ error: any Error) {
    if let failure = error as? DatabaseFailure {
      self = failure
      return
    }
    if let fault = error as? StateFault {
      self = DatabaseOpening.failure(fault)
      return
    }
    if let error = error as? PostgresError {
      // It is the server's disk, not the one of the state directory: its own words say what is to be done.
      switch error.kind {
      case .noSpace: self = .serverDiskFull("\(error)")
      case .readOnly: self = .failing("the database refuses writes: \(error)")
      default: self = .failing("\(error)")
      }
      return
    }
    guard let error = error as? SQLiteError else {
      self = .failing("\(error)")
      return
    }
    switch error.primaryCode {
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged(error.message)
    case SQLITE_FULL: self = .noSpace
    case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
    case SQLITE_IOERR, SQLITE_CANTOPEN: self = Self.ofSystem(error.systemCode) ?? .failing("\(error)")
    case SQLITE_BUSY: self = .failing("another program holds the database; end it (fuser names it)")
    default: self = .failing("\(error)")
    }
  }

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

  var storeError: StoreError {
    switch self {
    case .damaged(let words): .unavailable("the database is damaged: \(words)")
    case .noSpace: .noSpace
    case .serverDiskFull(let words): .serverDiskFull(words)
    case .readOnly: .readOnly
    case .failing(let words): .failed(words)
    }
  }
}
