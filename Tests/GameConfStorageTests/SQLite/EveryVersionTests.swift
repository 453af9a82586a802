// A database of each earlier version, opened by this one.
import GameConfCore
import TestSupport
import Testing

@testable import GameConfStorage

@Suite("A database of any version")
struct EveryVersionTests {
  private static let id = PlayerID(game: "g", player: "ada")
  /// The first versions in which a player's row has a state and a revision, and history lines are linked.
  private static let (state, revision, lines) = (2, 3, 6)

  @Test("an older database has this version's tables after opening, and its players continue", arguments: 1..<StoreSchema.current.version)
  func migration(version: Int) async throws {
    let fixture = try DiskFixture()
    let store = try await fixture.open { path in try make(version, at: path) }
    #expect(store.health.condition == .good && store.health.schemaVersion == StoreSchema.current.version)
    let database = try SQLiteConnection(path: fixture.path + "/gameconfd.db", for: .reading)
    defer { database.close() }
    #expect(try SchemaComparison(schema: .current).difference(database, version: StoreSchema.current.version) == nil)
    try await goesOn(store, from: version)
  }

  @Test(
    "an older PostgreSQL database has this version's tables, and its players continue", .enabled(if: StoreKind.postgresConnection != nil),
    arguments: 1..<StoreSchema.current.version)
  func migrationOfPostgres(version: Int) async throws {
    let settings = try PostgresSettings.fresh()
    try make(version, settings)
    let temporary = try TemporaryFolder()
    let store = try PostgresStore.fresh(in: StateDirectory(path: temporary.path + "/state"), settings)
    defer { store.close() }
    store.publish { _ in nil }
    #expect(store.health.condition == .good && store.health.schemaVersion == StoreSchema.current.version)
    try await goesOn(store, from: version)
  }

  private func goesOn(_ store: any Store, from version: Int) async throws {
    let before = try await store.read { try $0.player(Self.id) }
    #expect(before.state?.lifetimeScore == (version >= Self.state ? 5 : nil))
    #expect(before.revision == (version >= Self.revision ? 7 : 0))
    #expect(try await history(store) == (version >= Self.lines ? [2, 1] : []))
    #expect(try await events(store).isEmpty, "older lines are linked by no event")
    try await store.write(refusing: StoreError.self) { transaction in
      let stored = try transaction.player(Self.id)
      var state = stored.state ?? PlayerState(createdAt: Instant(seconds: 1))
      let number = state.openVisit(now: Instant(seconds: 9)).number
      let entry = HistoryEntry(number: number, at: Instant(seconds: 9), kind: .event, details: ["event": "over"])
      let line = PlayerLine(entry: entry, retained: 200)
      #expect(try transaction.write(PlayerWrite(state: state, lines: [line]), of: Self.id, over: stored) != nil)
    }
    let newest: Int64 = version >= Self.state ? 3 : 1
    #expect(try await history(store) == (version >= Self.lines ? [3, 2, 1] : [newest]))
    #expect(try await events(store) == [newest])
  }

  private func history(_ store: any Store) async throws -> [Int64] {
    try await store.read { try $0.history(of: Self.id, before: nil, limit: 10) }.map(\.number)
  }

  private func events(_ store: any Store) async throws -> [Int64] {
    try await store.read { try $0.events(named: "over", of: Self.id, limit: 10) }.map(\.number)
  }

  private static let storedState = #"{"v":1,"c":1000,"m":2000,"s":5,"g":1,"n":2}"#
  private static let storedLine = #"[1000,"event",{"event":"over"}]"#

  private func make(_ version: Int, _ settings: PostgresSettings) throws {
    let connection = try PostgresConnection(settings, for: .writing)
    defer { connection.close() }
    var commands = try PostgresTablesTests.statements(making: version, settings).map { PostgresCommand($0) }
    if version >= Self.state {
      let (column, value) = version >= Self.revision ? (", revision", ", 7") : ("", "")
      commands.append(
        PostgresCommand("INSERT INTO players (game, player, state\(column)) VALUES ('g', 'ada', $1\(value))", [.text(Self.storedState)]))
    }
    if version >= Self.lines {
      for entry: Int64 in 1...2 {
        commands.append(
          PostgresCommand(
            "INSERT INTO player_lines (player, prior, entry, line) VALUES (1, $1, $2, $3)",
            [entry > 1 ? .integer(entry - 1) : .null, .integer(entry), .text(Self.storedLine)]))
      }
      commands.append(PostgresCommand("UPDATE players SET head = 2"))
    }
    _ = try connection.round(commands)
  }

  private func make(_ version: Int, at path: String) throws {
    let connection = try DatabaseFile(path: path).connect()
    defer { connection.close() }
    try connection.execute("PRAGMA journal_mode = WAL")
    try StoreSchema.released(version: version).migrate(connection, from: 0)
    if version < Self.state { return }
    try connection.run(
      "INSERT INTO players (number, game, player, state\(version >= Self.revision ? ", revision" : "")) "
        + "VALUES (1, 'g', 'ada', ?\(version >= Self.revision ? ", 7" : ""))", [Self.storedState])
    if version < Self.lines { return }
    for entry: Int64 in 1...2 {
      try connection.run(
        "INSERT INTO player_lines (number, player, prior, entry, line) VALUES (?1, 1, ?2, ?1, ?3)",
        [entry, entry > 1 ? entry - 1 : nil, Self.storedLine])
    }
    try connection.run("UPDATE players SET head = 2")
  }
}
