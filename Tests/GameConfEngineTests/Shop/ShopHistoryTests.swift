// Invariants of the simulated store, checked on many random histories.
import GameConfCore
import GameConfEngine
import GameConfStorage
import TestSupport
import Testing

/// One step of a random history: a wait of the player's clock, followed by an act at the simulated store.
private struct ShopStep: Sendable {
  var milliseconds: Int64
  var act: ShopAct
}

@Suite("Random histories at the simulated store")
struct ShopHistoryTests {
  private func randomAct(_ ledger: Ledger, _ catalog: Catalog, _ dice: inout SeededGenerator) -> ShopAct {
    let id = ledger.transactions.randomElement(using: &dice)?.id ?? "none"
    switch Int.random(in: 0..<16, using: &dice) {
    case 0...4: return .purchase(product: catalog.products.randomElement(using: &dice)?.id ?? "none")
    case 5: return .transaction(.refund, id)
    case 6: return .transaction(.revoke, id)
    case 7: return .transaction(.expire, id)
    case 8: return .transaction(.cancel, id)
    case 9: return .transaction(.renewalOn, id)
    case 10: return .transaction(.billingRetry, id)
    case 11: return .transaction(.recover, id)
    case 12: return .grant(entitlement: "Pro", period: CalendarPeriod(count: Int.random(in: 1...40, using: &dice), unit: .day))
    case 13: return .restore
    case 14: return .delete(id)
    default:
      var behaviour = ShopBehaviour()
      behaviour.failsBilling = Bool.random(using: &dice)
      behaviour.asksToBuy = Int.random(in: 0..<5, using: &dice) == 0
      return .behave(behaviour)
    }
  }

  /// Performs random acts, and returns the steps; a refused act is replaced by a restore.
  private func history(_ seed: UInt64, on fixture: ShopFixture, _ player: String) async throws -> [ShopStep] {
    var dice = SeededGenerator(seed: seed)
    var steps: [ShopStep] = []
    for _ in 0..<30 {
      let milliseconds = Int64.random(in: 0...40 * 86_400_000, using: &dice)
      try await fixture.move(.to(.milliseconds(milliseconds)), player, in: "sudoku")
      let act = randomAct(try await fixture.view(player, in: "sudoku").ledger, .sudokuShop, &dice)
      do throws(ChangeRefusal) {
        try await fixture.act(act, player, in: "sudoku")
        steps.append(ShopStep(milliseconds: milliseconds, act: act))
      } catch {
        guard case .refused = error else { throw error }
        steps.append(ShopStep(milliseconds: milliseconds, act: .restore))
        try await fixture.act(.restore, player, in: "sudoku")
      }
    }
    return steps
  }

  @Test(
    "the same acts give the same ledger, however waits are split, whichever clock moves, and with restarts between the acts",
    arguments: UInt64(1)...12)
  func steps(seed: UInt64) async throws {
    let first = try await ShopFixture()
    let steps = try await history(seed, on: first, "p")
    let ledger = try #require(try await first.view(in: "sudoku").stored.ledger)
    #expect(ledger.transactions.count + ledger.log.count > 10)
    var dice = SeededGenerator(seed: seed &+ 500)
    let second = try await ShopFixture()
    for (number, step) in steps.enumerated() {
      if number.isMultiple(of: 7) { try await second.restart() }
      switch number % 3 {
      case 0:
        var left = step.milliseconds
        for _ in 0..<20 where left > 0 {
          let part = Int64.random(in: 0...left, using: &dice)
          try await second.move(.to(.milliseconds(part)), in: "sudoku")
          left -= part
        }
        try await second.move(.to(.milliseconds(left)), in: "sudoku")
      case 1:
        try await second.move(game: "sudoku", GameClockMove(.milliseconds(step.milliseconds)))
        _ = try await second.held(in: "sudoku")
      default:
        second.host = try #require(second.host.adding(milliseconds: step.milliseconds))
      }
      try await second.act(step.act, in: "sudoku")
    }
    let other = try #require(try await second.view(in: "sudoku").stored.ledger)
    #expect(other == ledger)
    #expect(JSONWriter.bytes(other.encoded) == JSONWriter.bytes(ledger.encoded))
  }

  @Test("a read does not write the due events that it computes, and the next write stores the same ledger", arguments: UInt64(1)...12)
  func reading(seed: UInt64) async throws {
    let fixture = try await ShopFixture()
    _ = try await history(seed, on: fixture, "p")
    fixture.host = try #require(fixture.host.adding(CalendarPeriod(count: 5, unit: .month)))
    let stored = try await fixture.view(in: "sudoku").stored
    let read = try await fixture.view(in: "sudoku").ledger
    #expect(try await fixture.view(in: "sudoku").stored == stored)
    try await fixture.act(.behave(read.behaviour), in: "sudoku")
    let storedLedger = try #require(try await fixture.view(in: "sudoku").stored.ledger)
    #expect(storedLedger.transactions == read.transactions)
    #expect(storedLedger.subscriptions == read.subscriptions)
    #expect(storedLedger.log.dropLast() == read.log[...])
  }

  @Test("after a refund of everything, a player has no entitlements, and every gate is as for a new player", arguments: UInt64(1)...12)
  func refunded(seed: UInt64) async throws {
    let fixture = try await ShopFixture()
    _ = try await history(seed, on: fixture, "p")
    let ledger = try await fixture.view(in: "sudoku").ledger
    for transaction in ledger.transactions where transaction.isOwned {
      try await fixture.act(.transaction(transaction.product == nil ? .revoke : .refund, transaction.id), in: "sudoku")
    }
    let view = try await fixture.view(in: "sudoku")
    #expect(view.holdings.held.isEmpty)
    #expect(view.entitlements.held.isEmpty)
    #expect(!view.holdings.purchased.contains { $0.isPurchased })
    let player = try await fixture.gate([3, 4])
    let newcomer = try await fixture.gate([3, 4], "newcomer")
    #expect(player == newcomer)
  }

  @Test("every revision of a player is greater than the one before, and every transaction's id is used once", arguments: UInt64(1)...12)
  func order(seed: UInt64) async throws {
    let fixture = try await ShopFixture()
    for player in ["p", "q"] { _ = try await history(seed, on: fixture, player) }
    var last: [PlayerID: Int64] = [:]
    for change in fixture.published {
      guard case .player(let id, let stored) = change else { continue }
      #expect(stored.revision > last[id] ?? 0)
      last[id] = stored.revision
    }
    let ids = try await fixture.view("p", in: "sudoku").ledger.transactions.map(\.id)
    let others = try await fixture.view("q", in: "sudoku").ledger.transactions.map(\.id)
    #expect(Set(ids + others).count == ids.count + others.count)
  }
}
