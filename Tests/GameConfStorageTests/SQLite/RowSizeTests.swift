// The size of players' rows: a row that keeps its size is overwritten in place.
import GameConfCore
import GameConfEngine
import Testing

@testable import GameConfStorage

@Suite("The size of a player's row")
struct RowSizeTests {
  @Test("a row grows in steps, so that most events keep its size, and it is read back unchanged")
  func steps() async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    var catalog = Catalog(game: "g", title: "G", locales: ["en"])
    catalog.events = [EventDefinition(name: "game_over", carriesScore: true)]
    catalog.placements = [Placement(id: "over", format: .interstitial, event: "game_over", every: .number(2))]
    let service = PlayerService.over(store, catalog)
    let id = PlayerID(game: "g", player: "p1")
    let database = try SQLiteConnection(path: fixture.path + "/gameconfd.db", for: .reading)
    var sizes: [Int] = []
    for number in 0..<100 {
      let change = ChangeContext(author: Author(uid: 1, name: "ada"), now: Instant(seconds: 1_795_262_400 + Int64(number)))
      let event = PlayerEvent(name: "game_over", score: .integer(Int64(number)))
      _ = try await service.record(id, event, requestID: "e\(number)", change)
      sizes.append(Int(try database.integer("SELECT length(state) + length(requests) + length(events) FROM players") ?? 0))
    }
    #expect(sizes.allSatisfy { $0 > 0 && $0.isMultiple(of: PlayerRows.stepBytes) })
    let changes = zip(sizes, sizes.dropFirst()).count { $0 != $1 }
    #expect(changes > 2 && changes < 25, "\(sizes)")
    #expect(try await store.read { try $0.player(id) } == service.recent.cached(id))
    #expect(service.recent.cached(id)?.state?.entries == 100)
  }
}
