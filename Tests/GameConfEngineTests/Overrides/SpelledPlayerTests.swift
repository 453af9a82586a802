// Two players whose ids look the same and have different bytes.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

private typealias Fixture = OverrideFixture

@Suite("Players whose ids look the same and differ in bytes")
struct SpelledPlayerTests {
  static let pairs = [("\u{E9}", "e\u{301}"), ("Kim", "\u{212A}im")]

  @Test("an override of one player is never read or reverted for the other, or assigned to the other after a restart", arguments: pairs)
  func overridden(one: String, other: String) async throws {
    let fixture = CatalogFixture()
    fixture.save("g", .g())
    let run = try await fixture.start()
    func values(_ run: CatalogFixture.Run) -> [Value?] { [one, other].map { run.value("a", player: $0) } }
    try await fixture.set(run, 10, "a", player: one)
    #expect(values(run) == [10, 1])
    try await fixture.set(run, 20, "a", player: other)
    try await fixture.set(run, 30, "b", player: other)
    #expect(values(run) == [10, 20])
    #expect(run.world["g"]?.overrides.players.count == 2 && run.world["g"]?.overrides.counts.players == 3)

    let lines = try await fixture.store.audits(AuditSelection(player: one))
    #expect(lines.map(\.after) == [10])
    _ = try await OverrideService(store: fixture.store, checking: WorldChecking(run.live.present)).revert(
      try #require(lines.first).id, in: "g", Fixture.context())
    #expect(values(run) == [1, 20])
    let again = try await fixture.start()
    #expect(values(again) == values(run))
    let revisions = run.revisions(of: [one]).values.sorted() + run.revisions(of: [other]).values.sorted()
    #expect(again.revisions(of: [one]).values.sorted() + again.revisions(of: [other]).values.sorted() == revisions)

    try await fixture.unset(again, "a", player: other)
    #expect(values(again) == [1, 1] && again.value("b", player: other) == 30 && again.value("b", player: one) == 2)
  }

  @Test("constraints are checked for each of the two players alone, and each player has a separate revision", arguments: pairs)
  func imported(one: String, other: String) async throws {
    let fixture = Fixture()
    func take(_ rows: [OverrideRow]) async throws {
      _ = try await OverrideService(store: fixture.store, checking: fixture.checking).importRows(rows, into: "g", Fixture.context())
    }
    await #expect(throws: ChangeRefusal.self) {
      try await take([OverrideRow(player: one, key: "low", value: 20), OverrideRow(player: other, key: "high", value: 22)])
    }
    try await take([one, other].map { OverrideRow(player: $0, key: "high", value: 20) } + [OverrideRow(player: one, key: "low", value: 5)])
    for player in [one, other] { #expect(try await fixture.store.read { try $0.playerRevision(player, in: "g") } == 1) }
    _ = try await OverrideService(store: fixture.store, checking: fixture.checking).clear(
      OverrideSelection(.player(one)), in: "g", Fixture.context())
    #expect(try await fixture.inForce("high", player: one) == nil)
    #expect(try await fixture.inForce("high", player: other) == 20)
  }

  @Test("a new catalog that quarantines an override of one player leaves the other player's override", arguments: pairs)
  func quarantined(one: String, other: String) async throws {
    let fixture = Fixture()
    for (player, high) in [(one, 20), (other, 20), (one, 10)] as [(String, Int64)] {
      try await fixture.set(.integer(high), "high", player: player)
    }
    var candidate = TableChecking()
    candidate.ceiling = 17
    let taken = try await fixture.store.write(refusing: StoreError.self) { [candidate] transaction in
      try transaction.quarantineOverrides(
        in: "g", checking: candidate, revision: try transaction.nextRevision(of: "g"), now: Instant(seconds: 1))
    }
    #expect(taken.map(\.value) == [20])
    #expect(try await fixture.inForce("high", player: one) == 10)
    #expect(try await fixture.inForce("high", player: other) == nil)
  }

  @Test("a request about one player is not a repeat of the same request about the other player", arguments: pairs)
  func repeated(one: String, other: String) async throws {
    let fixture = Fixture()
    func set(_ player: String) async throws -> ChangeAnswer<OverrideOutcome> {
      let remembering = RepeatableChange<OverrideOutcome, ChangeRefusal>(
        id: RepeatID(game: "g", player: player, route: "PUT", id: "k"), by: 7, contentDigest: "a"
      ) { _ in StoredAnswer(contentDigest: "a", status: 200, body: "", at: Instant(seconds: 1)) }
      return try await OverrideService(store: fixture.store, checking: fixture.checking).change(
        .set(3), at: Fixture.slot("time", player: player), Fixture.context(), remembering: remembering)
    }
    #expect(try await set(one).fresh != nil)
    #expect(try await set(other).fresh != nil)
    #expect(try await set(one).fresh == nil)
    let id = PlayerID(game: "g", player: one)
    #expect(try await fixture.store.write(refusing: StoreError.self) { try $0.forgetAnswers(of: id) } == 1)
    #expect(try await set(other).fresh == nil)
  }
}
