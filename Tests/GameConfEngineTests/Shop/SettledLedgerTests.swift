// The due store events of a ledger, such as renewals, are computed once, however often the ledger is read.
import GameConfCore
import Testing

@testable import GameConfEngine
import GameConfStorage

@Suite("The cache of ledgers with their due events")
struct SettledLedgerTests {
  private let id = PlayerID(game: "sudoku", player: "p")
  private let bought = Instant(seconds: 1_795_262_400)

  private func subscriber() throws -> Ledger {
    var catalog = Catalog(game: "sudoku", title: "Sudoku", locales: ["en"])
    catalog.purchases = .games
    catalog.products = [
      Product(
        id: "monthly", kind: .autoRenewable, name: ["en": "Monthly"], price: ["USD": "2.99"], grants: ["Pro"],
        subscription: Subscription(group: "pro", level: 1, period: CalendarPeriod(count: 1, unit: .month)))
    ]
    return try Ledger(game: "sudoku", player: "p").after(.purchase(product: "monthly"), catalog: catalog, now: bought).ledger
  }

  private func after(years: Int) throws -> Instant { try #require(bought.adding(CalendarPeriod(count: years, unit: .year))) }

  @Test("a later read continues from the cached ledger, with the same result as a computation from the stored one")
  func cached() throws {
    let ledgers = SettledLedgerCache()
    let ledger = try subscriber()
    let times = try [after(years: 40), after(years: 40).adding(milliseconds: 5), after(years: 41), after(years: 60)].compactMap { $0 }
    for now in times { #expect(ledgers.settled(ledger, of: id, at: now) == ledger.settled(at: now)) }
    #expect(ledgers.reuses == 3)
    // A ledger with the due events of a later time is no base for an earlier time.
    #expect(try ledgers.settled(ledger, of: id, at: after(years: 50)) == ledger.settled(at: after(years: 50)))
    #expect(ledgers.reuses == 3)
  }

  @Test("the due events of a ledger that has changed since it was cached, and of another player's, are computed without the cache")
  func changed() throws {
    let ledgers = SettledLedgerCache()
    let ledger = try subscriber()
    let now = try after(years: 30)
    _ = ledgers.settled(ledger, of: id, at: now)
    let written = ledger.settled(at: try after(years: 1))
    #expect(ledgers.settled(written, of: id, at: now) == ledger.settled(at: now))
    #expect(ledgers.reuses == 0)
    _ = ledgers.settled(ledger, of: PlayerID(game: "sudoku", player: "q"), at: now)
    #expect(ledgers.reuses == 0)
  }

  @Test("a ledger without due events is not cached")
  func nothing() throws {
    let ledgers = SettledLedgerCache()
    let ledger = try subscriber()
    let now = try #require(bought.adding(milliseconds: 1_000))
    for _ in 0..<3 { #expect(ledgers.settled(ledger, of: id, at: now) == ledger.settled(at: now)) }
    #expect(ledgers.reuses == 0)
  }
}
