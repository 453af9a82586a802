// A game's clock that is reset to the host's time.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Resetting a game's clock")
struct ResetGameClockTests {
  private func reset(
    _ fixture: ShopFixture, playersMax: Int = PlayerService.clockResetPlayersMax, dryRun: Bool = false
  ) async throws(ChangeRefusal) -> GameClockResetOutcome? {
    let context = ChangeContext(author: Author(uid: 7, name: "ada"), reason: "done", now: fixture.host, isDryRun: dryRun)
    return try await fixture.service.resetClock(of: "dots", upTo: playersMax, context).fresh
  }

  @Test("every player's purchases are cleared and future times are set to now, in one transaction") func clears() async throws {
    let fixture = try await ShopFixture()
    try await fixture.move(game: "dots", GameClockMove(.period(CalendarPeriod(count: 1, unit: .month))))
    for player in ["a", "b"] {
      try await fixture.buy("coins", player)
      _ = try await fixture.gameOver(score: 9, player)
    }
    let tried = try #require(try await reset(fixture, dryRun: true))
    #expect(tried.players == 2 && tried.transactions == 2)
    #expect(try await fixture.view("a").ledger.transactions.count == 1, "a dry run changes nothing")
    let done = try #require(try await reset(fixture))
    #expect(done.players == 2 && done.transactions == 2 && done.now == fixture.host && done.nowBefore > done.now)
    for player in ["a", "b"] {
      let view = try await fixture.view(player)
      #expect(view.now == fixture.host && view.ledger.transactions.isEmpty && view.state.lifetimeScore == 9)
      #expect(view.state.visits.activeAt == fixture.host && view.state.createdAt == fixture.host)
      #expect(try await fixture.buy("coins", player).isEmpty == false)
      #expect(try await fixture.view(player).ledger.transactions.first?.purchasedAt == fixture.host)
    }
    #expect(try await fixture.audits().last { $0.action == .clockReset }?.detail?["transactions"] == 2)
    #expect(try await reset(fixture)?.isChange == false, "there is nothing to reset twice")
  }

  @Test("a game with as many players as the limit is reset, and one with more is refused", arguments: [(2, true), (1, false)])
  func limit(playersMax: Int, isTaken: Bool) async throws {
    let fixture = try await ShopFixture()
    try await fixture.move(game: "dots", GameClockMove(.milliseconds(60_000)))
    for player in ["a", "b"] { _ = try await fixture.gameOver(score: 9, player) }
    if isTaken {
      #expect(try await reset(fixture, playersMax: playersMax)?.players == 2)
    } else {
      await #expect(throws: ChangeRefusal.tooManyPlayers(max: 1)) { try await reset(fixture, playersMax: playersMax) }
      #expect(try await fixture.view("a").now > fixture.host, "nothing has changed")
    }
  }
}
