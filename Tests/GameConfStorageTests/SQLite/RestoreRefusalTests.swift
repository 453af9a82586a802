// The backups that a restore refuses, since a daemon could not continue from them.
import GameConfCore
import Glibc
import Testing

@testable import GameConfStorage

@Suite("A backup that gameconfd did not write")
struct RestoreRefusalTests {
  @Test("the description of the tables has every table and column of the schema, with its type and nullability")
  func description() throws {
    let database = try SQLiteConnection(path: ":memory:", for: .writing)
    try StoreSchema.current.migrate(database, from: 0)
    let names = try database.texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    #expect(StoredTable.all.map(\.name).sorted() == names)
    for table in StoredTable.all {
      let columns = try database.rows("SELECT name, type, \"notnull\" OR pk, pk FROM pragma_table_info(?) ORDER BY cid", [table.name])
      #expect(try columns.map { try $0.text(0) }.sorted() == table.columns.map(\.name).sorted(), "\(table.name)")
      for row in columns {
        let (name, type, isNeeded) = (try row.text(0), try row.text(1), try row.integer(2) != 0)
        let column = try #require(table.column(name))
        #expect(column.type == type, "\(table.name).\(name)")
        switch column {
        case .number: #expect(isNeeded, "\(table.name).\(name)")
        case .optional: #expect(!isNeeded, "\(table.name).\(name)")
        case .text, .blob: break
        }
      }
    }
  }

  @Test("every number that the database stores under a name has a declared range")
  func names() throws {
    let names = [
      RevisionRows.playerMax, RevisionRows.playerFloor, RevisionRows.lookedAt, RevisionRows.epoch, RevisionRows.catalogDigest + "g",
      CatalogRows.reverted + "g", ClockRows.hostSeen, ClockRows.hostSeen + ":host", StreamRows.tailName, PlayerLineRows.passedName,
      PlayerLineRows.passBeganName, RepeatRows.seen, PostgresGrammar.passedAt, PostgresGrammar.lastNumberName("audit"),
    ]
    for name in names { #expect(StoredNumber.named(name) != nil, "\(name)") }
  }

  /// Opens a database in memory with a row in each table.
  private func filled() throws -> SQLiteConnection {
    let database = try SQLiteConnection(path: ":memory:", for: .writing)
    try StoreSchema.current.migrate(database, from: 0)
    try StoredRows.fill(database)
    return database
  }

  private func fault(of database: SQLiteConnection) throws -> String? {
    let version = Int(try database.integer("PRAGMA user_version") ?? 0)
    return try SchemaComparison(schema: .current).difference(database, version: version) ?? DatabaseInspection(database: database).fault()
  }

  @Test("rows that gameconfd could have written are accepted")
  func whole() throws { #expect(try fault(of: try filled()) == nil) }

  @Test(
    "a number outside its range, an unreadable cell, and differing tables are reported with the table and the fault",
    arguments: [StoredFault.numbers, StoredFault.named, StoredFault.cells, StoredFault.declarations])
  func faults(kind: [StoredFault]) throws {
    let database = try filled()
    #expect(!kind.isEmpty)
    for fault in kind {
      try database.execute("SAVEPOINT before")
      for statement in fault.statements { try database.execute(statement) }
      let words = try self.fault(of: database)
      let message = try #require(words, "\(fault.description)")
      for name in fault.named { #expect(message.contains(name), "\(fault.description): \(message)") }
      try database.execute("ROLLBACK TO before; RELEASE before")
    }
  }

  @Test("an unreadable value of one player or one line affects that row only, and the backup is accepted")
  func rows() throws {
    for statement in [
      "UPDATE players SET state = '{'", "UPDATE ledgers SET ledger = x'ff'", "UPDATE player_lines SET line = '{'",
      "UPDATE audit SET detail = '{'", "UPDATE answers SET headers = '{'",
    ] {
      let database = try filled()
      try database.execute(statement)
      #expect(try fault(of: database) == nil, "\(statement)")
    }
  }

  @Test("a refused backup leaves everything as it was, and the next backup is restored")
  func refused() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    try await store.force(1, "a")
    let path = fixture.temporary.path + "/backup.db"
    for statements in [
      ["UPDATE game_revisions SET revision = 9223372036854775807"], ["DROP TABLE players"], ["DELETE FROM sqlite_sequence"],
      ["CREATE TABLE bare AS SELECT * FROM scenarios", "DROP TABLE scenarios", "ALTER TABLE bare RENAME TO scenarios"],
    ] {
      unlink(path)
      try StoredRows.make(at: path)
      let database = try SQLiteConnection(path: path, for: .writing)
      for statement in statements { try database.execute(statement) }
      database.close()
      let names = fixture.names()
      let refusal = await #expect(throws: RestoreRefusal.self) { _ = try await store.restore(from: path, by: SQLiteStore.change) }
      guard case .unfit? = refusal else {
        Issue.record("\(statements): \(String(describing: refusal))")
        return
      }
      #expect(fixture.names() == names && store.health.condition == .good)
      #expect(try await store.served == ["a": 1])
    }
    unlink(path)
    try StoredRows.make(at: path)
    _ = try await store.restore(from: path, by: SQLiteStore.change)
    #expect(try await store.served == ["g": "g"])
    try await store.force(2, "a")
    #expect(try await fixture.open().served == ["a": 2, "g": "g"])
  }

  @Test("a database that another program has changed is not opened, and stays in its place")
  func opened() throws {
    let fixture = try DiskFixture()
    try fixture.open()
    fixture.close()
    let database = try SQLiteConnection(path: fixture.path + "/gameconfd.db", for: .writing)
    try database.execute("DROP TABLE player_lines")
    database.close()
    let store = try fixture.open()
    guard case .lost(let words) = store.health.condition else {
      Issue.record("\(store.health.condition)")
      return
    }
    #expect(words.contains("lacks the table “player_lines”") && words.contains("store restore"))
    #expect(fixture.names().contains("gameconfd.db"))
  }

  @Test(
    "last-good.json with an impossible revision or instant is not read",
    arguments: ["revisions", "player_revision_max", "saved_at_ms", "clocks"])
  func lastGood(place: String) throws {
    let clock = SimulatedClock(anchor: Instant(seconds: 1), hostAnchor: Instant(seconds: 1), rateThousandths: 1000)
    let state = LastGoodState(
      savedAt: Instant(seconds: 1), state: StoredState(revisions: ["g": 5], playerRevisionMax: 6, clocks: ["g": clock]))
    let good = LastGoodDocument.document(of: state)
    #expect(LastGoodDocument.state(in: good) == state)
    for number in [Int64.max, .min] {
      var bad = try #require(good.objectValue)
      switch place {
      case "revisions": bad["revisions"] = ["g": .integer(number)]
      case "clocks": bad["clocks"] = ["g": ["anchor_ms": .integer(number), "host_anchor_ms": 1, "rate_thousandths": 1]]
      default: bad[place] = .integer(number)
      }
      #expect(LastGoodDocument.state(in: .object(bad)) == nil)
    }
  }
}
