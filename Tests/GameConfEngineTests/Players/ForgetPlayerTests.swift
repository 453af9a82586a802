// Forgetting a player removes everything and says what.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Forgetting players")
struct ForgetPlayerTests {
  private let bench = PlayerBench()

  private func forget(_ player: String = "p1") async throws -> PlayerChanged<ForgottenPlayer>? {
    try await bench.desk.change(PlayerBench.id(player), .forget, bench.change("asked to", admin: true)).fresh
  }

  private func remembering() -> Remembering<PlayerChanged<Visits>, ChangeRefusal> {
    Remembering(id: RepeatID(game: "g", player: "p1", route: "visits", id: "v1"), by: 7, contentDigest: "c") { _ in
      RememberedAnswer(contentDigest: "c", status: 200, body: "{}", at: Instant(seconds: 1))
    }
  }

  @Test("state, history, settings, overrides and answers go, the log keeps a digest of the id")
  func everything() async throws {
    for score: Value in [30, 25] { try await bench.gameOver(score) }
    try await bench.gameOver(9, "p2")
    try await bench.choose(9, for: "order_length")
    try await bench.force(2, "every", player: "p1")
    _ = try await bench.desk.change(PlayerBench.id(), .openVisit, bench.change(), remembering: remembering())
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
    _ = try await bench.desk.change(PlayerBench.id(), .openVisit, bench.change(), remembering: remembering())
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
      let remembering = Remembering<PlayerChanged<ForgottenPlayer>, ChangeRefusal>(id: id, by: 7, contentDigest: "c") { _ in
        RememberedAnswer(contentDigest: "c", status: 204, body: "", at: Instant(seconds: 1))
      }
      let answer = try await bench.desk.change(PlayerBench.id(), .forget, bench.change(admin: true), remembering: remembering)
      #expect(answer.fresh?.outcome.isKnown == (number == 0) && answer.fresh?.player.revision == 2)
    }
    #expect(try await bench.audits().count == 1)
  }

  /// What is in memory about slots of players, and what would be after a restart.
  private func boards() async throws -> [OverrideBoard?] {
    let started = World(games: [GameSnapshot(catalog: .dots, revision: 0)]).applying([.replaced(try await bench.store.contents())])
    return [bench.live.present.world["g"]?.overrides, started["g"]?.overrides]
  }

  @Test("no revision of the player's overrides stays in memory, and none of them comes again")
  func revisions() async throws {
    try await bench.force(2, "every", player: "p1")
    try await bench.unforce("every", player: "p1")
    try await bench.force(5, "grid_side", player: "p1")
    try await bench.force(2, "every", player: "p2")
    for board in try await boards() { #expect(board?.player("p1").revisions == ["every": 2, "grid_side": 3]) }
    let slot = OverrideSlot(game: "g", player: "p1", key: "every")
    #expect(try #require(try await forget()).outcome.overrides == 1)
    for board in try await boards() { #expect(board?.players.count == 1 && board?.player("p1").revisions.isEmpty == true) }
    #expect(try await bench.store.read { try $0.revision(at: slot) } == nil)

    let stale = Change(
      author: bench.context.author, now: bench.host, precondition: .slotRevision(2))
    let change = ChangeOverride(store: bench.store, checking: WorldChecking(bench.live.present))
    await #expect(throws: ChangeRefusal.changedMeanwhile(revision: 0)) { _ = try await change(.set(3), at: slot, stale) }
    try await bench.force(3, "every", player: "p1")
    let game = try #require(bench.live.present.world["g"])
    #expect(game.revision == 6 && game.revision(at: "every", for: "p1") == 6)
    // The removal raised the keys' own revisions: at 0 the player may have been answered the override, had the key been changed under it.
    #expect(game.revision(at: "grid_side", for: "p1") == 5 && game.revision(at: "grid_side", for: "p2") == 5)
    for board in try await boards() { #expect(board?.player("p1").revisions == ["every": 6]) }
  }

  @Test("of a player of whom only revisions are left, they go too")
  func bareRevisions() async throws {
    try await bench.force(2, "every", player: "p1")
    try await bench.unforce("every", player: "p1")
    _ = try await bench.store.write(refusing: StoreError.self) { try $0.dropAudits(before: .latest, max: 10) }
    let outcome = try #require(try await forget())
    #expect(!outcome.outcome.isKnown && outcome.player.revision == 2)
    for board in try await boards() { #expect(board?.players.isEmpty == true) }
    #expect(try await bench.store.read { try $0.playerRevision("p1", in: "g") } == 2)
    #expect(try await bench.audits().isEmpty)
  }

  @Test("what an earlier turn of the same batch has written goes too, though memory does not know it yet")
  func behind() async throws {
    let behind = RecentPlayers(store: bench.store)
    #expect(try await behind.read(PlayerBench.id()).isUnknown)
    try await bench.gameOver(60)
    let desk = PlayerDesk(store: bench.store, world: bench.desk.world, recent: behind, rates: bench.desk.rates)
    let outcome = try await desk.change(PlayerBench.id(), .forget, bench.change(admin: true)).fresh?.outcome
    #expect(outcome?.rows.historyEntries == 1)
    #expect(try await bench.store.read { try $0.player(PlayerBench.id()) }.isUnknown)
  }
}
