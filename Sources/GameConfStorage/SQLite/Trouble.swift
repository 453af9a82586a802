// What SQLite's failures mean for the store.
import CSQLite
import GameConfEngine

/// A failure of the database, by what follows from it.
enum Trouble: Error {
  /// The file is not what was written: it is put aside.
  case damaged(String)
  /// No space; passes by itself.
  case noSpace
  /// Not writable; passes by itself.
  case readOnly
  /// Anything else: a lock held by another program, a disk that errs.
  case failing(String)

  init(_ error: any Error) {
    if let trouble = error as? Trouble {
      self = trouble
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
    default: self = .failing("\(error)")
    }
  }

  var storeError: StoreError {
    switch self {
    case .damaged(let words): .unavailable("the database is damaged: \(words)")
    case .noSpace: .noSpace
    case .readOnly: .readOnly
    case .failing(let words): .failed(words)
    }
  }
}
