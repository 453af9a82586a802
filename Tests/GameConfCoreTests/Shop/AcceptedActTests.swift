// The acts that a transaction is said to accept are those that are accepted.

import GameConfCore
import Testing

@Suite("Acts that would be accepted")
struct AcceptedActTests {
  private func words(_ shop: Shop, _ id: String) -> Set<String> {
    Set(shop.ledger.acceptedActs(on: id, catalog: shop.catalog, now: shop.now).map { String("\($0)".prefix { $0 != "(" }) })
  }

  @Test("a subscription's change from what renews, through what is retried, to what has ended")
  func subscription() throws {
    var shop = try Shop(.sudoku)
    try shop.buy("monthly")
    let id = try #require(shop.ledger.transactions.last?.id)
    #expect(words(shop, id) == ["finish", "renew", "cancel", "billingRetry", "expire", "refund", "refundDecline", "revoke"])
    try shop.act(.cancel(id))
    #expect(words(shop, id).isSuperset(of: ["renewalOn"]) && !words(shop, id).contains("cancel"))
    try shop.act(.renewalOn(id))
    try shop.act(.billingRetry(id))
    #expect(words(shop, id).contains("recover") && !words(shop, id).contains("billingRetry"))
    try shop.act(.expire(id))
    #expect(words(shop, id).isDisjoint(with: ["expire", "billingRetry", "renew", "cancel", "renewalOn", "recover"]))
    #expect(shop.ledger.acceptedActs(on: "nothing", catalog: shop.catalog, now: shop.now).isEmpty)
  }

  @Test("each act that is named is accepted, each other is refused or changes nothing, whatever has happened")
  func every() throws {
    var shop = try Shop(.dots)
    for product in ["removeads", "coins", "season", "premium"] { try shop.buy(product) }
    try shop.act(.refund(try #require(shop.ledger.transactions.first?.id)))
    for transaction in shop.ledger.transactions {
      let named = shop.ledger.acceptedActs(on: transaction.id, catalog: shop.catalog, now: shop.now)
      for make in ShopAct.plain {
        let act = make(transaction.id)
        let outcome = try? shop.ledger.after(act, catalog: shop.catalog, now: shop.now).outcome
        #expect(named.contains(act) == (outcome.map { $0.status != .kept } ?? false), "\(act)")
      }
    }
  }
}
