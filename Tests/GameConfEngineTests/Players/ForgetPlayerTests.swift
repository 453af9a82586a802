// Forgetting a player removes everything and says what.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Forgetting players")
struct ForgetPlayerTests {
  private let bench = PlayerBench()

  private func forget(_ player: String = "p1") async throws -> PlayerChanged<ForgottenPlayer>? {
    try await ForgetPlayer(bench.desk)(PlayerBench.id(player), bench.change("asked to", admin: true)).fresh
  }

  private func remembering() -> Remembering<PlayerChanged<Visits>, PlayerRefusal> {
    Remembering(id: RepeatID(game: "g", player: "p1", route: "visits", id: "v1"), contentDigest: "c") { _ in
      RememberedAnswer(contentDigest: "c", status: 200, body: "{}", at: Instant(seconds: 1))
    }
  }

  @Test("state, history, settings, overrides and answers go, the log keeps a digest of the id")
  func everything() async throws {
    for score: Value in [30, 25] { try await bench.gameOver(score) }
    try await bench.gameOver(9, "p2")
    try await bench.choose(9, for: "order_length")
    try await bench.force(2, "every", player: "p1")
    _ = try await OpenVisit(bench.desk)(PlayerBench.id(), bench.change(), remembering: remembering())
    let outcome = try #require(try await forget()).outcome
    #expect(outcome.rows.historyEntries == 4 && outcome.rows.settings == 1 && outcome.overrides == 1 && outcome.answers == 1)
    #expect(outcome.auditLines == 1 && outcome.pseudonym == "sha256:" + SHA256.hex(of: "p1"))
    let view = try await bench.view()
    #expect(view.stored.isUnknown && view.stored.revision == 6 && view.caller.overrides.isEmpty)
    #expect(try await ReadPlayer(bench.desk).history(of: PlayerBench.id(), limit: 10).isEmpty)
    #expect(try await ListPlayers(bench.desk)(in: "g").map(\.player) == ["p2"])
    let lines = try await bench.audits()
    #expect(lines.map(\.player) == [outcome.pseudonym, outcome.pseudonym] && lines.last?.action.rawValue == "player.forget")
    #expect(lines.allSatisfy { $0.undo == nil })
    #expect(bench.live.present.world["g"]?.overrides.counts.players == 0)
  }

  @Test("one who comes back begins afresh, at a revision that never was")
  func comesBack() async throws {
    try await bench.gameOver(60)
    _ = try await forget()
    let back = try await bench.gameOver(5)
    #expect(back.outcome.lifetimeScore == 5 && back.outcome.visit == 1 && back.player.revision == 3)
    _ = try await OpenVisit(bench.desk)(PlayerBench.id(), bench.change(), remembering: remembering())
  }

  @Test("where nothing is known nothing changes")
  func unknown() async throws {
    let outcome = try #require(try await forget("nobody"))
    #expect(!outcome.outcome.isKnown && outcome.player.revision == 0)
    #expect(try await bench.audits().isEmpty && bench.published.isEmpty)
  }

  @Test("asked twice with ids of their own, the second finds nothing but the first answer")
  func twice() async throws {
    try await bench.gameOver(60)
    for number in 0..<3 {
      let id = RepeatID(game: "g", player: "p1", route: "forget", id: "f\(number)")
      let remembering = Remembering<PlayerChanged<ForgottenPlayer>, PlayerRefusal>(id: id, contentDigest: "c") { _ in
        RememberedAnswer(contentDigest: "c", status: 204, body: "", at: Instant(seconds: 1))
      }
      let answer = try await ForgetPlayer(bench.desk)(PlayerBench.id(), bench.change(admin: true), remembering: remembering)
      #expect(answer.fresh?.outcome.isKnown == (number == 0) && answer.fresh?.player.revision == 2)
    }
    #expect(try await bench.audits().count == 1)
  }
}
