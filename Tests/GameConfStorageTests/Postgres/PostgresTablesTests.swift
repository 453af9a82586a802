// PostgreSQL's tables: identical after a migration from every version and after the released steps.
import FoundationEssentials
import Testing

@testable import GameConfStorage

@Suite("PostgreSQL's tables", .enabled(if: StoreKind.postgresConnection != nil))
struct PostgresTablesTests {
  /// Lists tables, columns, constraints, indexes and sequences from the server's catalog, one on each line. Default properties are
  /// left out.
  private static let catalog = """
    SELECT 'table ' || concat_ws(
      ' ', pg_class.relname, CASE WHEN pg_class.relpersistence <> 'p' THEN 'persistence ' || pg_class.relpersistence::TEXT END,
      CASE WHEN pg_class.relreplident <> 'd' THEN 'replica identity ' || pg_class.relreplident::TEXT END,
      CASE WHEN pg_class.relhasrules THEN 'rules' END, CASE WHEN pg_class.relhastriggers THEN 'triggers' END,
      CASE WHEN pg_class.relrowsecurity THEN 'row security' END, pg_class.reloptions::TEXT, toast.reloptions::TEXT) AS line
    FROM pg_class LEFT JOIN pg_class AS toast ON toast.oid = pg_class.reltoastrelid
    WHERE pg_class.relnamespace = $1::TEXT::regnamespace AND pg_class.relkind NOT IN ('i', 'S')
    UNION ALL SELECT 'sequence ' || concat_ws(
      ' ', relname, format_type(seqtypid, NULL), seqstart, seqincrement, seqmin, seqmax, seqcache, CASE WHEN seqcycle THEN 'cycle' END)
    FROM pg_class JOIN pg_sequence ON seqrelid = pg_class.oid WHERE relnamespace = $1::TEXT::regnamespace
    UNION ALL SELECT 'column ' || concat_ws(
      ' ', relname, attnum, attname, format_type(atttypid, atttypmod), (SELECT collname FROM pg_collation WHERE pg_collation.oid = attcollation),
      CASE WHEN attnotnull THEN 'NOT NULL' END, CASE attidentity WHEN '' THEN NULL ELSE 'identity ' || attidentity::TEXT END,
      pg_get_expr(adbin, adrelid), CASE WHEN attgenerated <> '' THEN 'generated' END, CASE WHEN attisdropped THEN 'dropped' END,
      CASE WHEN attstorage <> typstorage THEN 'storage ' || attstorage::TEXT END,
      CASE WHEN attstattarget >= 0 THEN 'statistics ' || attstattarget END, attoptions::TEXT)
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid LEFT JOIN pg_type ON pg_type.oid = atttypid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = $1::TEXT::regnamespace AND relkind = 'r' AND attnum > 0
    UNION ALL SELECT 'constraint ' || concat_ws(' ', relname, conname, pg_get_constraintdef(pg_constraint.oid))
    FROM pg_class JOIN pg_constraint ON conrelid = pg_class.oid
    WHERE relnamespace = $1::TEXT::regnamespace AND contype IN ('p', 'u', 'c', 'f')
    UNION ALL SELECT 'index ' || pg_get_indexdef(indexrelid)
    FROM pg_class JOIN pg_index ON indrelid = pg_class.oid WHERE relnamespace = $1::TEXT::regnamespace AND relkind = 'r'
    """

  /// The tables after the released steps, without the schema's name.
  private static let released = Result {
    let tests = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    return try String(contentsOfFile: tests + "/Fixtures/postgres-tables.txt", encoding: .utf8)
  }

  /// A database of the present version is not migrated, so the arguments end before it.
  @Test("a database migrated from any older version has the tables of the released schema", arguments: 0..<StoreSchema.current.version)
  func same(version: Int) throws {
    let settings = try PostgresSettings.fresh()
    if version > 0 { try make(version, settings) }
    let connection = try PostgresSession(settings, .current, PostgresGrammar(), writer: "w", process: "a") { _ in }.connection
    defer { connection.close() }
    let rows = try connection.round([PostgresCommand(Self.catalog, [.text(settings.schema)])]).last?.rows.map(Row.init) ?? []
    let lines = rows.compactMap { $0.optionalText(0).map { $0.replacing(settings.schema + ".", with: "") + "\n" } }.sorted()
    let released = try Self.released.get()
    #expect(lines.joined() == released)
  }

  @Test("each version of the schema has a migration step for both databases, and a copy of the step in the fixtures")
  func counted() throws {
    #expect(PostgresTables.steps.count == StoreSchema.finalOfSQLite.count)
    #expect(try StoreSchema.released.get().version == StoreSchema.current.version, "a step is missing in Tests/Fixtures/steps-*.sql")
  }

  /// Creates the tables of an older daemon.
  private func make(_ version: Int, _ settings: PostgresSettings) throws {
    let connection = try PostgresConnection(settings, for: .writing)
    defer { connection.close() }
    _ = try connection.round(try Self.statements(making: version, settings).map { PostgresCommand($0) })
  }

  /// Returns the statements that create the tables of a released version.
  static func statements(making version: Int, _ settings: PostgresSettings) throws -> [String] {
    let before = [
      "CREATE SCHEMA \(settings.quotedSchema)",
      "CREATE TABLE fleet (one BIGINT PRIMARY KEY, product TEXT NOT NULL, id TEXT NOT NULL, format BIGINT NOT NULL)",
      "INSERT INTO fleet (one, product, id, format) VALUES (1, '\(PostgresSchema.product)', 'f', \(version))",
    ]
    return try ["BEGIN"] + before + StoreSchema.released(version: version).steps.flatMap(\.postgres) + ["COMMIT"]
  }
}
