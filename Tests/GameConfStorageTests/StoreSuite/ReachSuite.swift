// The enforcement of a transaction's scope, in every store.
import GameConfCore
import GameConfStorage
import TestStore
import Testing

@Suite("The scope of a transaction")
struct ReachSuite {
  private static let ada = PlayerID(game: "g", player: "ada")

  @Test(
    "a transaction that changes a game outside of its scope is rolled back alone and refused, even in a dry run",
    arguments: StoreKind.allCases)
  func beyond(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let reaches: [(WriteScope, String)] = [
      (.players([Self.ada]), "a transaction about players changed the game g"),
      (.game("h"), "a transaction about the game h changed the game g"),
    ]
    for (scope, words) in reaches {
      for isDryRun in [false, true] {
        async let beside = tested.write(WriteMode(scope: .game("h"))) { try $0.nextRevision(of: "h") }
        await #expect(throws: TestRefusal.store(.failed(words))) {
          try await tested.write(WriteMode(isDryRun: isDryRun, scope: scope)) { try Self.raise($0) }
        }
        _ = try await beside
      }
    }
    #expect(try await tested.store.read { try $0.revisions() } == ["h": 4])
    #expect(try await tested.store.read { try $0.player(Self.ada) }.isUnknown)
    #expect(try await tested.store.contents().state.revisions == ["h": 4])
    try await tested.write(WriteMode(scope: .game("g"))) { try Self.raise($0) }
    #expect(try await tested.store.read { try $0.revisions() } == ["g": 1, "h": 4])
  }

  @Test("the in-memory store of the tests also refuses a transaction that changes a game outside of its scope")
  func memory() async throws {
    let store = MemoryStore()
    await #expect(throws: StoreError.failed("a transaction about players changed the game g")) {
      try await store.write(WriteMode(scope: .players([Self.ada])), refusing: StoreError.self) { try Self.raise($0) }
    }
    #expect(try await store.read { try $0.revisions() }.isEmpty)
    #expect(try await store.read { try $0.player(Self.ada) }.isUnknown)
  }

  /// Writes a player, and raises the game's revision, which is outside of the scope of a transaction about players.
  private static func raise(_ transaction: WriteTransaction) throws {
    let write = PlayerWrite(clock: PlayerClock(offsetMilliseconds: 1))
    _ = try transaction.write(write, of: ada, over: try transaction.player(ada))
    _ = try transaction.nextRevision(of: "g")
  }
}
