// Forgetting a player deletes everything and reports it.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("Forgetting players")
struct ForgetPlayerTests {
  private let fixture = PlayerFixture()

  private func forget(_ player: String = "p1") async throws -> PlayerChangeOutcome<PlayerRemovalOutcome>? {
    try await fixture.service.change(PlayerFixture.id(player), .forget, fixture.change("asked to", admin: true)).fresh
  }

  private func remembering() -> RepeatableChange<PlayerChangeOutcome<Visits>, ChangeRefusal> {
    RepeatableChange(id: RepeatID(game: "g", player: "p1", route: "visits", id: "v1"), by: 7, contentDigest: "c") { _ in
      StoredAnswer(contentDigest: "c", status: 200, body: "{}", at: Instant(seconds: 1))
    }
  }

  @Test("state, history, settings, overrides and answers are deleted, and the audit log has a digest of the id")
  func everything() async throws {
    for score: Value in [30, 25] { try await fixture.gameOver(score) }
    try await fixture.gameOver(9, "p2")
    try await fixture.choose(9, for: "order_length")
    try await fixture.force(2, "every", player: "p1")
    _ = try await fixture.service.change(PlayerFixture.id(), .openVisit, fixture.change(), remembering: remembering())
    let outcome = try #require(try await forget()).outcome
    #expect(outcome.rows[.history] == 4 && outcome.rows[.settings] == 1 && outcome.overrides == 1 && outcome.answers == 1)
    #expect(outcome.auditLines == 1 && outcome.pseudonym == "sha256:" + SHA256.hex(of: "p1"))
    let view = try await fixture.view()
    #expect(view.stored.isUnknown && view.stored.revision == 6 && view.caller.overrides.isEmpty)
    #expect(try await fixture.service.history(of: PlayerFixture.id(), limit: 10).isEmpty)
    #expect(try await fixture.service.players(in: "g").map(\.player) == ["p2"])
    let lines = try await fixture.audits()
    #expect(lines.map(\.player) == [outcome.pseudonym, outcome.pseudonym] && lines.last?.action.rawValue == "player.forget")
    #expect(lines.allSatisfy { $0.undo == nil })
    #expect(fixture.live.present.world["g"]?.overrides.counts.players == 0)
  }

  @Test("a forgotten player who returns begins without data, at a revision that was never used")
  func comesBack() async throws {
    try await fixture.gameOver(60)
    _ = try await forget()
    let back = try await fixture.gameOver(5)
    #expect(back.outcome.lifetimeScore == 5 && back.outcome.visit == 1 && back.player.revision == 3)
    _ = try await fixture.service.change(PlayerFixture.id(), .openVisit, fixture.change(), remembering: remembering())
  }

  @Test("forgetting an unknown player changes nothing")
  func unknown() async throws {
    let outcome = try #require(try await forget("nobody"))
    #expect(!outcome.outcome.isKnown && outcome.player.revision == 0)
    #expect(try await fixture.audits().isEmpty && fixture.published.isEmpty)
  }

  @Test("forgetting a player again by requests with other ids finds no data and changes nothing")
  func twice() async throws {
    try await fixture.gameOver(60)
    for number in 0..<3 {
      let id = RepeatID(game: "g", player: "p1", route: "forget", id: "f\(number)")
      let remembering = RepeatableChange<PlayerChangeOutcome<PlayerRemovalOutcome>, ChangeRefusal>(id: id, by: 7, contentDigest: "c") { _ in
        StoredAnswer(contentDigest: "c", status: 204, body: "", at: Instant(seconds: 1))
      }
      let answer = try await fixture.service.change(PlayerFixture.id(), .forget, fixture.change(admin: true), remembering: remembering)
      #expect(answer.fresh?.outcome.isKnown == (number == 0) && answer.fresh?.player.revision == 2)
    }
    #expect(try await fixture.audits().count == 1)
  }

  /// Returns the game's overrides in memory, and those after a restart.
  private func boards() async throws -> [OverrideIndex?] {
    let started = World(games: [GameSnapshot(catalog: .dots, revision: 0)]).applying([.replaced(try await fixture.store.contents())])
    return [fixture.live.present.world["g"]?.overrides, started["g"]?.overrides]
  }

  @Test("no revision of a forgotten player's overrides stays in memory, and a new override gets an unused one")
  func revisions() async throws {
    try await fixture.force(2, "every", player: "p1")
    try await fixture.unforce("every", player: "p1")
    try await fixture.force(5, "grid_side", player: "p1")
    try await fixture.force(2, "every", player: "p2")
    for board in try await boards() { #expect(board?.player("p1").revisions == ["every": 2, "grid_side": 3]) }
    let slot = OverrideSlot(game: "g", player: "p1", key: "every")
    #expect(try #require(try await forget()).outcome.overrides == 1)
    for board in try await boards() { #expect(board?.players.count == 1 && board?.player("p1").revisions.isEmpty == true) }
    #expect(try await fixture.store.read { try $0.revision(at: slot) } == nil)

    let stale = ChangeContext(
      author: fixture.context.author, now: fixture.host, precondition: .slotRevision(2))
    let overrides = OverrideService(store: fixture.store, checking: WorldChecking(fixture.live.present))
    await #expect(throws: ChangeRefusal.changedMeanwhile(revision: 0)) { _ = try await overrides.change(.set(3), at: slot, stale) }
    try await fixture.force(3, "every", player: "p1")
    let game = try #require(fixture.live.present.world["g"])
    #expect(game.revision == 6 && game.revision(at: "every", for: "p1") == 6)
    // Forgetting raised the keys' game-wide revisions. If they stayed at 0, a later change of a key could get a revision at which the
    // player was served the override.
    #expect(game.revision(at: "grid_side", for: "p1") == 5 && game.revision(at: "grid_side", for: "p2") == 5)
    for board in try await boards() { #expect(board?.player("p1").revisions == ["every": 6]) }
  }

  @Test("a player of whom only the revisions of removed overrides are left is forgotten too")
  func bareRevisions() async throws {
    try await fixture.force(2, "every", player: "p1")
    try await fixture.unforce("every", player: "p1")
    _ = try await fixture.store.write(refusing: StoreError.self) { try $0.dropAudits(before: .latest, max: 10) }
    let outcome = try #require(try await forget())
    #expect(!outcome.outcome.isKnown && outcome.player.revision == 2)
    for board in try await boards() { #expect(board?.players.isEmpty == true) }
    #expect(try await fixture.store.read { try $0.playerRevision("p1", in: "g") } == 2)
    #expect(try await fixture.audits().isEmpty)
  }

  @Test("a write of an earlier transaction of the same batch is deleted too, although the cache does not have it yet")
  func behind() async throws {
    let behind = PlayerCache(store: fixture.store)
    #expect(try await behind.read(PlayerFixture.id()).isUnknown)
    try await fixture.gameOver(60)
    let service = PlayerService(store: fixture.store, world: fixture.service.world, recent: behind, rates: fixture.service.rates)
    let outcome = try await service.change(PlayerFixture.id(), .forget, fixture.change(admin: true)).fresh?.outcome
    #expect(outcome?.rows[.history] == 1)
    #expect(try await fixture.store.read { try $0.player(PlayerFixture.id()) }.isUnknown)
  }
}
