// The mapping from a database's failure to the caller's error.
import CSQLite
import Testing

@testable import GameConfStorage

@Suite("Failures of a database")
struct DatabaseFailureTests {
  @Test(
    "SQLite's error code determines the error that the caller gets",
    arguments: [
      (SQLITE_CORRUPT, StoreError.unavailable("the database is damaged: words")),
      (SQLITE_NOTADB, .unavailable("the database is damaged: words")),
      (SQLITE_FULL, .noSpace),
      (SQLITE_READONLY, .readOnly),
      (SQLITE_BUSY, .failed("another program holds the database; end it (fuser names it)")),
      (SQLITE_IOERR, .failed("words (SQLite 10)")),
      (SQLITE_CONSTRAINT | 8 << 8, .failed("words (SQLite 2067)")),
    ])
  func sqlite(code: Int32, error: StoreError) {
    let failure = DatabaseFailure(sqlite: code, "words")
    #expect(failure.storeError == error)
    #expect(!failure.isOfRow, "what SQLite calls corrupt is more than one row")
  }

  @Test(
    "PostgreSQL's error code determines the error that the caller gets, with the server's message",
    arguments: [
      ("53100", StoreError.serverDiskFull("words; more (PostgreSQL 53100)")),
      ("25006", .failed("the database refuses writes: words; more (PostgreSQL 25006)")),
      ("57P01", .failed("words; more (PostgreSQL 57P01)")),
      ("XX001", .failed("words; more (PostgreSQL XX001)")),
    ])
  func postgres(state: String, error: StoreError) {
    #expect(DatabaseFailure(state: state, message: "words\n  more").storeError == error)
  }

  @Test(
    "a message of several lines from SQLite or its check becomes one line",
    arguments: ["*** in database main ***\nTree 5 page 7", "a\r\n\nb"])
  func oneLine(words: String) {
    let folded = words.split(whereSeparator: \.isNewline).joined(separator: " ")
    #expect(DatabaseFailure(sqlite: SQLITE_CORRUPT, words).message == folded)
    #expect(DatabaseFailure(sqlite: SQLITE_ERROR, words).storeError == .failed("\(folded) (SQLite 1)"))
    #expect(DatabaseFailure.damaged(words).message == folded && !folded.contains("\n"))
  }

  @Test(
    "the error for prepared statements that a connection pooler has mixed up names the setting to change",
    arguments: [("42P05", true), ("26000", true), ("42703", false)])
  func pooler(state: String, isNamed: Bool) {
    let words = "\(DatabaseFailure(state: state, message: "prepared statement “g1” already exists").storeError)"
    #expect(words.contains("prepared: false and listen: false") == isNamed, "\(words)")
  }

  @Test("a failure that neither SQLite nor PostgreSQL reported has a message of its own")
  func own() {
    #expect(DatabaseFailure(.disconnected, "the connection ended").storeError == .failed("the connection ended"))
    #expect(DatabaseFailure.failing("it is not open").storeError == .failed("it is not open"))
    #expect(DatabaseFailure.damaged("a number is out of range").isOfRow)
    let fault = StateFault(code: .noSpace, path: "/state/gameconfd.db", message: "cannot be written")
    #expect(DatabaseFailure(fault).storeError == .noSpace)
    #expect(DatabaseFailure(StoreError.late).storeError == .failed("\(StoreError.late)"))
  }
}
