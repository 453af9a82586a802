// The requirements for every store's scenarios.
import GameConfCore
import GameConfStorage
import Testing

@Suite("Scenarios in every store")
struct ScenarioTableSuite {
  @Test("a scenario is read back unchanged, updated, and deleted", arguments: StoreKind.allCases)
  func readBack(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let first = StoredScenario(
      id: "0123456789ab", title: "one", author: Author(uid: 5, name: "ada", pid: 6), reason: "why", startedAt: Instant(seconds: 10),
      leaseSeconds: 60, games: ["g", "h"], holds: [.init(game: "g", key: "a", window: "w"), .init(game: "h", key: "b")])
    let second = StoredScenario(
      id: "aaaaaaaaaaaa", title: nil, author: Author(uid: 6, name: "bob"), startedAt: Instant(seconds: 11), leaseSeconds: 1, games: ["g"])
    try await tested.write { transaction in
      try transaction.put(first)
      try transaction.put(second)
    }
    #expect(try await tested.store.read { try $0.scenarios() } == [first, second])
    #expect(try await tested.store.read { try $0.scenario("0123456789ab") } == first)
    #expect(try await tested.store.read { try $0.scenario("nothing") } == nil)
    // Older versions did not store `for_game`. A scenario of theirs that owns time windows is for whole games.
    for (isForGame, holds) in [(true, []), (false, first.holds)] as [(Bool, [StoredScenario.HeldKey])] {
      var scenario = second
      (scenario.isForGame, scenario.holds) = (isForGame, holds)
      var fields = try #require(scenario.fields.objectValue)
      func read() -> Bool? {
        StoredScenario(
          id: "a", startedAt: second.startedAt, leaseUntil: second.leaseUntil, leaseSeconds: 1, endsAt: second.endsAt, isEnding: false,
          fields: .object(fields))?.isForGame
      }
      #expect(read() == isForGame)
      fields["for_game"] = nil
      #expect(read() == !holds.isEmpty)
    }
    var moved = first
    (moved.leaseUntil, moved.isEnding) = (Instant(seconds: 99), true)
    let changed = moved
    try await tested.write { transaction in
      try transaction.put(changed)
      try transaction.removeScenario(second.id)
    }
    #expect(try await tested.store.read { try $0.scenarios() } == [moved])
  }
}
