// Premium bought and refunded: themes, ads and the chosen theme follow.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Premium and its refund")
struct PremiumStoryTests {
  private let ofScore: Set<String> = ["neon", "forest", "ocean", "cosmos"]
  private let sold: Set<String> = ["aurora", "inferno", "doctorping", "spacetravel"]

  @Test("premium gives a player with 300 points all entitlements, eight themes and no ads; a refund leaves the themes by score")
  func story() async throws {
    let fixture = try await ShopFixture()
    #expect(try await fixture.gameOver(score: 300).ads.map(\.shows) == [false])
    #expect(try await fixture.gameOver().ads.map(\.shows) == [false])
    let before = try await fixture.view()
    #expect(before.unlockedThemes == ofScore)
    let id = try await fixture.buy("premium")

    let owning = try await fixture.view()
    #expect(owning.stored.revision == before.stored.revision + 1)
    #expect(owning.holdings.purchased.allSatisfy { $0.isPurchased || $0.product == "coins" } == true)
    #expect(owning.holdings.isAdFree)
    #expect(owning.unlockedThemes == ofScore.union(sold))
    #expect(try await fixture.view("new").unlockedThemes == ["neon"])
    try await fixture.choose("aurora")
    #expect(try await fixture.value("selected_theme") == "aurora")
    // This is the third game over, at which an ad was due.
    let third = try #require(try await fixture.gameOver().ads.first)
    #expect(third.refusal == .adFree)

    fixture.wait(seconds: 60)
    try await fixture.act(.transaction(.refund, id))
    let after = try await fixture.view()
    #expect(after.holdings.held.isEmpty)
    #expect(!after.holdings.purchased.contains { $0.isPurchased })
    #expect(!after.holdings.isAdFree)
    #expect(after.unlockedThemes == ofScore)
    #expect(after.state.lifetimeScore == 300)
    #expect(after.state.settings["selected_theme"] == "aurora")
    #expect(try await fixture.value("selected_theme") == "neon")
    var shown: [Bool] = []
    for _ in 0..<6 { shown += try await fixture.gameOver().ads.map(\.shows) }
    #expect(shown == [false, false, true, false, false, true])

    // The player's chosen theme was stored, so it is in force again.
    try await fixture.buy("premium")
    #expect(try await fixture.value("selected_theme") == "aurora")
  }

  @Test("a new player with premium has the free theme and the four sold themes") func newPlayer() async throws {
    let fixture = try await ShopFixture()
    try await fixture.buy("premium")
    #expect(try await fixture.view().unlockedThemes == sold.union(["neon"]))
    #expect(try await fixture.held() == ["ad_free", "theme.aurora", "theme.inferno", "theme.doctorping", "theme.spacetravel", "premium"])
  }

  @Test("a purchase that is bought and refunded between two events restarts the counter of ads") func oneInstant() async throws {
    let fixture = try await ShopFixture()
    for _ in 0..<2 { try await fixture.gameOver() }
    try await fixture.act(.transaction(.refund, try await fixture.buy("removeads")))
    var shown: [Bool] = []
    for _ in 0..<3 { shown += try await fixture.gameOver().ads.map(\.shows) }
    #expect(shown == [false, false, true])
  }

  @Test("a purchase that does not affect ads leaves their counter unchanged, and so does a dry run of one that does") func unconcerned()
    async throws
  {
    let fixture = try await ShopFixture()
    for _ in 0..<2 { try await fixture.gameOver() }
    try await fixture.buy("theme.aurora")
    try await fixture.act(.purchase(product: "premium"), dryRun: true)
    #expect(try await fixture.held() == ["theme.aurora"])
    #expect(try await fixture.gameOver().ads.map(\.shows) == [true])
  }

  @Test("the counter of ads restarts after an exemption has ended by itself, even without a read") func grantThatEnds() async throws {
    let fixture = try await ShopFixture()
    for _ in 0..<2 { try await fixture.gameOver() }
    try await fixture.act(.grant(entitlement: "ad_free", period: CalendarPeriod(count: 1, unit: .day)))
    fixture.wait(seconds: 2 * 86_400)
    var shown: [Bool] = []
    for _ in 0..<3 { shown += try await fixture.gameOver().ads.map(\.shows) }
    #expect(shown == [false, false, true])
  }

  @Test("the premium switch buys and refunds, and changes nothing if the state is the requested one") func premiumSwitch() async throws {
    let fixture = try await ShopFixture()
    #expect(try await fixture.premium(false).status == .retained)
    #expect(try await fixture.view().stored.isUnknown)
    let on = try await fixture.premium(true)
    #expect(on.status == .success)
    let revision = try await fixture.view().stored.revision
    #expect(try await fixture.premium(true) == ShopOutcome(.retained, transaction: on.transaction))
    #expect(try await fixture.view().stored.revision == revision)
    let off = try await fixture.premium(false)
    #expect(off.status == .success)
    #expect(off.ended == [on.transaction])
    #expect(try await fixture.held().isEmpty)
    let lines = try await fixture.audits()
    #expect(lines.map(\.action) == [.premiumSwitched, .premiumSwitched])
    #expect(lines.first?.before == [])
    #expect(lines.first?.after?.listValue?.count == 6)
    #expect(lines.last?.after == [])
  }

  @Test("the premium switch ends a renewed subscription, and buys it again") func subscriptionSwitch() async throws {
    let fixture = try await ShopFixture()
    try await fixture.premium(true, in: "sudoku")
    #expect(try await fixture.held(in: "sudoku") == ["Pro"])
    try await fixture.advance("P13M", in: "sudoku")
    let second = try await fixture.premium(false, in: "sudoku")
    #expect(try await fixture.held(in: "sudoku").isEmpty)
    let ledger = try await fixture.view(in: "sudoku").ledger
    #expect(ledger.transactions.count == 2)
    #expect(ledger.transactions.last?.id == second.transaction)
    #expect(ledger.transactions.first?.revokedAt == nil)
    try await fixture.premium(true, in: "sudoku")
    #expect(try await fixture.held(in: "sudoku") == ["Pro"])
  }

  @Test("switching premium off ends a monthly subscription and a grant that give the same entitlement, together") func otherGivers()
    async throws
  {
    let fixture = try await ShopFixture()
    let monthly = try await fixture.buy("monthly", in: "sudoku")
    let grant = try #require(try await fixture.act(.grant(entitlement: "Pro"), in: "sudoku").transaction)
    let revision = try await fixture.view(in: "sudoku").stored.revision
    let off = try await fixture.premium(false, in: "sudoku")
    #expect(off.status == .success)
    #expect(Set(off.ended) == [monthly, grant])
    #expect(try await fixture.held(in: "sudoku").isEmpty)
    #expect(try await fixture.view(in: "sudoku").stored.revision == revision + 1)
    #expect(try await fixture.premium(false, in: "sudoku").status == .retained)
  }

  @Test("switching premium off leaves products that give only a part of it") func parts() async throws {
    let fixture = try await ShopFixture()
    try await fixture.buy("removeads")
    try await fixture.buy("theme.aurora")
    #expect(try await fixture.premium(false).status == .retained)
    #expect(try await fixture.held() == ["ad_free", "theme.aurora"])
    let on = try await fixture.premium(true)
    #expect(try await fixture.premium(false).ended == [on.transaction])
    #expect(try await fixture.held() == ["ad_free", "theme.aurora"])
    #expect(try await fixture.premium(false).status == .retained)
  }

  @Test("switching premium on changes nothing while another product gives all of it") func alreadyGiven() async throws {
    let fixture = try await ShopFixture()
    let monthly = try await fixture.buy("monthly", in: "sudoku")
    #expect(try await fixture.premium(true, in: "sudoku") == ShopOutcome(.retained, transaction: monthly))
    #expect(try await fixture.view(in: "sudoku").ledger.transactions.map(\.product) == ["monthly"])
  }

  @Test("switching premium is refused if the catalog has no premium product") func noPremium() async throws {
    var catalog = Catalog.dotShop
    catalog.premium = nil
    let fixture = try await ShopFixture([catalog])
    let refusal = await #expect(throws: ChangeRefusal.self) { try await fixture.premium(true) }
    #expect(refusal?.refusedCode == .unknownProduct)
  }
}
