// A database of the third version, in which each player's history was a ring of rows.
import GameConfCore
import Testing

@testable import GameConfStorage

@Suite("A database of version 3")
struct VersionThreeTests {
  private static let players: Int64 = 40

  @Test("every player's history lines and stored answers are migrated, and new ones follow them")
  func migration() async throws {
    let fixture = try DiskFixture()
    let store = try await fixture.open(over: makeVersionThree)
    #expect(store.health.condition == .good && store.health.schemaVersion == StoreSchema.current.version)
    for number in 1...Self.players {
      let id = PlayerID(game: "g", player: "p\(number)")
      let stored = try await store.read { try $0.player(id) }
      #expect(stored.revision == number && stored.state?.lifetimeScore == number, "\(id.player)")
      let (newest, retained) = (Self.newest(of: number), min(Self.newest(of: number), 200))
      let history = try await store.read { try $0.history(of: id, before: nil, limit: 500) }
      #expect(history.map(\.number) == (0..<retained).map { newest - $0 }, "\(id.player)")
      #expect(history.allSatisfy { $0.details == ["of": .integer(number), "entry": .integer($0.number)] })
      let page = try await store.read { try $0.history(of: id, before: 5, limit: 2) }
      #expect(page.map(\.number) == (newest >= 5 && retained == newest ? [4, 3] : newest < 5 ? page.map(\.number) : []))
      for entry in [newest, newest - retained + 1] where entry > 0 {
        let answer = try await store.read { try $0.answer(beside: entry, of: id) }
        #expect(answer == (entry.isMultiple(of: 2) ? .some([.integer(entry), 1]) : nil), "\(id.player) \(entry)")
      }
      #expect(try await store.read { try $0.answer(beside: newest - retained, of: id) } == nil)
    }
    let id = PlayerID(game: "g", player: "p7")
    let written = try await store.write(refusing: StoreError.self) { transaction in
      let stored = try transaction.player(id)
      var state = try #require(stored.state)
      let entry = state.openVisit(now: Instant(seconds: 5))
      return try transaction.write(PlayerWrite(state: state, entry: entry, answer: [UInt8]("7".utf8)), of: id, over: stored)
    }
    #expect(written?.revision == 8)
    let history = try await store.read { try $0.history(of: id, before: nil, limit: 3) }
    let newest = Self.newest(of: 7)
    #expect(history.map(\.number) == [newest + 1, newest, newest - 1] && history.first?.kind == .visit)
    #expect(try await store.read { try $0.answer(beside: newest + 1, of: id) } == 7)
    // Lines from before the migration are not linked by event; new lines are.
    #expect(try await store.read { try $0.events(named: nil, of: id, limit: 10) }.isEmpty)
    try await store.write(refusing: StoreError.self) { transaction in
      let stored = try transaction.player(id)
      var state = try #require(stored.state)
      let number = state.openVisit(now: Instant(seconds: 6)).number
      let entry = HistoryEntry(number: number, at: Instant(seconds: 6), kind: .event, details: ["event": "over"])
      let line = PlayerLine(entry: entry, answer: [UInt8]("8".utf8), retained: 200)
      #expect(try transaction.write(PlayerWrite(state: state, lines: [line]), of: id, over: stored) != nil)
    }
    #expect(try await store.read { try $0.events(named: "over", of: id, limit: 10) }.map(\.number) == [newest + 2])
    #expect(try await store.read { try $0.history(of: id, before: nil, limit: 3) }.map(\.number) == [newest + 2, newest + 1, newest])
  }

  /// Returns the number of a player's newest line: some players have few lines, some more than are stored.
  private static func newest(of number: Int64) -> Int64 { number * 11 % 37 * 13 }

  private func makeVersionThree(at path: String) async throws {
    let connection = try DatabaseFile(path: path).connect()
    try connection.execute("PRAGMA journal_mode = WAL")
    try StoreSchema.released(version: 3).migrate(connection, from: 0)
    for number in 1...Self.players {
      let newest = Self.newest(of: number)
      try connection.run(
        "INSERT INTO players (number, game, player, revision, state) VALUES (?, 'g', ?, ?, ?)",
        [number, "p\(number)", number, #"{"v":1,"c":1000,"m":2000,"s":\#(number),"g":1,"n":\#(newest)}"#])
      for entry in stride(from: newest, to: max(0, newest - 200), by: -1) {
        try connection.run(
          "INSERT INTO player_history (number, slot, entry, line, answer) VALUES (?, ?, ?, ?, ?)",
          [
            number, entry % 200, entry, #"[1000,"event",{"of":\#(number),"entry":\#(entry)}]"#,
            entry.isMultiple(of: 2) ? "[\(entry),1]" : nil,
          ])
      }
    }
    connection.close()
  }
}
