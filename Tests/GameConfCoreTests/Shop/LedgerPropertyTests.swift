// Tests properties that hold for every history, with many random ones.

import GameConfCore
import TestSupport
import Testing

private struct Step {
  var now: Instant
  var act: ShopAct
}

@Suite("Properties of ledgers with random histories")
struct LedgerPropertyTests {
  private static let start = Instant(seconds: 1_795_262_400)

  private func randomAct(_ ledger: Ledger, _ dice: inout SeededGenerator) -> ShopAct {
    let id = ledger.transactions.randomElement(using: &dice)?.id ?? "none"
    let product = Catalog.sudoku.products.randomElement(using: &dice)?.id ?? "monthly"
    switch Int.random(in: 0..<23, using: &dice) {
    case 0...5: return .purchase(product: product)
    case 6: return .transaction(.refund, id)
    case 7: return .transaction(.revoke, id)
    case 8: return .transaction(.expire, id)
    case 9: return .transaction(.renew, id)
    case 10: return .transaction(.cancel, id)
    case 11: return .transaction(.renewalOn, id)
    case 12: return .billingRetry(id, grace: ShopBehaviour.Grace.allCases.randomElement(using: &dice) ?? .always)
    case 13: return .transaction(.recover, id)
    case 14: return .transaction(.finish, id)
    case 15: return .transaction(.approve, id)
    case 16: return .changePrice(id, ShopPrice(currency: "USD", amount: "9.99"), needsConsent: Bool.random(using: &dice))
    case 17: return .grant(entitlement: "Pro", period: CalendarPeriod(count: Int.random(in: 1...40, using: &dice), unit: .day))
    case 18: return .transaction(.resolve, id)
    case 19: return .restore
    case 20: return .delete(id)
    default:
      var behaviour = ShopBehaviour()
      behaviour.failsBilling = Bool.random(using: &dice)
      behaviour.asksToBuy = Int.random(in: 0..<5, using: &dice) == 0
      behaviour.interruptsPurchases = Int.random(in: 0..<5, using: &dice) == 0
      behaviour.grace = ShopBehaviour.Grace.allCases.randomElement(using: &dice) ?? .never
      if Int.random(in: 0..<4, using: &dice) == 0 { behaviour.failures[.verification] = .init(.invalidSignature, times: 1) }
      return .behave(behaviour)
    }
  }

  /// Returns a random history of accepted acts, with the resulting ledger and the time of its end.
  private func history(seed: UInt64) -> (steps: [Step], ledger: Ledger, end: Instant) {
    var dice = SeededGenerator(seed: seed)
    var ledger = Ledger(game: "sudoku", player: "p\(seed)")
    var now = Self.start
    var steps: [Step] = []
    for _ in 0..<40 {
      now = Instant(milliseconds: now.milliseconds + Int64.random(in: 0...40 * 86_400_000, using: &dice))
      let act = randomAct(ledger.settled(at: now), &dice)
      guard let done = try? ledger.after(act, catalog: .sudoku, now: now) else { continue }
      ledger = done.ledger
      steps.append(Step(now: now, act: act))
    }
    return (steps, ledger, Instant(milliseconds: now.milliseconds + 200 * 86_400_000))
  }

  @Test("settling a ledger in one step or in a hundred gives the same ledger", arguments: UInt64(1)...60) func steps(seed: UInt64) throws {
    let (steps, ledger, end) = history(seed: seed)
    try #require(steps.count > 10)
    var dice = SeededGenerator(seed: seed &+ 1_000)
    var looked = Ledger(game: "sudoku", player: "p\(seed)")
    for step in steps {
      let from = max(looked.settledUntil, Self.start)
      var between = (0..<3).map { _ in Int64.random(in: from.milliseconds...max(from, step.now).milliseconds, using: &dice) }
      between.sort()
      for milliseconds in between { looked = looked.settled(at: Instant(milliseconds: milliseconds)) }
      looked = try looked.after(step.act, catalog: .sudoku, now: step.now).ledger
    }
    #expect(looked == ledger)
    var hundred = ledger
    let width = end.milliseconds - ledger.settledUntil.milliseconds
    for part in 1...100 {
      hundred = hundred.settled(at: Instant(milliseconds: ledger.settledUntil.milliseconds + width * Int64(part) / 100))
    }
    #expect(hundred == ledger.settled(at: end))
  }

  @Test("a ledger is decoded as it was encoded", arguments: UInt64(1)...60) func coding(seed: UInt64) throws {
    let ledger = history(seed: seed).ledger
    let bytes = JSONWriter.bytes(ledger.encoded)
    #expect(try Ledger(decoding: JSONReader.value(from: bytes)) == ledger)
  }

  @Test("refunding all purchases ends every entitlement", arguments: UInt64(1)...60) func refundEverything(seed: UInt64) throws {
    let end = history(seed: seed).end
    var ledger = history(seed: seed).ledger.settled(at: end)
    for transaction in ledger.transactions where transaction.state == .purchased && transaction.revokedAt == nil {
      let act: ShopAct = transaction.product == nil ? .transaction(.revoke, transaction.id) : .transaction(.refund, transaction.id)
      ledger = try ledger.after(act, catalog: .sudoku, now: end).ledger
    }
    for later in [end, Instant(milliseconds: end.milliseconds + 1_000 * 86_400_000)] {
      let entitlements = Entitlements(of: ledger, at: later, catalog: .sudoku)
      #expect(entitlements.ids.isEmpty)
      #expect(entitlements.held.isEmpty)
      #expect(!entitlements.purchased.contains { $0.isPurchased })
    }
  }

  @Test("no entitlement outlasts its transaction", arguments: UInt64(1)...60) func noneOutlives(seed: UInt64) throws {
    let (_, ledger, end) = history(seed: seed)
    let grants = ProductGrants(.sudoku)
    var now = Self.start
    while now < end {
      let settled = ledger.settled(at: max(now, ledger.settledUntil))
      for held in Entitlements(of: ledger, at: now, catalog: .sudoku).held {
        let transaction = try #require(settled.transaction(held.transaction))
        #expect(transaction.state == .purchased && transaction.purchasedAt <= now)
        #expect(transaction.revokedAt.map { now < $0 } ?? true)
        #expect(transaction.upgradedAt.map { now < $0 } ?? true)
        #expect(max(transaction.expiresAt ?? .latest, transaction.graceUntil ?? .earliest) > now)
        #expect(grants.entitlements(of: transaction).contains(held.id))
        #expect(held.expiresAt == transaction.held?.until)
      }
      now = Instant(milliseconds: now.milliseconds + 11 * 86_400_000)
    }
  }

  @Test("entitlements depend only on the ledger and the instant, and are active exactly in their intervals", arguments: UInt64(1)...60)
  func pure(seed: UInt64) throws {
    let (_, ledger, end) = history(seed: seed)
    let grants = ProductGrants(.sudoku)
    let settled = ledger.settled(at: end)
    var now = Self.start
    while now < end {
      let entitlements = Entitlements(of: ledger, at: now, catalog: .sudoku)
      #expect(Entitlements(of: ledger, at: now, catalog: .sudoku) == entitlements)
      #expect(Entitlements(of: settled, at: now, catalog: .sudoku).ids == entitlements.ids)
      #expect(settled.held(at: now, grants) == entitlements.ids)
      for id in grants.all {
        let isHeld = settled.intervals(holdingAnyOf: [id], grants).contains { $0.contains(now) }
        #expect(isHeld == entitlements.ids.contains(id))
      }
      now = Instant(milliseconds: now.milliseconds + 17 * 86_400_000)
    }
  }

  @Test("transaction ids are unique, log times ascend, and a group has at most one subscription", arguments: UInt64(1)...60)
  func order(seed: UInt64) {
    let (_, ledger, end) = history(seed: seed)
    let settled = ledger.settled(at: end)
    #expect(Set(settled.transactions.map(\.id)).count == settled.transactions.count)
    #expect(zip(settled.log, settled.log.dropFirst()).allSatisfy { $0.at <= $1.at && $0.number + 1 == $1.number })
    #expect(Set(settled.subscriptions.map(\.group)).count == settled.subscriptions.count)
  }

  @Test(
    "a ledger of another format version or with a member of a wrong type is not decoded", arguments: ["format", "until", "transactions"])
  func decoding(name: String) throws {
    let ledger = history(seed: 1).ledger
    var object = try #require(ledger.encoded.objectValue)
    object[name] = name == "format" ? 2 : "x"
    let fault = #expect(throws: Fault.self) { try Ledger(decoding: .object(object)) }
    #expect(fault?.pointer == "/" + name)
  }
}
