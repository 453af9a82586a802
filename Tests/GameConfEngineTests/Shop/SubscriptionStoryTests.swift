// Subscriptions by the clock: renewals, gates, retry, plans.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Subscriptions and gates")
struct SubscriptionStoryTests {
  private func days(_ view: PlayerView) -> [String] {
    view.ledger.transactions.filter { $0.reason == .renewal }.map { $0.purchasedAt.utcDate.text }
  }

  @Test("a month bought on 31 January of a leap year renews twelve times in a year, on the right days, however the clock is moved")
  func year() async throws {
    let bench = try await ShopBench(at: try Instant(parsing: "2028-01-31T08:00:00Z"))
    let expected = [
      "2028-02-29", "2028-03-31", "2028-04-30", "2028-05-31", "2028-06-30", "2028-07-31", "2028-08-31", "2028-09-30", "2028-10-31",
      "2028-11-30", "2028-12-31", "2029-01-31",
    ]
    for player in ["at-once", "by-days", "by-game"] { try await bench.buy("monthly", player, in: "sudoku") }
    let moved = try await bench.advance("P1Y", "at-once", in: "sudoku")
    #expect(moved.due.count == 12)
    #expect(moved.due.allSatisfy { $0.event == .renewed && $0.notification == .didRenew })
    for _ in 0..<366 { try await bench.advance("P1D", "by-days", in: "sudoku") }
    #expect(days(try await bench.view("at-once", in: "sudoku")) == expected)
    #expect(days(try await bench.view("by-days", in: "sudoku")) == expected)
    let atOnce = try await bench.view("at-once", in: "sudoku").ledger
    let byDays = try await bench.view("by-days", in: "sudoku").ledger
    func told(_ ledger: Ledger) -> [String] { ledger.log.map { "\($0.event.rawValue) \($0.at.text)" } }
    #expect(told(atOnce) == told(byDays))

    // The game's clock moves everybody, and nobody's ledger is written for it.
    let revision = try await bench.view("by-game", in: "sudoku").stored.revision
    try await bench.move(game: "sudoku", GameClockMove(.period(CalendarPeriod(count: 1, unit: .year))))
    let byGame = try await bench.view("by-game", in: "sudoku")
    #expect(days(byGame) == expected)
    #expect(byGame.stored.revision == revision)
    #expect(byGame.stored.ledger?.transactions.count == 1)
    #expect(try await bench.held("by-game", in: "sudoku") == ["Pro"])
    // The next write keeps what was worked out.
    try await bench.act(.cancel(try #require(byGame.ledger.transactions.last?.id)), "by-game", in: "sudoku")
    #expect(try await bench.view("by-game", in: "sudoku").stored.ledger?.transactions.count == 13)
  }

  @Test("retry with grace keeps Pro, without loses it, recovery brings it back") func retry() async throws {
    let bench = try await ShopBench()
    for (player, grace) in [("with", ShopBehaviour.Grace.always), ("without", .never)] {
      try await bench.buy("monthly", player, in: "sudoku")
      var behaviour = ShopBehaviour()
      behaviour.failsBilling = true
      behaviour.grace = grace
      try await bench.act(.behave(behaviour), player, in: "sudoku")
      try await bench.advance("P1M", player, in: "sudoku")
      try await bench.advance("P1D", player, in: "sudoku")
    }
    #expect(try await bench.held("with", in: "sudoku") == ["Pro"])
    #expect(try await bench.view("with", in: "sudoku").holdings.held.first?.isInGracePeriod == true)
    #expect(try await bench.held("without", in: "sudoku").isEmpty)
    #expect(try await bench.gate([4], "without").first?.isLocked == true)
    let id = try #require(try await bench.view("without", in: "sudoku").ledger.transactions.last?.id)
    try await bench.act(.recover(id), "without", in: "sudoku")
    #expect(try await bench.held("without", in: "sudoku") == ["Pro"])
    #expect(try await bench.gate([4], "without").first?.isLocked == false)
  }

  @Test("a year comes at once in place of a month, the way back at the period's end; pro is not Pro") func plans() async throws {
    let bench = try await ShopBench()
    try await bench.buy("monthly", in: "sudoku")
    try await bench.buy("yearly", in: "sudoku")
    #expect(try await bench.view(in: "sudoku").holdings.held.map(\.product) == ["yearly"])
    let back = try await bench.act(.purchase(product: "monthly"), in: "sudoku", by: false)
    #expect(back.status == .deferred)
    #expect(try await bench.view(in: "sudoku").holdings.held.map(\.product) == ["yearly"])
    // What was paid of the month is added to the year.
    try await bench.advance("P13M", in: "sudoku")
    #expect(try await bench.view(in: "sudoku").holdings.held.map(\.product) == ["monthly"])
    #expect(try await bench.held(in: "sudoku") == ["Pro"])
    #expect(try await bench.refusal(of: .grant(entitlement: "pro"), in: "sudoku") == .unknownEntitlement)
  }

  @Test("a section of 27 in one call: three open, all with Pro, locked again at expiry, five where an override says so")
  func gates() async throws {
    let bench = try await ShopBench()
    let section = Array(Int64(1)...27)
    let before = try await bench.gate(section)
    #expect(before.map(\.isLocked) == section.map { $0 > 3 })
    #expect(before.last == GateDecision(isLocked: true, reason: .locked, unlocksWith: ["monthly", "yearly"]))
    try await bench.buy("monthly", in: "sudoku")
    #expect(try await bench.gate(section).allSatisfy { !$0.isLocked })
    let id = try #require(try await bench.view(in: "sudoku").ledger.transactions.last?.id)
    try await bench.act(.cancel(id), in: "sudoku")
    try await bench.advance("P1M", in: "sudoku")
    #expect(try await bench.gate(section) == before)
    try await bench.force(5, "free_puzzles", in: "sudoku")
    #expect(try await bench.gate(section).map(\.isLocked) == section.map { $0 > 5 })
    try await bench.force(27, "free_puzzles", player: "p", in: "sudoku")
    #expect(try await bench.gate(section).allSatisfy { !$0.isLocked })
    #expect(try await bench.gate([6], "q").first?.isLocked == true)
  }

  @Test("a gate asked wrongly says what and where") func gateFaults() async throws {
    let bench = try await ShopBench()
    let view = try await bench.view(in: "sudoku")
    let check = CheckGates(view.id, view.stored, of: view.game, host: bench.host)
    #expect(throws: Refusal.unknownGate("premium_puzzle", nearest: ["premium_puzzles"])) { try check("premium_puzzle", []) }
    #expect(throws: Refusal.tooManyQuestions(max: 1_000)) {
      try check("premium_puzzles", Array(repeating: GateQuestion(arguments: ["number": 1]), count: 1_001))
    }
    let many = try check("premium_puzzles", Array(repeating: GateQuestion(arguments: ["number": 1]), count: 1_000))
    #expect(many.count == 1_000)
    let refusal = #expect(throws: Refusal.self) {
      try check("premium_puzzles", [GateQuestion(arguments: ["number": 1]), GateQuestion(arguments: ["number": "four"], pointer: "/1")])
    }
    #expect(refusal?.code == .argumentType && refusal?.pointer == "/1/args/number")
    #expect(try check("premium_puzzles", []) == [])
  }

  @Test("a question's own context is what parameters are resolved for, one after the other") func gateContexts() async throws {
    var catalog = Catalog.sudokuShop
    catalog.parameters[0].rules = [
      Rule(condition: try LogicExpression(compiling: ["==": [["var": "country"], "SE"]]), value: .value(10))
    ]
    let bench = try await ShopBench([catalog])
    let view = try await bench.view(in: "sudoku")
    let check = CheckGates(view.id, view.stored, of: view.game, host: bench.host)
    let contexts: [ObjectValue] = [["country": "SE"], ["country": "NO"], ["country": "SE"], ObjectValue()]
    let decisions = try check("premium_puzzles", contexts.map { GateQuestion(arguments: ["number": 4], context: $0) })
    #expect(decisions.map(\.isLocked) == [false, true, false, true])
  }
}
