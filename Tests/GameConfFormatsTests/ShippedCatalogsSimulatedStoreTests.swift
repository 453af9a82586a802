// Purchases the products of the shipped games in the simulated store, and tests their entitlements.

import GameConfCore
import Testing

private struct DefaultsOnly: ParameterLookup {
  var free: Int64
  func value(ofParameter key: String) -> Value? { key == "free_puzzles_per_section" ? .integer(free) : nil }
}

@Suite("Simulated purchases in shipped catalogs")
struct ShippedCatalogsSimulatedStoreTests {
  private let start = Instant(seconds: 1_832_925_600)

  @Test("premium of wheresthedot grants every product and theme and ends ads, and its refund revokes all of it") func premium() throws {
    let catalog = try ShippedCatalogs.catalog(of: "wheresthedot")
    let premium = try #require(catalog.premium)
    let fresh = Ledger(game: catalog.game, player: "p")
    let bought = try fresh.after(.purchase(product: premium), catalog: catalog, now: start)
    let entitlements = Entitlements(of: bought.ledger, at: start, catalog: catalog)
    #expect(
      entitlements.ids == ["ad_free", "theme.aurora", "theme.inferno", "theme.doctorping", "theme.spacetravel", "premium"])
    #expect(entitlements.purchased.count == 4)
    #expect(entitlements.purchased.allSatisfy { $0.isPurchased })
    #expect(entitlements.isAdFree)
    let sold = catalog.themes.filter { if case .entitlement(let id) = $0.unlock { !entitlements.ids.contains(id) } else { false } }
    #expect(sold.isEmpty)
    let id = try #require(bought.outcome.transaction)
    let refunded = try bought.ledger.after(.transaction(.refund, id), catalog: catalog, now: start)
    #expect(Entitlements(of: refunded.ledger, at: start, catalog: catalog).ids.isEmpty)
    #expect(!Entitlements(of: refunded.ledger, at: start, catalog: catalog).isAdFree)
  }

  @Test("each of the wheresthedot products removeads and premium ends ads", arguments: ["removeads", "premium"])
  func adFree(product: String) throws {
    let catalog = try ShippedCatalogs.catalog(of: "wheresthedot")
    let bought = try Ledger(game: catalog.game, player: "p").after(.purchase(product: product), catalog: catalog, now: start)
    #expect(Entitlements(of: bought.ledger, at: start, catalog: catalog).isAdFree)
    let theme = try Ledger(game: catalog.game, player: "p").after(.purchase(product: "theme.aurora"), catalog: catalog, now: start)
    #expect(!Entitlements(of: theme.ledger, at: start, catalog: catalog).isAdFree)
  }

  @Test("kidsdoku2's monthly subscription that begins on 31 January of a leap year renews twelve times on the right days")
  func year() throws {
    let catalog = try ShippedCatalogs.catalog(of: "kidsdoku2")
    let bought = try Instant(parsing: "2028-01-31T08:00:00Z")
    let ledger = try Ledger(game: catalog.game, player: "p").after(.purchase(product: "monthly_sub_2"), catalog: catalog, now: bought)
      .ledger
    let year = ledger.settled(at: try Instant(parsing: "2029-01-31T08:00:00Z"))
    let days = year.transactions.filter { $0.reason == .renewal }.map { $0.purchasedAt.utcDate.text }
    #expect(
      days == [
        "2028-02-29", "2028-03-31", "2028-04-30", "2028-05-31", "2028-06-30", "2028-07-31", "2028-08-31", "2028-09-30", "2028-10-31",
        "2028-11-30", "2028-12-31", "2029-01-31",
      ])
    #expect(Entitlements(of: year, at: year.settledUntil, catalog: catalog).ids == ["Pro"])
  }

  @Test(
    "kidsdoku2's gate opens three of 27 puzzles, all with Pro, and three again after Pro expires", arguments: [(Int64(3), 3), (5, 5)])
  func gate(free: Int64, open: Int) throws {
    let catalog = try ShippedCatalogs.catalog(of: "kidsdoku2")
    let gate = try #require(catalog.gates.first { $0.id == "premium_puzzles" })
    func decisions(_ ledger: Ledger, _ now: Instant) throws -> [GateDecision] {
      let held = Entitlements(of: ledger, at: now, catalog: catalog).ids
      return try (1...27).map { number in
        try gate.decide(
          arguments: ["number": .integer(Int64(number))], context: ObjectValue(), parameters: DefaultsOnly(free: free), entitlements: held,
          catalog: catalog, now: now)
      }
    }
    let fresh = Ledger(game: catalog.game, player: "p")
    let before = try decisions(fresh, start)
    #expect(before.filter { !$0.isLocked }.count == open)
    #expect(before.last == GateDecision(isLocked: true, reason: .locked, unlocksWith: ["monthly_sub_2", "yearly_sub_2"]))
    let bought = try fresh.after(.purchase(product: "monthly_sub_2"), catalog: catalog, now: start)
    #expect(try decisions(bought.ledger, start).allSatisfy { !$0.isLocked })
    let id = try #require(bought.outcome.transaction)
    let expired = try bought.ledger.after(.transaction(.expire, id), catalog: catalog, now: start)
    #expect(try decisions(expired.ledger, start) == before)
  }
}
