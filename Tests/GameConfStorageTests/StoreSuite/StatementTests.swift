// The statements of the tables' code: both databases prepare each, and each declares its locks.
import FoundationEssentials
import Testing

@testable import GameConfStorage

enum TablesStatements {
  /// Every statement of the tables' code, by its file.
  static let byFile: [(file: String, statements: [Statement])] = [
    ("AuditPackRows", AuditPackRows.statements), ("AuditRows", AuditRows.statements), ("BestRows", BestRows.statements),
    ("CatalogRows", CatalogRows.statements), ("ClockRows", ClockRows.statements), ("PlayerLineRows", PlayerLineRows.statements),
    ("OverrideRows", OverrideRows.statements), ("PlayRows", PlayRows.statements), ("PlayerRows", PlayerRows.statements),
    ("RepeatRows", RepeatRows.statements), ("RevisionRows", RevisionRows.statements), ("ScenarioRows", ScenarioRows.statements),
    ("StreamRows", StreamRows.statements), ("TemplateRows", TemplateRows.statements),
  ]

  /// The statements that are composed for a selection: each condition alone, and all together.
  private static let composed: [Statement] = {
    let conditions = AuditRows.AuditCondition.allCases
    let sets: [[AuditRows.AuditCondition]] = [[], conditions] + conditions.map { [$0] }
    return sets.flatMap { [AuditRows.selecting($0, upward: true), AuditRows.selecting($0, upward: false)] }
  }()

  static let all = byFile.flatMap(\.statements) + composed
}

@Suite("SQL statements of the tables")
struct StatementTests {
  /// The tables whose queries must declare a lock.
  private static let locked = ["players", "game_revisions"]

  /// Returns the fault in a statement's hints; nil if there is none.
  private func fault(_ kind: Statement.Kind, _ sql: String, locks: Statement.Lock?) -> String? {
    let names = Set(sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    let read = Self.locked.filter(names.contains)
    if kind == .query, !read.isEmpty, locks == nil { return "reads \(read) and does not say what it locks" }
    if kind != .query, locks != nil { return "locks rows, and is no query" }
    if let locks, locks != .noRow, !names.contains(locks.rawValue) { return "locks rows of \(locks.rawValue), which it does not read" }
    return nil
  }

  @Test("SQLite prepares each statement")
  func sqlite() throws {
    let connection = try SQLiteConnection(path: ":memory:", for: .writing)
    defer { connection.close() }
    try StoreSchema.current.migrate(connection, from: 0)
    for statement in TablesStatements.all {
      #expect(throws: Never.self, "\(statement.sqlite)") { try connection.cached(statement) }
    }
  }

  @Test(
    "PostgreSQL prepares each statement, in a transaction that reads and in one that writes",
    .enabled(if: StoreKind.postgresConnection != nil))
  func postgres() throws {
    let settings = try PostgresSettings.fresh()
    try PostgresSession(settings, .current, PostgresGrammar(), writer: "w", process: "a") { _ in }.connection.close()
    let connection = try PostgresConnection(settings, for: .reading)
    defer { connection.close() }
    for sql in Set(TablesStatements.all.flatMap { [$0.postgres, $0.postgresLocking] }.compactMap(\.self)) {
      #expect(throws: Never.self, "\(sql)") {
        try connection.round([PostgresCommand("PREPARE looked_at AS \(sql)"), PostgresCommand("DEALLOCATE looked_at")])
      }
    }
  }

  @Test("each statement that reads players or games' revisions declares its lock")
  func locks() {
    for statement in TablesStatements.all {
      let fault = fault(statement.kind, statement.sqlite, locks: statement.locks)
      #expect(fault == nil, "\(statement.sqlite): \(fault ?? "")")
      guard statement.locks != nil else { continue }
      #expect(self.fault(statement.kind, statement.sqlite, locks: nil) != nil, "the hint of “\(statement.sqlite)” is not missed")
    }
  }

  @Test("a decision on a player's row or a game's revision is made under its lock")
  func locking() {
    let players = [
      PlayerRows.whole, PlayerRows.place, PlayerRows.number, PlayerRows.stored, PlayerRows.forgetting, RevisionRows.ofRow,
      BestRows.bestsCount,
    ]
    for statement in TablesStatements.all {
      let row = players.contains { $0 === statement } ? "players" : statement === RevisionRows.ofGame ? "game_revisions" : nil
      #expect(statement.isLocking == (row != nil), "\(statement.sqlite)")
      #expect(statement.postgresLocking == statement.postgres.map { $0 + (row.map { " FOR UPDATE OF " + $0 } ?? "") })
    }
  }

  @Test("rows that every host adds are numbered before they are written, so that hosts neither collide nor wait for a number")
  func numbering() {
    #expect(PlayerRows.add.kind == .numberedInsert(table: PostgresGrammar.players))
    #expect(PlayerLineRows.add.kind == .numberedInsert(table: PostgresGrammar.lines))
    #expect(AuditRows.insertion.kind == .numberedInsert(table: PostgresGrammar.audit))
    for statement in [PlayerRows.add, PlayerLineRows.add] { #expect(statement.postgres?.contains("number)") == true) }
  }

  @Test("each file's list has all of the file's statements, and every file's list is tested here")
  func registered() throws {
    let sources = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/Sources/GameConfStorage"
    var files: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources) where path.hasSuffix(".swift") {
      // Comments are removed, because they may contain examples of statements.
      let text = try String(contentsOfFile: sources + "/" + path, encoding: .utf8).replacing(/(?m)^ *\/\/.*$/, with: "")
      let makers =
        ["Statement", "BulkInsert", "Removal"] + text.matches(of: /static func (\w+)\([^)]*\) -> Statement/).map { String($0.1) }
      let declared = text.matches(of: /static let (\w+) = (\w+)\(/).filter { makers.contains(String($0.2)) }.map { String($0.1) }
      guard !declared.isEmpty else { continue }
      files.insert(String(path.split(separator: "/").last?.dropLast(".swift".count) ?? ""))
      let list = try #require(text.firstRange(of: "static let statements"), "\(path) has no list")
      let listed = text[list.upperBound...].split(separator: "\n\n")[0].split { !$0.isLetter && !$0.isNumber }.map(String.init)
      #expect(declared.filter { !listed.contains($0) } == [], "\(path)")
    }
    #expect(files == Set(TablesStatements.byFile.map(\.file)))
  }

  @Test(
    "for PostgreSQL, a statement's parameters are numbered as SQLite numbers them",
    arguments: [
      ("SELECT a FROM t WHERE b = ? AND c = ?", "SELECT a FROM t WHERE b = $1 AND c = $2"), ("SELECT ?2, ?1", "SELECT $2, $1"),
      ("SELECT ?12 + ?", "SELECT $12 + $2"), ("SELECT 1", "SELECT 1"),
    ])
  func numbered(sqlite: String, postgres: String) { #expect(Statement(.query, sqlite).postgres == postgres) }
}
