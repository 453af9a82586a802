// What an evaluation tells of each answer, and what it does without the store.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Evaluations")
struct EvaluateTests {
  private func evaluate(_ bench: PlayerBench) -> Evaluate { Evaluate(players: bench.recent, clock: FrozenClock(at: bench.host)) }

  private func game(_ bench: PlayerBench) throws -> GameSnapshot { try #require(bench.live.present.world["g"]) }

  private func key(_ bench: PlayerBench) throws -> String {
    try #require(try game(bench).catalog.parameters.first { $0.type == .integer && !$0.isPlayerSetting }).key
  }

  @Test("an answer names its layer, its revision and who set an override, for the player it is set for alone")
  func overridden() async throws {
    let bench = PlayerBench()
    let key = try key(bench)
    try await bench.force(7, key, player: "p1")
    let mine = try #require(try await evaluate(bench)(EvaluationContext(player: "p1"), in: game(bench)).answer(for: key))
    #expect(mine.value == 7 && mine.layer == .playerOverride && mine.override?.author.name == "root")
    #expect(mine.revision == 1 && mine.entry.variation.contains(.playerOverride))
    let others = try #require(try await evaluate(bench)(EvaluationContext(player: "p2"), in: game(bench)).answer(for: key))
    #expect(others.override == nil && others.layer == .catalogDefault && others.revision == 0)
  }

  @Test("a store that cannot be asked leaves the settings out and says so, except of what is the same for everyone")
  func degraded() throws {
    let bench = PlayerBench()
    let game = try game(bench)
    let seen = Evaluation(EvaluationContext(player: "p1"), in: game, host: bench.host, trouble: .late)
    #expect(seen.degraded == [.setting] && seen.playerRevision == nil)
    let setting = try #require(game.catalog.parameters.first { $0.isPlayerSetting }).key
    #expect(seen.answer(for: setting)?.degraded == [.setting])
    #expect(seen.answer(for: try key(bench))?.degraded.isEmpty == true)
    #expect(seen.answer(for: "nothing") == nil)
  }
}
