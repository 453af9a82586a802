// Tests that the acts listed as accepted for a transaction are those that the ledger accepts.

import GameConfCore
import Testing

@Suite("Acts that a ledger accepts for a transaction")
struct AcceptedActTests {
  private func words(_ shop: Shop, _ id: String) -> Set<String> {
    Set(shop.ledger.acceptedActs(on: id, catalog: shop.catalog, now: shop.now).map { "\($0)" })
  }

  @Test("the accepted acts of a subscription change when it renews, is in billing retry and has expired")
  func subscription() throws {
    var shop = try Shop(.sudoku)
    try shop.buy("monthly")
    let id = try #require(shop.ledger.transactions.last?.id)
    #expect(words(shop, id) == ["finish", "renew", "cancel", "billingRetry", "expire", "refund", "refundDecline", "revoke"])
    try shop.act(.transaction(.cancel, id))
    #expect(words(shop, id).isSuperset(of: ["renewalOn"]) && !words(shop, id).contains("cancel"))
    try shop.act(.transaction(.renewalOn, id))
    try shop.act(.transaction(.billingRetry, id))
    #expect(words(shop, id).contains("recover") && !words(shop, id).contains("billingRetry"))
    try shop.act(.transaction(.expire, id))
    #expect(words(shop, id).isDisjoint(with: ["expire", "billingRetry", "renew", "cancel", "renewalOn", "recover"]))
    #expect(shop.ledger.acceptedActs(on: "nothing", catalog: shop.catalog, now: shop.now).isEmpty)
  }

  @Test("each act that is listed as accepted for a transaction has an effect; each unlisted act is refused or has no effect")
  func every() throws {
    var shop = try Shop(.dots)
    for product in ["removeads", "coins", "season", "premium"] { try shop.buy(product) }
    try shop.act(.transaction(.refund, try #require(shop.ledger.transactions.first?.id)))
    for transaction in shop.ledger.transactions {
      let named = shop.ledger.acceptedActs(on: transaction.id, catalog: shop.catalog, now: shop.now)
      for act in TransactionAct.allCases {
        let outcome = try? shop.ledger.after(.transaction(act, transaction.id), catalog: shop.catalog, now: shop.now).outcome
        #expect(named.contains(act) == (outcome.map { $0.status != .retained } ?? false), "\(act)")
      }
    }
  }
}
