// A database of the second version, in which players' revisions and the answers to repeats were in other tables.
import GameConfCore
import Testing

@testable import GameConfStorage

@Suite("A database of version 2")
struct VersionTwoTests {
  @Test("every player keeps state, history and revision, and recognizes a repeated request")
  func migration() async throws {
    let fixture = try DiskFixture()
    let store = try await fixture.open(over: makeVersionTwo)
    #expect(store.health.condition == .good && store.health.schemaVersion == StoreSchema.current.version)
    @Sendable func player(_ name: String) -> PlayerID { PlayerID(game: "g", player: name) }
    let known = try await store.read { try $0.player(player("known")) }
    #expect(known.revision == 7 && known.clock == PlayerClock(offsetMilliseconds: 5) && known.ledger == nil)
    let state = try #require(known.state)
    #expect(state.lifetimeScore == 12 && state.entries == 300)
    #expect(try state.answered(RequestFingerprint(route: "events", id: "new", content: ["score": 5])) == UInt8(299 % 256))
    #expect(try state.answered(RequestFingerprint(route: "events", id: "old", content: ["score": 5])) == nil, "its entry is gone")
    #expect(throws: Refusal.requestIDReused("new")) {
      _ = try state.answered(RequestFingerprint(route: "events", id: "new", content: ["score": 6]))
    }
    #expect(try await store.read { try $0.answer(beside: 299, of: player("known")) } == [1, 7])
    #expect(try await store.read { try $0.player(player("overridden")) } == StoredPlayer(revision: 3))
    #expect(try await store.read { try $0.player(player("forgotten")) } == StoredPlayer(revision: 9))
    #expect(try await store.read { try $0.players(in: "g", after: nil, limit: 9) }.map(\.player) == ["known"])
    for (name, next) in [("known", Int64(8)), ("overridden", 4), ("forgotten", 10), ("new", 1)] {
      let revision = try await store.write(refusing: StoreError.self) { try $0.nextPlayerRevision(name, in: "g") }
      #expect(revision == next, "\(name)")
    }
  }

  private func makeVersionTwo(at path: String) async throws {
    func digests(_ id: String) -> String {
      let (name, content) = (SHA256.hex(of: "events\u{0}\(id)"), SHA256.hex(SHA256.digest(of: CBOR.bytes(["score": 5]))))
      return String(name.prefix(24) + content.prefix(16))
    }
    let state = """
      {"v":1,"c":1000,"m":2000,"s":12,"g":1,"n":300,"q":["\(digests("old"))",100,"\(digests("new"))",299]}
      """
    let connection = try DatabaseFile(path: path).connect()
    try connection.execute("PRAGMA journal_mode = WAL")
    try StoreSchema.released(version: 2).migrate(connection, from: 0)
    try connection.run("INSERT INTO players (number, game, player, state, offset_ms) VALUES (4, 'g', 'known', ?, 5)", [state])
    try connection.run(
      "INSERT INTO player_revisions (game, player, revision) VALUES ('g', 'known', 7), ('g', 'overridden', 3), ('g', ?, 9)",
      [RevisionRows.forgottenName(of: "forgotten")])
    try connection.execute(
      """
      INSERT INTO player_history (number, slot, entry, line, answer) VALUES (4, 99, 299, '[1000,"visit",{}]', '[1,7]');
      INSERT INTO numbers (name, number) VALUES ('player_revision_max', 9);
      """)
    connection.close()
  }
}
