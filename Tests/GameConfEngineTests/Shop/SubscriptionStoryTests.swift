// Subscriptions over time: renewals, gates, retried payments, changes of plan.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Subscriptions and gates")
struct SubscriptionStoryTests {
  private func days(_ view: PlayerView) -> [String] {
    view.ledger.transactions.filter { $0.reason == .renewal }.map { $0.purchasedAt.utcDate.text }
  }

  @Test("a month bought on 31 January of a leap year renews on the last day of each month, however the clock is moved")
  func year() async throws {
    let fixture = try await ShopFixture(at: try Instant(parsing: "2028-01-31T08:00:00Z"))
    let expected = [
      "2028-02-29", "2028-03-31", "2028-04-30", "2028-05-31", "2028-06-30", "2028-07-31", "2028-08-31", "2028-09-30", "2028-10-31",
      "2028-11-30", "2028-12-31", "2029-01-31",
    ]
    for player in ["at-once", "by-days", "by-game"] { try await fixture.buy("monthly", player, in: "sudoku") }
    let moved = try await fixture.advance("P1Y", "at-once", in: "sudoku")
    #expect(moved.due.count == 12)
    #expect(moved.due.allSatisfy { $0.event == .renewed && $0.notification == .didRenew })
    for _ in 0..<366 { try await fixture.advance("P1D", "by-days", in: "sudoku") }
    #expect(days(try await fixture.view("at-once", in: "sudoku")) == expected)
    #expect(days(try await fixture.view("by-days", in: "sudoku")) == expected)
    let atOnce = try await fixture.view("at-once", in: "sudoku").ledger
    let byDays = try await fixture.view("by-days", in: "sudoku").ledger
    func log(_ ledger: Ledger) -> [String] { ledger.log.map { "\($0.event.rawValue) \($0.at.text)" } }
    #expect(log(atOnce) == log(byDays))

    // A move of the game's clock makes renewals due for every player, and writes no player's ledger.
    let revision = try await fixture.view("by-game", in: "sudoku").stored.revision
    try await fixture.move(game: "sudoku", GameClockMove(.period(CalendarPeriod(count: 1, unit: .year))))
    let byGame = try await fixture.view("by-game", in: "sudoku")
    #expect(days(byGame) == expected)
    #expect(byGame.stored.revision == revision)
    #expect(byGame.stored.ledger?.transactions.count == 1)
    #expect(try await fixture.held("by-game", in: "sudoku") == ["Pro"])
    // The next write stores the ledger with the events that are due.
    try await fixture.act(.transaction(.cancel, try #require(byGame.ledger.transactions.last?.id)), "by-game", in: "sudoku")
    #expect(try await fixture.view("by-game", in: "sudoku").stored.ledger?.transactions.count == 13)
  }

  @Test("a payment retry with grace retains Pro, one without grace loses it, and recovery restores it") func retry() async throws {
    let fixture = try await ShopFixture()
    for (player, grace) in [("with", ShopBehaviour.Grace.always), ("without", .never)] {
      try await fixture.buy("monthly", player, in: "sudoku")
      var behaviour = ShopBehaviour()
      behaviour.failsBilling = true
      behaviour.grace = grace
      try await fixture.act(.behave(behaviour), player, in: "sudoku")
      try await fixture.advance("P1M", player, in: "sudoku")
      try await fixture.advance("P1D", player, in: "sudoku")
    }
    #expect(try await fixture.held("with", in: "sudoku") == ["Pro"])
    #expect(try await fixture.view("with", in: "sudoku").holdings.held.first?.isInGracePeriod == true)
    #expect(try await fixture.held("without", in: "sudoku").isEmpty)
    #expect(try await fixture.gate([4], "without").first?.isLocked == true)
    let id = try #require(try await fixture.view("without", in: "sudoku").ledger.transactions.last?.id)
    try await fixture.act(.transaction(.recover, id), "without", in: "sudoku")
    #expect(try await fixture.held("without", in: "sudoku") == ["Pro"])
    #expect(try await fixture.gate([4], "without").first?.isLocked == false)
  }

  @Test("an upgrade to a year applies immediately, a downgrade at the period's end; the ids Pro and pro differ") func plans() async throws {
    let fixture = try await ShopFixture()
    try await fixture.buy("monthly", in: "sudoku")
    try await fixture.buy("yearly", in: "sudoku")
    #expect(try await fixture.view(in: "sudoku").holdings.held.map(\.product) == ["yearly"])
    let back = try await fixture.act(.purchase(product: "monthly"), in: "sudoku", by: false)
    #expect(back.status == .deferred)
    #expect(try await fixture.view(in: "sudoku").holdings.held.map(\.product) == ["yearly"])
    // The upgrade took effect at the purchase, and the rest of the paid month was added to the year.
    try await fixture.advance("P13M", in: "sudoku")
    #expect(try await fixture.view(in: "sudoku").holdings.held.map(\.product) == ["monthly"])
    #expect(try await fixture.held(in: "sudoku") == ["Pro"])
    #expect(try await fixture.refusal(of: .grant(entitlement: "pro"), in: "sudoku") == .unknownEntitlement)
  }

  @Test("of 27 gated puzzles three are open, all with Pro, three again after its end, and five with an override")
  func gates() async throws {
    let fixture = try await ShopFixture()
    let section = Array(Int64(1)...27)
    let before = try await fixture.gate(section)
    #expect(before.map(\.isLocked) == section.map { $0 > 3 })
    #expect(before.last == GateDecision(isLocked: true, reason: .locked, unlocksWith: ["monthly", "yearly"]))
    try await fixture.buy("monthly", in: "sudoku")
    #expect(try await fixture.gate(section).allSatisfy { !$0.isLocked })
    let id = try #require(try await fixture.view(in: "sudoku").ledger.transactions.last?.id)
    try await fixture.act(.transaction(.cancel, id), in: "sudoku")
    try await fixture.advance("P1M", in: "sudoku")
    #expect(try await fixture.gate(section) == before)
    try await fixture.force(5, "free_puzzles", in: "sudoku")
    #expect(try await fixture.gate(section).map(\.isLocked) == section.map { $0 > 5 })
    try await fixture.force(27, "free_puzzles", player: "p", in: "sudoku")
    #expect(try await fixture.gate(section).allSatisfy { !$0.isLocked })
    #expect(try await fixture.gate([6], "q").first?.isLocked == true)
  }

  @Test("a faulty gate request is refused with the fault and its position") func gateFaults() async throws {
    let fixture = try await ShopFixture()
    let view = try await fixture.view(in: "sudoku")
    let check = CheckGates(view.id, view.stored, of: view.game, host: fixture.host)
    #expect(throws: Refusal.unknownGate("premium_puzzle", nearest: ["premium_puzzles"])) { try check.decide("premium_puzzle", []) }
    #expect(throws: Refusal.tooManyQuestions(max: 1_000)) {
      try check.decide("premium_puzzles", Array(repeating: GateInput(arguments: ["number": 1]), count: 1_001))
    }
    let many = try check.decide("premium_puzzles", Array(repeating: GateInput(arguments: ["number": 1]), count: 1_000))
    #expect(many.count == 1_000)
    let refusal = #expect(throws: Refusal.self) {
      try check.decide("premium_puzzles", [GateInput(arguments: ["number": 1]), GateInput(arguments: ["number": "four"], pointer: "/1")])
    }
    #expect(refusal?.code == .argumentType && refusal?.pointer == "/1/args/number")
    #expect(try check.decide("premium_puzzles", []) == [])
  }

  @Test("each input of a gate check resolves parameters with its own context") func gateContexts() async throws {
    var catalog = Catalog.sudokuShop
    catalog.parameters[0].rules = [
      Rule(condition: try LogicExpression(compiling: ["==": [["var": "country"], "SE"]]), value: .value(10))
    ]
    let fixture = try await ShopFixture([catalog])
    let view = try await fixture.view(in: "sudoku")
    let check = CheckGates(view.id, view.stored, of: view.game, host: fixture.host)
    let contexts: [ObjectValue] = [["country": "SE"], ["country": "NO"], ["country": "SE"], ObjectValue()]
    let decisions = try check.decide("premium_puzzles", contexts.map { GateInput(arguments: ["number": 4], context: $0) })
    #expect(decisions.map(\.isLocked) == [false, true, false, true])
  }
}
