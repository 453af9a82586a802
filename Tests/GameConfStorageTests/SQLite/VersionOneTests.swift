// A database of the first version, which had no players.
import GameConfCore
import Testing

@testable import GameConfStorage

@Suite("A database of version 1")
struct VersionOneTests {
  @Test("a database of version 1 is copied, gets the tables of players and clocks, and keeps its contents")
  func migration() async throws {
    let fixture = try DiskFixture()
    let store = try await fixture.open(over: makeVersionOne)
    #expect(store.health.condition == .good && store.health.schemaVersion == StoreSchema.current.version)
    #expect(try await store.served == ["a": 1])
    #expect(fixture.names().contains("gameconfd.db.before-version-\(StoreSchema.current.version)"))
    // Progress is reported before the copy and before each statement, so that the service manager can be asked for more time.
    let steps = fixture.migrated
    #expect(steps.count == StoreSchema.current.steps[1...].flatMap(\.sqlite).count + 1 && steps.map(\.step) == Array(0..<steps.count))
    #expect(steps.allSatisfy { $0.from == 1 && $0.to == StoreSchema.current.version })
    let (id, request) = (PlayerID(game: "g", player: "p"), RepeatID(game: "g", player: "p", route: "r", id: "1"))
    #expect(try await store.read { try $0.remembered(request) }?.body == "old")
    #expect(try await store.read { try $0.player(id) } == StoredPlayer(revision: 7))
    try await store.write(refusing: StoreError.self) { transaction throws in
      var state = PlayerState(createdAt: Instant(seconds: 5))
      let entry = state.openVisit(now: Instant(seconds: 6))
      #expect(try transaction.write(PlayerWrite(state: state, entry: entry), of: id, over: StoredPlayer(revision: 7)) != nil)
    }
    fixture.close()
    let again = try fixture.open()
    #expect(try await again.read { try $0.player(id) }.state?.visits.count == 1)
    #expect(try await again.read { try $0.player(id) }.revision == 8)
  }

  @Test("a backup of version 1 is restored with the tables of this version")
  func restored() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    let backup = fixture.temporary.path + "/old.db"
    try await makeVersionOne(at: backup)
    _ = try await store.restore(from: backup, by: SQLiteStore.change)
    #expect(try await store.served == ["a": 1])
    #expect(try await store.read { try $0.players(in: "g", after: nil, limit: 10) }.isEmpty)
    #expect(try await store.read { try $0.player(PlayerID(game: "g", player: "p")) }.revision > 7)
  }

  /// Creates a database as the first version wrote it, with one override, one player's revision and one answer.
  private func makeVersionOne(at path: String) async throws {
    let connection = try DatabaseFile(path: path).connect()
    try connection.execute("PRAGMA journal_mode = WAL")
    try StoreSchema.released(version: 1).migrate(connection, from: 0)
    try connection.execute(
      """
      INSERT INTO overrides (game, player, key, window, is_open, value, author_uid, author_name, at_ms, revision)
        VALUES ('g', '', 'a', '', 0, '1', 1, 'ada', 5000, 3);
      INSERT INTO game_revisions (game, revision) VALUES ('g', 3);
      INSERT INTO player_revisions (game, player, revision) VALUES ('g', 'p', 7);
      INSERT INTO numbers (name, number) VALUES ('player_revision_max', 7);
      """)
    try connection.run(
      "INSERT INTO answers (request, digest, status, headers, body, at_ms) VALUES (?, 'd', 200, '{}', '\"old\"', 5000)",
      [RepeatRows.name(RepeatID(game: "g", player: "p", route: "r", id: "1"))])
    connection.close()
  }
}
