// The plans of the statements over a million rows: statements that serve a request use an index.
import FoundationEssentials
import TestSupport
import Testing

@testable import GameConfStorage

/// Statements that may read a large table, or a game's or leaderboard's whole part of it, with the reason.
private struct WideRead {
  let reason: String
  let statements: [Statement]
  /// The databases in which the statement may read that much.
  var databases: Set<StoreKind> = [.sqlite, .postgres]

  static let all = [
    WideRead(reason: "read at a start, and when another epoch is read", statements: [OverrideRows.all, RevisionRows.ofPlayerSlots]),
    WideRead(
      reason: "list, remove or count what a game has",
      statements: [OverrideRows.inGame, OverrideRows.ofPlayers, OverrideRows.removeOfPlayers, OverrideRows.playersCount]),
    WideRead(reason: "a restore gives every slot another revision", statements: [RevisionRows.setSlots]),
    WideRead(reason: "retention, in portions", statements: [RevisionRows.removeOldSlots]),
    WideRead(
      reason: "retention, in portions that are read by number", statements: [RepeatRows.seenBefore.sums, RepeatRows.seenBefore.removal]),
    WideRead(reason: "a player who is forgotten is looked for in the log of the game", statements: [AuditRows.naming]),
    WideRead(
      reason: "the distribution of a leaderboard, which is then known for a minute", statements: [BestRows.scores, BestRows.rowsCount]),
    WideRead(reason: "a page, in the order of an index", statements: [BestRows.rows]),
    WideRead(
      reason: "a bounded number of rows; without the daemon's setting, of a table of which most match, in the table's order",
      statements: [BestRows.rowsBefore], databases: [.postgres]),
    WideRead(reason: "a page, in the order of an index", statements: [PlayerRows.list], databases: [.sqlite]),
    WideRead(reason: "one row, by an index that has no others", statements: [PlayRows.hidden], databases: [.sqlite]),
    WideRead(
      reason: "slots have no index by revision: another host's changes of a game are looked for among all its slots",
      statements: [RevisionRows.changedSlots]),
    WideRead(
      reason: "the log has no index by these conditions: it is read by number until the page is full",
      statements: [[], [.gameBesideKey], [.player], [.author], [.action], [.from], [.until]].flatMap(selections)),
    WideRead(
      reason: "no index has the lines of a game by number: SQLite sorts them, PostgreSQL reads the log until the page is full",
      statements: selections([.game])),
    WideRead(
      reason: "the lines of a key are merged with the log until the page is full", statements: selections([.key]), databases: [.postgres]),
  ]

  private static func selections(_ conditions: [AuditRows.AuditCondition]) -> [Statement] {
    [AuditRows.selecting(conditions, upward: true), AuditRows.selecting(conditions, upward: false)]
  }

  static func contains(_ statement: Statement, on database: StoreKind) -> Bool {
    all.contains { $0.databases.contains(database) && $0.statements.contains { $0 === statement } }
  }
}

@Suite("Plans of statements")
struct StatementPlanTests {
  @Test("every table is filled before its plans are read, or has a reason why it stays small")
  func tables() throws {
    let temporary = try TemporaryFolder()
    let connection = try SQLiteConnection(path: temporary.path + "/empty.db", for: .writing)
    defer { connection.close() }
    try StoreSchema.current.migrate(connection, from: 0)
    let created = try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    let filled = Set(LargeTable.all.map(\.name))
    #expect(filled.union(LargeTable.small.keys) == Set(created), "add the table to LargeTable.all, or say in LargeTable.small why not")
    #expect(filled.isDisjoint(with: LargeTable.small.keys) && Set(created) == Set(StoredTable.all.map(\.name)))
  }

  /// SQLite has no statistics here, so its plans are the same for empty tables.
  @Test("SQLite reads large tables by an index")
  func sqlite() throws {
    let temporary = try TemporaryFolder()
    let connection = try SQLiteConnection(path: temporary.path + "/large.db", for: .writing)
    defer { connection.close() }
    try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    try StoreSchema.current.migrate(connection, from: 0)
    if TestLength.isLong { for table in LargeTable.all { try connection.execute(table.inSQLite) } }
    for statement in TablesStatements.all {
      let wide = try connection.read("EXPLAIN QUERY PLAN " + statement.sqlite) { try $0.text(3) }.filter(Self.isWide)
      #expect(wide.isEmpty != WideRead.contains(statement, on: .sqlite), "\(statement.sqlite): \(wide)")
    }
  }

  @Test(
    "PostgreSQL reads large tables by an index, and JIT-compiles no statement",
    .enabled(if: StoreKind.postgresConnection != nil && TestLength.isLong))
  func postgres() throws {
    let settings = try PostgresSettings.fresh()
    try PostgresSession(settings, .current, PostgresGrammar(), writer: "w", process: "a") { _ in }.connection.close()
    let connection = try PostgresConnection(settings, for: .writing)
    defer { connection.close() }
    for table in LargeTable.all { _ = try connection.round([PostgresCommand(table.inPostgres)]) }
    _ = try connection.round([PostgresCommand("ANALYZE")])
    // The settings of a connection with prepared statements, and of one through a pooler.
    for setting in ["SET plan_cache_mode TO auto", "SET plan_cache_mode TO force_custom_plan; SET enable_seqscan TO on"] {
      _ = try connection.round(setting.split(separator: ";").map { PostgresCommand(String($0)) })
      for statement in TablesStatements.all {
        guard let sql = statement.postgresLocking, !WideRead.contains(statement, on: .postgres) else { continue }
        let explanation = try explain(sql, connection)
        #expect(explanation.compiling == nil)
        #expect(explanation.plan.wide == [], "\(setting): \(sql)")
      }
    }
    _ = try connection.round([PostgresCommand("DROP SCHEMA \(settings.quotedSchema) CASCADE")])
  }

  /// True for a step that reads a large table without an index, or with an index prefix that selects many rows.
  private static func isWide(_ step: String) -> Bool {
    let words = step.split(separator: " ").map(String.init)
    guard words.count > 1, LargeTable.isLarge(words[1]) || words[1] == "bare" else { return false }
    // Partial indexes have few rows.
    if words[0] == "SCAN" { return !["override_windows", "play_owners_gone"].contains(words.last) }
    return ["(game=?)", "(game=? AND player>?)", "(board=?)"].contains { step.hasSuffix($0) }
  }

  /// Returns the plan of a statement that was run often enough for the server to choose between a generic and a custom plan.
  private func explain(_ sql: String, _ connection: PostgresConnection) throws -> PlanExplanation {
    let answers = try connection.round([
      PostgresCommand("PREPARE looked_at AS \(sql)"),
      PostgresCommand("SELECT type::TEXT FROM pg_prepared_statements, unnest(parameter_types) AS type WHERE name = 'looked_at'"),
    ])
    let types = answers[1].rows.map(Row.init).compactMap { $0.optionalText(0) }
    let arguments = types.map { $0 == "text" ? "'g1'" : $0 == "boolean" ? "true" : "'3'" }.joined(separator: ", ")
    let explaining = PostgresCommand("EXPLAIN (FORMAT JSON) EXECUTE looked_at\(arguments.isEmpty ? "" : "(\(arguments))")")
    let plans = try connection.round(Array(repeating: explaining, count: 7) + [PostgresCommand("DEALLOCATE looked_at")])
    let json = try #require(plans[6].bytes(0, 0).map { Data($0) })
    return try #require(JSONDecoder().decode([PlanExplanation].self, from: json).first)
  }
}

/// The server's EXPLAIN output for a statement.
private struct PlanExplanation: Decodable {
  enum CodingKeys: String, CodingKey {
    case plan = "Plan"
    case compiling = "JIT"
  }

  struct Compiling: Decodable {}

  let plan: Plan
  let compiling: Compiling?
}

/// A node of a plan, with its child nodes.
private struct Plan: Decodable {
  enum CodingKeys: String, CodingKey {
    case kind = "Node Type"
    case table = "Relation Name"
    case index = "Index Name"
    case condition = "Index Cond"
    case parts = "Plans"
  }

  let kind: String
  let table: String?
  let index: String?
  let condition: String?
  let parts: [Plan]?

  /// The steps that read a large table without an index, or with an index prefix that selects many rows.
  var wide: [String] { wide(of: nil) }

  private func wide(of table: String?) -> [String] {
    let table = self.table ?? table
    let below = (parts ?? []).flatMap { $0.wide(of: kind == "Bitmap Heap Scan" ? table : nil) }
    guard let table, LargeTable.isLarge(table), isWide else { return below }
    return ["\(kind) of \(table) by \(index ?? "no index"): \(condition ?? "")"] + below
  }

  private var isWide: Bool {
    switch kind {
    case "Seq Scan": return true
    case "Index Scan", "Index Only Scan", "Bitmap Index Scan":
      guard let condition else { return !["override_windows", "play_owners_gone"].contains(index) }
      let columns = Set(condition.matches(of: /\(([a-z_]+)\s/).map { String($0.1) })
      return columns.isSubset(of: ["game", "board"]) || condition.contains("(player > ''")
    default: return false
    }
  }
}
