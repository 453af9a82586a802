// The retention of history lines: old lines beyond a player's newest are deleted, and all lines of a forgotten player.
import GameConfCore
import GameConfEngine
import Testing

@testable import GameConfStorage

@Suite("Retention of players' history lines")
struct LineRetentionTests {
  private static let day: Int64 = 86_400

  private func visit(_ store: any Store, _ player: String, times: Int, at seconds: Int64) async throws {
    try await store.write(refusing: StoreError.self) { transaction in
      let id = PlayerID(game: "g", player: player)
      let stored = try transaction.player(id)
      var state = stored.state ?? PlayerState(createdAt: Instant(seconds: seconds))
      let lines = (0..<times).map { _ in PlayerLine(entry: state.openVisit(now: Instant(seconds: seconds))) }
      var write = PlayerWrite(state: state, lines: lines)
      write.at = Instant(seconds: seconds)
      #expect(try transaction.write(write, of: id, over: stored) != nil)
    }
  }

  private func count(_ store: any Store, _ player: String) async throws -> Int {
    try await store.read { try $0.history(of: PlayerID(game: "g", player: player), before: nil, limit: 500) }.count
  }

  private func rows(_ fixture: DiskFixture) throws -> Int64 {
    try SQLiteConnection(path: fixture.path + "/gameconfd.db", for: .reading).integer("SELECT count(*) FROM player_lines") ?? 0
  }

  private func retain(_ store: any Store, at seconds: Int64) async throws {
    while try await store.applyRetention(now: Instant(seconds: seconds), passed: 0) {}
  }

  @Test("old history lines are deleted except for each player's newest two hundred, which are deleted when newer ones follow")
  func old() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    try await visit(store, "a", times: 700, at: 0)
    try await visit(store, "b", times: 10, at: 0)
    try await visit(store, "a", times: 50, at: 20 * Self.day)
    try await retain(store, at: 29 * Self.day)
    #expect(try rows(fixture) == 760, "nothing is thirty days old")
    try await retain(store, at: 31 * Self.day)
    #expect(try rows(fixture) == 210, "two hundred of one player, fifty of them young, and ten of the other")
    #expect(try await count(store, "a") == 200)
    #expect(try await count(store, "b") == 10)
    try await visit(store, "a", times: 150, at: 32 * Self.day)
    try await retain(store, at: 33 * Self.day)
    try await retain(store, at: 35 * Self.day)
    #expect(try rows(fixture) == 210, "what was spared is looked at again")
    #expect(try await count(store, "a") == 200)
  }

  @Test("event lines of a forgotten player are hidden immediately, and deleted later; until then no line reuses their numbers")
  func forgotten() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    try await visit(store, "a", times: 3, at: 0)
    try await visit(store, "b", times: 1_200, at: 0)
    let gone = try await store.write(refusing: StoreError.self) { try $0.forget(PlayerID(game: "g", player: "b"), by: .forget) }
    #expect(gone[.history] == 200)
    #expect(try await count(store, "b") == 0)
    try await visit(store, "c", times: 2, at: 1)
    #expect(try await count(store, "c") == 2)
    try await retain(store, at: 2)
    #expect(try rows(fixture) == 5)
    #expect(try await count(store, "a") == 3)
    #expect(try await count(store, "c") == 2)
    _ = try await store.write(refusing: StoreError.self) { try $0.forget(PlayerID(game: "g", player: "c"), by: .forget) }
    try await retain(store, at: 3)
    try await visit(store, "d", times: 1, at: 4)
    #expect(try await count(store, "d") == 1)
    let newest = try SQLiteConnection(path: fixture.path + "/gameconfd.db", for: .reading).integer("SELECT max(number) FROM player_lines")
    #expect(newest == 1_206, "a line's number is never given again")
  }

  private func play(_ store: any Store, _ player: String, times: Int, retained: Int64, at seconds: Int64) async throws {
    try await store.write(refusing: StoreError.self) { transaction in
      let id = PlayerID(game: "g", player: player)
      let stored = try transaction.player(id)
      var state = stored.state ?? PlayerState(createdAt: Instant(seconds: seconds))
      let lines = (0..<times).map { _ in
        let number = state.openVisit(now: Instant(seconds: seconds)).number
        let entry = HistoryEntry(number: number, at: Instant(seconds: seconds), kind: .event, details: ["event": "over"])
        return PlayerLine(entry: entry, retained: retained)
      }
      var write = PlayerWrite(state: state, lines: lines)
      write.at = Instant(seconds: seconds)
      #expect(try transaction.write(write, of: id, over: stored) != nil)
    }
  }

  private func events(_ store: any Store, _ player: String) async throws -> [Int64] {
    try await store.read { try $0.events(named: "over", of: PlayerID(game: "g", player: player), limit: 1_000) }.map(\.number)
  }

  @Test("as many old lines of an event are retained as the catalog requires, whatever other lines follow, until the player is forgotten")
  func events() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    try await play(store, "a", times: 5, retained: 3, at: 0)
    try await visit(store, "a", times: 300, at: 1)
    try await retain(store, at: 31 * Self.day)
    #expect(try await events(store, "a") == [5, 4, 3])
    #expect(try rows(fixture) == 203)
    #expect(try await count(store, "a") == 200)
    try await play(store, "a", times: 1, retained: 1, at: 32 * Self.day)
    for day: Int64 in [63, 65] { try await retain(store, at: day * Self.day) }
    #expect(try await events(store, "a") == [306])
    #expect(try rows(fixture) == 200)
    // The history has a gap before the stored line of the event; all of the history is deleted nevertheless.
    try await visit(store, "a", times: 250, at: 66 * Self.day)
    try await retain(store, at: 100 * Self.day)
    #expect(try await events(store, "a") == [306])
    #expect(try rows(fixture) == 201)
    try await visit(store, "b", times: 1, at: 101 * Self.day)
    let id = PlayerID(game: "g", player: "a")
    _ = try await store.write(refusing: StoreError.self) { try $0.forget(id, by: .forget) }
    #expect(try await events(store, "a").isEmpty)
    try await retain(store, at: 101 * Self.day)
    #expect(try rows(fixture) == 1)
    let left = try SQLiteConnection(path: fixture.path + "/gameconfd.db", for: .reading).integer("SELECT count(*) FROM forgotten_lines")
    #expect(left == 0)
  }

  @Test("a write that was decided on another revision than the stored one leaves no history line")
  func behind() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    try await visit(store, "a", times: 3, at: 0)
    let id = PlayerID(game: "g", player: "a")
    try await store.write(refusing: StoreError.self) { transaction in
      var stale = try transaction.player(id)
      stale.revision -= 1
      var state = try #require(stale.state)
      let entry = state.openVisit(now: Instant(seconds: 5))
      #expect(try transaction.write(PlayerWrite(state: state, entry: entry), of: id, over: stale) == nil)
    }
    #expect(try rows(fixture) == 3)
    #expect(try await count(store, "a") == 3)
  }
}
