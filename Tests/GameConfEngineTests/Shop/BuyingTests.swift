// Purchases at the simulated store: obstacles, permissions, and records.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("Buying at the simulated store")
struct BuyingTests {
  @Test("Ask to Buy: a pending purchase grants nothing, its approval does, and its refusal does not") func askToBuy() async throws {
    let fixture = try await ShopFixture()
    var behaviour = ShopBehaviour()
    behaviour.asksToBuy = true
    try await fixture.act(.behave(behaviour))
    let pending = try await fixture.act(.purchase(product: "premium"), by: false)
    #expect(pending.status == .pending)
    #expect(try await fixture.held().isEmpty)
    let id = try #require(pending.transaction)
    #expect(try await fixture.refusal(of: .purchase(product: "premium")) == .purchaseOpen)
    #expect(try await fixture.act(.transaction(.approve, id)) == ShopOutcome(.success, transaction: id))
    #expect(try await fixture.held().contains("premium"))
    let other = try #require(try await fixture.act(.purchase(product: "coins"), by: false).transaction)
    try await fixture.act(.transaction(.decline, other))
    #expect(try await fixture.view().ledger.transaction(other)?.state == .declined)
    #expect(try await fixture.refusal(of: .transaction(.approve, other)) == .notPending)
  }

  @Test("a receipt for an id that a login made an alias buys nothing, and the outcome names the alias's owner")
  func receiptOfAlias() async throws {
    let fixture = try await ShopFixture()
    try await fixture.buy("coins", "anonymous")
    _ = try await fixture.service.change(fixture.id("owner"), .login(from: "anonymous"), fixture.change(by: false))
    let receipt = ShopReceipt(token: "t", product: "premium")
    for _ in 0..<2 {
      let late = try #require(try await fixture.service.buy(receipt, for: fixture.id("anonymous"), fixture.change(by: false)))
      #expect(late.outcome.transaction == nil && late.player.ledger?.aliasOf == "owner")
    }
    let bought = try await fixture.service.buy(receipt, for: fixture.id("owner"), fixture.change(by: false))
    #expect(bought?.outcome.status == .success)
    #expect(try await fixture.held("owner").contains("premium"))
    #expect(try await !fixture.held("anonymous").contains("premium"))
  }

  @Test("two purchases fail if the simulator is set to fail twice, and the third one succeeds") func failures() async throws {
    let fixture = try await ShopFixture()
    var behaviour = ShopBehaviour()
    behaviour.failures[.purchase] = ShopBehaviour.Failure(.notAllowed, times: 2)
    try await fixture.act(.behave(behaviour))
    for left in [1, nil] {
      let outcome = try await fixture.act(.purchase(product: "premium"), by: false)
      #expect(outcome == ShopOutcome(.failed, error: .notAllowed))
      #expect(try await fixture.view().ledger.behaviour.failures[.purchase]?.timesLeft == left)
      #expect(try await fixture.held().isEmpty)
    }
    try await fixture.buy("premium")
  }

  @Test("an interrupted purchase succeeds when resolved; unfinished ones are delivered again until finished") func interruptedAndDelivered()
    async throws
  {
    let fixture = try await ShopFixture()
    var behaviour = ShopBehaviour()
    behaviour.interruptsPurchases = true
    try await fixture.act(.behave(behaviour))
    let id = try #require(try await fixture.act(.purchase(product: "coins"), by: false).transaction)
    #expect(try await fixture.view().ledger.unfinished.isEmpty)
    try await fixture.act(.transaction(.resolve, id))
    #expect(try await fixture.view().ledger.unfinished.map(\.id) == [id])
    #expect(try await fixture.act(.restore, by: false).delivered == [id])
    try await fixture.act(.transaction(.finish, id), by: false)
    #expect(try await fixture.act(.restore, by: false).delivered.isEmpty)
    #expect(try await fixture.refusal(of: .transaction(.finish, id), by: false) == .alreadyFinished)
  }

  @Test("loading products writes only if a failure is configured; a restore or clear without purchases writes nothing") func loadProducts()
    async throws
  {
    let fixture = try await ShopFixture()
    for act in [ShopAct.loadProducts, .restore, .clear] { #expect(try await fixture.act(act, by: false).status == .success) }
    #expect(try await fixture.view().stored.isUnknown)
    #expect(fixture.published.isEmpty)
    var behaviour = ShopBehaviour()
    behaviour.failures[.loadProducts] = ShopBehaviour.Failure(.networkError, times: 1)
    try await fixture.act(.behave(behaviour))
    let revision = try await fixture.view().stored.revision
    #expect(try await fixture.act(.loadProducts, by: false) == ShopOutcome(.failed, error: .networkError))
    #expect(try await fixture.view().stored.revision == revision + 1)
    #expect(try await fixture.act(.loadProducts, by: false).status == .success)
    #expect(try await fixture.view().stored.revision == revision + 1)
  }

  @Test(
    "games may buy if the catalog allows games, admins if it allows games or admins, and no caller if it is off",
    arguments: PurchaseSimulation.allCases)
  func admission(_ purchases: PurchaseSimulation) async throws {
    var catalog = Catalog.dotShop
    catalog.purchases = purchases
    let fixture = try await ShopFixture([catalog])
    let expected: (game: ProblemCode?, admin: ProblemCode?) =
      switch purchases {
      case .games: (nil, nil)
      case .admin: (.purchasesAdminsOnly, nil)
      case .off: (.purchasesNotSimulated, .purchasesNotSimulated)
      }
    #expect(try await fixture.refusal(of: .purchase(product: "coins"), by: false) == expected.game)
    #expect(try await fixture.refusal(of: .purchase(product: "coins")) == expected.admin)
    #expect(try await fixture.refusal(of: .grant(entitlement: "premium")) == expected.admin)
    #expect(try await fixture.refusal(of: .restore, by: false) == nil)
    do throws(ChangeRefusal) {
      _ = try await fixture.service.change(fixture.id("q"), .transferPurchases(from: "p"), fixture.change(by: false))
      #expect(expected.game == nil)
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      #expect(refusal.code == expected.game)
    }
  }

  @Test("an invalid act is refused, and nothing is written, published or audited for it") func refusals() async throws {
    let fixture = try await ShopFixture()
    let id = try await fixture.buy("premium")
    try await fixture.act(.transaction(.refund, try await fixture.buy("coins")))
    let before = try await fixture.view().stored
    let lines = try await fixture.audits().count
    let published = fixture.published.count
    let wrong: [(ShopAct, ProblemCode)] = [
      (.purchase(product: "monthly"), .unknownProduct), (.purchase(product: "premium"), .alreadyOwned),
      (.purchase(product: "coins", currency: "EURO"), .invalidCurrency), (.purchase(product: "coins", currency: "EUR"), .invalidCurrency),
      (.transaction(.refund, "nothing"), .unknownTransaction),
      (.transaction(.refund, try #require(before.ledger?.transactions.last?.id)), .alreadyRefunded),
      (.transaction(.approve, id), .notPending), (.transaction(.resolve, id), .notInterrupted),
      (.transaction(.renew, id), .notASubscription),
      (.changePrice(id, ShopPrice(currency: "USD", amount: "1,99")), .invalidPrice), (.grant(entitlement: "Premium"), .unknownEntitlement),
      (.grant(entitlement: "premium", period: CalendarPeriod(count: 0, unit: .day)), .invalidPeriod),
      (.grant(entitlement: "premium", period: CalendarPeriod(count: 9_000, unit: .year)), .outsideCalendar),
    ]
    for (act, code) in wrong {
      let refusal = await #expect(throws: ChangeRefusal.self) { try await fixture.act(act) }
      #expect(refusal?.refusedCode == code, "\(act)")
    }
    #expect(try await fixture.view().stored == before)
    let player = fixture.id()
    let stored = try await fixture.store.read { view in try view.player(player) }
    #expect(stored == before)
    #expect(try await fixture.audits().count == lines)
    #expect(fixture.published.count == published)
    await #expect(throws: ChangeRefusal.unknownGame("dotz")) { try await fixture.act(.restore, in: "dotz") }
    await #expect(throws: ChangeRefusal.notAPlayer("a\nb")) { try await fixture.act(.restore, "a\nb") }
    await #expect(throws: ChangeRefusal.reason(bytesMax: OverrideLimits.reasonBytesMax)) {
      _ = try await fixture.service.change(fixture.id(), .shop(.restore), fixture.change(why: "a\u{0}b"))
    }
  }

  @Test("an act is performed only at the player's revision that it expects") func precondition() async throws {
    let fixture = try await ShopFixture()
    try await fixture.buy("coins")
    var change = fixture.change()
    change.precondition = .playerRevision(7)
    await #expect(throws: ChangeRefusal.playerChanged(revision: 1)) {
      _ = try await fixture.service.change(fixture.id(), .shop(.clear), change)
    }
    change.precondition = .playerRevision(1)
    _ = try await fixture.service.change(fixture.id(), .shop(.clear), change)
    #expect(try await fixture.view().ledger.transactions.isEmpty)
  }

  @Test("admins' acts are audited with the entitlements before and after, games' acts are only in the ledger") func audit() async throws {
    let fixture = try await ShopFixture()
    let id = try await fixture.buy("removeads")
    #expect(try await fixture.audits().isEmpty)
    #expect(try await fixture.view().ledger.log.map(\.event) == [.purchased])
    _ = try await fixture.service.change(fixture.id(), .shop(.transaction(.refund, id)), fixture.change(why: "asked for"))
    try await fixture.act(.behave(ShopBehaviour()))
    let lines = try await fixture.audits()
    #expect(lines.map(\.action.rawValue) == ["iap.refund", "iap.behaviour"])
    let line = try #require(lines.first)
    #expect(line.player == "p")
    #expect(line.reason == "asked for")
    #expect(line.before == ["ad_free"])
    #expect(line.after == [])
    #expect(line.detail?["transaction"] == .string(id))
    #expect(line.undo == nil)
    let audited = fixture.published.compactMap { change in if case .audited(let audited) = change { audited.id } else { nil } }
    #expect(audited == lines.map(\.id))
  }

  @Test("a transfer moves another player's permanent purchases, with their themes and ads") func transfer() async throws {
    let fixture = try await ShopFixture()
    for player in ["old", "new"] { for _ in 0..<2 { try await fixture.gameOver(score: nil, player) } }
    let premium = try await fixture.buy("premium", "old")
    try await fixture.buy("coins", "old")
    let answer = try await fixture.service.change(fixture.id("new"), .transferPurchases(from: "old"), fixture.change(by: false))
    let moved = try #require(answer.fresh)
    #expect(moved.outcome.outcome.delivered == [premium])
    let (new, old) = (try await fixture.view("new").stored, try await fixture.view("old").stored)
    #expect(moved.player == new)
    #expect(moved.outcome.other == old)
    #expect(try await fixture.held("new").contains("premium"))
    #expect(try await fixture.held("old").isEmpty)
    #expect(try await fixture.view("new").ledger.transaction(premium)?.transferredFrom == "old")
    #expect(try await fixture.gameOver(score: nil, "old").ads.map(\.shows) == [false])
    #expect(try await fixture.gameOver(score: nil, "new").ads.first?.refusal == .adFree)
    #expect(try await fixture.audits().isEmpty)
    await #expect(throws: ChangeRefusal.self) {
      _ = try await fixture.service.change(fixture.id("new"), .transferPurchases(from: "new"), fixture.change())
    }
  }

  @Test("concurrent repeats of a request buy once and get the same answer; other content is refused") func repeats() async throws {
    let fixture = try await ShopFixture()
    @Sendable func remembering(_ id: String, _ digest: String) -> RepeatableChange<PlayerChangeOutcome<ShopOutcome>, ChangeRefusal> {
      RepeatableChange(id: RepeatID(game: "dots", player: "p", route: "POST purchases", id: id), by: 7, contentDigest: digest) { result in
        let body = (try? result.get())?.outcome.transaction ?? "refused"
        return StoredAnswer(contentDigest: digest, status: 201, body: body, at: ShopFixture.noon)
      }
    }
    let count = 200
    let bodies = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for number in 0..<count * 3 {
        group.addTask {
          let answer = try await fixture.service.change(
            fixture.id(), .shop(.purchase(product: "coins")), fixture.change(by: false),
            remembering: remembering("r\(number % count)", "coins")
          )
          switch answer {
          case .fresh(let changed): return (number % count, changed.outcome.transaction ?? "none")
          case .remembered(let answer): return (number % count, answer.body)
          }
        }
      }
      return try await group.reduce(into: [Int: Set<String>]()) { $0[$1.0, default: []].insert($1.1) }
    }
    #expect(bodies.values.allSatisfy { $0.count == 1 })
    #expect(Set(bodies.values.flatMap { $0 }).count == count)
    let ledger = try await fixture.view().ledger
    #expect(Set(ledger.transactions.map(\.id)) == Set(bodies.values.flatMap { $0 }))
    #expect(ledger.transactions.count == count)
    await #expect(throws: ChangeRefusal.repeatedWithOtherContent) {
      _ = try await fixture.service.change(
        fixture.id(), .shop(.purchase(product: "premium")), fixture.change(by: false), remembering: remembering("r1", "premium"))
    }
  }

  @Test("a user who writes too fast, or creates too many players, must wait") func rates() async throws {
    let fixture = try await ShopFixture(rates: WriteRateLimits(writesPerSecond: 5, unknownPlayersPerMinute: 2))
    try await fixture.buy("coins", "a")
    try await fixture.buy("coins", "b")
    await #expect(throws: ChangeRefusal.self) { try await fixture.act(.purchase(product: "coins"), "c", by: false) }
    #expect(try await fixture.view("c").stored.isUnknown)
    try await fixture.buy("coins", "a")
    try await fixture.buy("coins", "a")
    let refusal = await #expect(throws: ChangeRefusal.self) { try await fixture.act(.purchase(product: "coins"), "a", by: false) }
    #expect(refusal == .tooManyWrites(retryAfterSeconds: 1))
  }
}
