// The details of an evaluation's answers, and evaluations without the store.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("Evaluations of a player's values")
struct EvaluateTests {
  private func evaluate(_ fixture: PlayerFixture) -> Evaluate { Evaluate(players: fixture.recent, clock: FrozenClock(at: fixture.host)) }

  private func game(_ fixture: PlayerFixture) throws -> GameSnapshot { try #require(fixture.live.present.world["g"]) }

  private func key(_ fixture: PlayerFixture) throws -> String {
    try #require(try game(fixture).catalog.parameters.first { $0.type == .integer && !$0.isPlayerSetting }).key
  }

  @Test("an answer names its layer and revision, and the author of an override only for the overridden player")
  func overridden() async throws {
    let fixture = PlayerFixture()
    let key = try key(fixture)
    try await fixture.force(7, key, player: "p1")
    let mine = try #require(try await evaluate(fixture).evaluation(EvaluationContext(player: "p1"), in: game(fixture)).answer(for: key))
    #expect(mine.value == 7 && mine.layer == .playerOverride && mine.override?.author.name == "root")
    #expect(mine.revision == 1 && mine.entry.variation.contains(.playerOverride))
    let others = try #require(try await evaluate(fixture).evaluation(EvaluationContext(player: "p2"), in: game(fixture)).answer(for: key))
    #expect(others.override == nil && others.layer == .catalogDefault && others.revision == 0)
  }

  @Test("without the store, a value that players can set is marked as degraded, and others are not")
  func degraded() throws {
    let fixture = PlayerFixture()
    let game = try game(fixture)
    let seen = Evaluation(EvaluationContext(player: "p1"), in: game, host: fixture.host, storeError: .late)
    #expect(seen.degraded == [.setting] && seen.playerRevision == nil)
    let setting = try #require(game.catalog.parameters.first { $0.isPlayerSetting }).key
    #expect(seen.answer(for: setting)?.degraded == [.setting])
    #expect(seen.answer(for: try key(fixture))?.degraded.isEmpty == true)
    #expect(seen.answer(for: "nothing") == nil)
  }
}
