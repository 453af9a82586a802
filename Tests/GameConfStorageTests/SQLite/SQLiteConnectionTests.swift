// The layer over SQLite: bound values are read back unchanged, and failures have SQLite's own code.
import CSQLite
import TestSupport
import Testing

@testable import GameConfStorage

@Suite("A connection to SQLite")
struct SQLiteConnectionTests {
  let folder: TemporaryFolder
  let connection: SQLiteConnection

  init() throws {
    folder = try TemporaryFolder()
    connection = try SQLiteConnection(path: folder.path + "/x.db", for: .writing)
    try connection.execute("CREATE TABLE things (name TEXT UNIQUE, number INTEGER)")
  }

  @Test("texts and numbers are read back unchanged", arguments: ["", "a", "a\u{0}b", "ü\u{1F3B2}"], [nil, 0, Int64.min, .max])
  func roundTrip(text: String, number: Int64?) throws {
    try connection.run("INSERT INTO things VALUES (?, ?)", [text, number])
    let row = try #require(try connection.row("SELECT name, number, name IS NULL FROM things"))
    #expect(row.optionalText(0) == text && row.anyInteger(1) == number && row.optionalInteger(2) == 0)
    #expect(try connection.rows("SELECT name FROM things WHERE name = ?", [text]).count == 1)
  }

  @Test("a cached statement restarts each time, also after a failure")
  func again() throws {
    for round in 1...3 {
      try connection.run("INSERT INTO things VALUES (?, ?)", ["\(round)", round])
      #expect(throws: DatabaseFailure.self) { try connection.run("INSERT INTO things VALUES (?, ?)", ["\(round)", round]) }
      #expect(try connection.rows("SELECT number FROM things ORDER BY number").map { $0.optionalInteger(0) } == (1...round).map(Int64.init))
    }
  }

  @Test("a failure has SQLite's extended error code")
  func extendedCode() throws {
    try connection.run("INSERT INTO things VALUES ('a', 1)")
    let error = #expect(throws: DatabaseFailure.self) { try connection.run("INSERT INTO things VALUES ('a', 2)") }
    #expect(error?.code == .sqlite(SQLITE_CONSTRAINT | (8 << 8)) && error?.primaryCode == SQLITE_CONSTRAINT)
  }

  @Test("too few and too many arguments, and a text in double quotes, are refused")
  func misuse() {
    for arguments in [["a"], ["a", "b", "c"]] as [SQLiteArguments] {
      #expect(throws: DatabaseFailure.self) { try connection.run("INSERT INTO things VALUES (?, ?)", arguments) }
    }
    #expect(throws: DatabaseFailure.self) { try connection.rows("SELECT number FROM things WHERE name = \"nobody\"") }
  }

  @Test("a file that is not a database is refused at opening, and a missing one is not created for reading")
  func opening() throws {
    try folder.write(Array(String(repeating: "not a database. ", count: 100).utf8), to: "noise")
    let noise = #expect(throws: DatabaseFailure.self) { try SQLiteConnection(path: folder.path + "/noise", for: .writing) }
    #expect(noise?.primaryCode == SQLITE_NOTADB)
    let missing = #expect(throws: DatabaseFailure.self) { try SQLiteConnection(path: folder.path + "/missing", for: .reading) }
    #expect(missing?.primaryCode == SQLITE_CANTOPEN)
  }

  @Test("interrupting a closed connection has no effect")
  func closed() {
    connection.close()
    connection.interrupt()
    connection.close()
  }
}
