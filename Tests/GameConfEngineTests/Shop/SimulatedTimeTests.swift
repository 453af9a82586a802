// Games' and players' simulated clocks: they only advance, apply to everything that depends on time, and survive a restart.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Simulated time")
struct SimulatedTimeTests {
  private static let year = CalendarPeriod(count: 1, unit: .year)

  private func code(_ body: () async throws(ChangeRefusal) -> Void) async throws -> ProblemCode? {
    do throws(ChangeRefusal) {
      try await body()
      return nil
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      return refusal.code
    }
  }

  @Test("a game's clock is moved and sped up for all its players, is audited, and survives a restart") func game() async throws {
    let fixture = try await ShopFixture()
    let noon = ShopFixture.noon
    let seed = try await fixture.value("daily_seed")
    let moved = try await fixture.move(game: "dots", GameClockMove(.period(Self.year), rateThousandths: 60_000))
    let yearLater = try #require(noon.adding(Self.year))
    #expect(moved.nowBefore == noon)
    #expect(moved.now == yearLater)
    fixture.wait(seconds: 60)
    let expected = Instant(seconds: yearLater.seconds + 3_600)
    #expect(try await fixture.view().now == expected)
    #expect(try await fixture.view("q").now == expected)
    #expect(try await fixture.view(in: "sudoku").now == fixture.host)
    #expect(try await fixture.value("daily_seed") != seed)
    let line = try #require(try await fixture.audits().first)
    #expect(line.action.rawValue == "clock.set")
    #expect(line.before == ["now": .string(noon.text), "rate": 1.0])
    #expect(line.after == ["now": .string(yearLater.text), "rate": 60.0])

    try await fixture.restart()
    #expect(try await fixture.view().now == expected)
    #expect(
      try await code { () async throws(ChangeRefusal) in
        try await fixture.move(game: "dots", GameClockMove(.instant(yearLater)))
      } == .clockBackwards)
    #expect(
      try await code { () async throws(ChangeRefusal) in
        try await fixture.move(game: "dots", GameClockMove(rateThousandths: -1))
      } == .clockRate)
    #expect(try await fixture.view().now == expected)
    await #expect(throws: ChangeRefusal.unknownGame("dotz")) { try await fixture.move(game: "dotz", GameClockMove(.instant(yearLater))) }
  }

  @Test("a dry run of a clock's move and a move without effect leave the clock as it is") func nothing() async throws {
    let fixture = try await ShopFixture()
    let moved = try await fixture.move(game: "dots", GameClockMove(.milliseconds(1_000)), dryRun: true)
    #expect(moved.now == Instant(seconds: ShopFixture.noon.seconds + 1))
    #expect(try await fixture.move(game: "dots", GameClockMove()).audit == nil)
    #expect(try await fixture.view().now == ShopFixture.noon)
    #expect(try await fixture.audits().isEmpty)
    #expect(fixture.published.isEmpty)
  }

  @Test("while a game's clock is stopped, no time passes for purchases and ads") func held() async throws {
    let fixture = try await ShopFixture()
    try await fixture.move(game: "dots", GameClockMove(rateThousandths: 0))
    fixture.wait(seconds: 86_400)
    try await fixture.buy("coins")
    #expect(try await fixture.view().ledger.transactions.first?.purchasedAt == ShopFixture.noon)
    #expect(try await fixture.gameOver().simulatedAt == ShopFixture.noon)
  }

  @Test("a player's clock only advances, ahead of the game's, and its move stores the events that come due") func player() async throws {
    let fixture = try await ShopFixture()
    try await fixture.buy("monthly", in: "sudoku")
    let revision = try await fixture.view(in: "sudoku").stored.revision
    let month = try await fixture.advance("P1M", in: "sudoku")
    #expect(month.nowBefore == ShopFixture.noon)
    #expect(month.now == ShopFixture.noon.adding(CalendarPeriod(count: 1, unit: .month)))
    #expect(month.due.map(\.event) == [.renewed])
    let view = try await fixture.view(in: "sudoku")
    #expect(view.now == month.now)
    #expect(view.stored.revision == revision + 1)
    #expect(view.stored.ledger?.transactions.count == 2)
    #expect(try await fixture.view("q", in: "sudoku").now == ShopFixture.noon)
    let offset = month.clock.offsetMilliseconds
    #expect(try await fixture.move(.offset(milliseconds: offset + 5), in: "sudoku").now == month.now.adding(milliseconds: 5))
    #expect(
      try await code { () async throws(ChangeRefusal) in
        try await fixture.move(.offset(milliseconds: offset), in: "sudoku")
      } == .clockBackwards)
    #expect(
      try await code { () async throws(ChangeRefusal) in
        try await fixture.move(.to(.instant(ShopFixture.noon)), in: "sudoku")
      } == .clockBackwards)
    #expect(
      try await code { () async throws(ChangeRefusal) in
        try await fixture.move(.offset(milliseconds: .max), in: "sudoku")
      } == .outsideCalendar)
    #expect(
      try await code { () async throws(ChangeRefusal) in
        try await fixture.move(.to(.period(CalendarPeriod(count: 9_000, unit: .year))), in: "sudoku")
      } == .outsideCalendar)
    let line = try #require(try await fixture.audits().last)
    #expect(line.action.rawValue == "clock.player.set")
    #expect(line.before == ["now": .string(month.now.text)])
    #expect(line.detail?["offset_milliseconds"] == .integer(offset + 5))
  }

  @Test("the clock of a player without purchases is moved as well, and survives a restart") func nothingBought() async throws {
    let fixture = try await ShopFixture()
    let moved = try await fixture.advance("P1D")
    #expect(moved.now > ShopFixture.noon)
    #expect(try await fixture.view().now == moved.now)
    try await fixture.restart()
    #expect(try await fixture.view().now == moved.now)
  }

  @Test("a player's clock is not moved at all if too many events would come due") func tooFar() async throws {
    var catalog = Catalog.sudokuShop
    let week = CalendarPeriod(count: 1, unit: .week)
    catalog.products = (0..<3).map { number in
      Product(
        id: "club\(number)", kind: .autoRenewable, name: ["en": "Club"], grants: ["club\(number)"],
        subscription: Subscription(group: "club\(number)", level: 1, period: week))
    }
    let fixture = try await ShopFixture([catalog])
    for number in 0..<3 { try await fixture.buy("club\(number)", in: "sudoku") }
    let before = try await fixture.view(in: "sudoku").stored
    #expect(
      try await code { () async throws(ChangeRefusal) in
        try await fixture.move(.to(.period(CalendarPeriod(count: 40, unit: .year))), in: "sudoku")
      } == .clockTooFar)
    #expect(try await fixture.view(in: "sudoku").stored == before)
    let weeks = CalendarPeriod(count: Ledger.dueMax / 3, unit: .week)
    #expect(try await fixture.move(.to(.period(weeks)), in: "sudoku").due.count == Ledger.logEntriesMax)
    #expect(try await fixture.view(in: "sudoku").ledger.transactions.count == Ledger.dueMax / 3 * 3 + 3)
  }

  @Test("an exemption from ads that ends by a move of the clock restarts the counter of ads") func ads() async throws {
    let fixture = try await ShopFixture()
    for _ in 0..<2 { try await fixture.gameOver() }
    try await fixture.act(.grant(entitlement: "ad_free", period: CalendarPeriod(count: 1, unit: .day)))
    try await fixture.advance("P1D")
    var shown: [Bool] = []
    for _ in 0..<3 { shown += try await fixture.gameOver().ads.map(\.shows) }
    #expect(shown == [false, false, true])
  }

  @Test("a purchase made after the host's clock stepped back gives its entitlements immediately") func steppedBack() async throws {
    let fixture = try await ShopFixture()
    try await fixture.buy("coins")
    fixture.wait(seconds: -3_600)
    try await fixture.buy("premium")
    #expect(try await fixture.held().contains("premium"))
    #expect(try await fixture.gameOver().ads.first?.refusal == .adFree)
    let id = try #require(try await fixture.view().ledger.transactions.last?.id)
    try await fixture.act(.transaction(.refund, id))
    var shown: [Bool] = []
    for _ in 0..<3 { shown += try await fixture.gameOver().ads.map(\.shows) }
    #expect(shown == [false, false, true])
  }

  @Test("a simulated instant is converted to the host's instant at which the game's clock reaches it") func hostInstant() async throws {
    let fixture = try await ShopFixture()
    let day = CalendarPeriod(count: 1, unit: .day)
    try await fixture.move(game: "dots", GameClockMove(.period(day), rateThousandths: 2_000))
    let game = try #require(fixture.service.world.world["dots"])
    let later = try #require(game.now(host: fixture.host).adding(day))
    #expect(game.host(at: later) == Instant(seconds: fixture.host.seconds + 43_200))
    try await fixture.move(game: "dots", GameClockMove(rateThousandths: 0))
    #expect(fixture.service.world.world["dots"]?.host(at: later) == nil)
  }

  @Test("a new catalog leaves the game's clock unchanged") func newCatalog() async throws {
    let fixture = try await ShopFixture()
    try await fixture.move(game: "dots", GameClockMove(.period(Self.year)))
    let world = fixture.service.world.world.applying([.catalog(.dotShop, revision: 9, keyRevisions: [:], warnings: [])])
    #expect(world["dots"]?.clock == fixture.service.world.world["dots"]?.clock)
    #expect(world["dots"]?.clock != .host)
  }
}
