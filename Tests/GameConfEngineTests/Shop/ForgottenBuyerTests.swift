// A forgotten player who exchanged purchases with others is removed from their purchases too.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Forgetting players who exchanged purchases")
struct ForgottenBuyerTests {
  private func fixture() async throws -> ShopFixture {
    let fixture = try await ShopFixture()
    for product in ["removeads", "theme.aurora"] { try await fixture.buy(product, "ada") }
    try await fixture.buy("coins", "other")
    for (taker, giver) in [("bob", "ada"), ("zoe", "bob")] {
      _ = try await fixture.service.change(fixture.id(taker), .transferPurchases(from: giver), fixture.change())
    }
    return fixture
  }

  private func forget(_ fixture: ShopFixture, _ player: String, dryRun: Bool = false) async throws -> PlayerRemovalOutcome {
    let answer = try await fixture.service.change(fixture.id(player), .forget, fixture.change(dryRun: dryRun))
    return try #require(answer.fresh).outcome
  }

  /// Returns the stored ledgers of the players as JSON; nil for a player without one.
  private func stored(_ fixture: ShopFixture, _ players: [String] = ["ada", "bob", "zoe", "other"]) async throws -> [String?] {
    let ids = players.map { fixture.id($0) }
    return try await fixture.store.read { view in
      try ids.map { id in try view.player(id).ledger.map { JSONWriter.text($0.encoded) } }
    }
  }

  private func revisions(_ fixture: ShopFixture) async throws -> [Int64] {
    let ids = ["ada", "bob", "zoe", "other"].map { fixture.id($0) }
    return try await fixture.store.read { view in try ids.map { try view.player($0).revision } }
  }

  @Test("a player in a chain of transfers is removed from both neighbours' ledgers, and from no others", arguments: [false, true])
  func chain(dryRun: Bool) async throws {
    let fixture = try await fixture()
    let (before, revised) = (try await stored(fixture), try await revisions(fixture))
    #expect(before[0]?.contains("bob") == true && before[2]?.contains("bob") == true)
    let gone = try await forget(fixture, "bob", dryRun: dryRun)
    #expect(gone.transfers == 2 && gone.rows[.transactions] == 0 && gone.isKnown)
    let after = try await stored(fixture)
    if dryRun {
      #expect(after == before)
      #expect(try await revisions(fixture) == revised)
      return
    }
    #expect(after[1] == nil && after[3] == before[3] && after.allSatisfy { $0?.contains("bob") != true })
    #expect(try await revisions(fixture) == [revised[0] + 1, revised[1] + 1, revised[2] + 1, revised[3]])
    #expect(try await fixture.held("zoe") == ["ad_free", "theme.aurora"])
    #expect(try await fixture.view("zoe").ledger.transactions.allSatisfy { $0.transferredFrom == nil })
    let published = fixture.published.suffix(6).compactMap { if case .player(let id, let player) = $0 { (id.player, player) } else { nil } }
    #expect(published.map(\.0) == ["ada", "zoe", "bob"])
    for (name, player) in published {
      let id = fixture.id(name)
      let stored = try await fixture.store.read { try $0.player(id) }
      #expect(stored == player)
    }
    let lines = try await fixture.audits()
    #expect(lines.last?.detail?["transfers"] == 2 && lines.allSatisfy { !JSONWriter.text($0.detail ?? [:]).contains("bob") })
    #expect(try await forget(fixture, "bob").isKnown == false)
  }

  @Test("both ends of a chain of transfers are removed, even if the purchases of one end and the middle were cleared before")
  func ends() async throws {
    let fixture = try await fixture()
    for player in ["ada", "bob"] { try await fixture.act(.clear, player) }
    try await fixture.restart()
    #expect(try await forget(fixture, "ada").transfers == 1)
    #expect(try await forget(fixture, "zoe").transfers == 1)
    let left = try await stored(fixture, ["bob"]).first
    #expect(left??.contains("ada") == false && left??.contains("zoe") == false)
    #expect(try await fixture.view("bob").ledger.partners.isEmpty)
    #expect(try await forget(fixture, "bob").transfers == 0)
  }

  @Test("a forgotten player who returns is a new one: without partners, and free to exchange purchases again")
  func comesBack() async throws {
    let fixture = try await fixture()
    _ = try await forget(fixture, "ada")
    try await fixture.buy("premium", "ada")
    #expect(try await fixture.view("ada").ledger.partners.isEmpty)
    _ = try await fixture.service.change(fixture.id("bob"), .transferPurchases(from: "ada"), fixture.change())
    #expect(try await fixture.view("bob").ledger.partners.map(\.text).sorted() == ["ada", "zoe"])
  }
}
